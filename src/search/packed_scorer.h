// A policy over packed states as a scorer of texts, so that every search, the tutor and training can ask it. One thread at a
// time uses it, as all scorers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "conpole/scorer.h"
#include "conpole/stop_token.h"

namespace conpole {

// Asks a policy about states, which come one after the other, as many at a time as suit it: a preference per action of each,
// minus infinity if it is not possible; and how far each is, if `values` is not null. False if it was stopped; not everything
// is written then.
bool ScoreInPieces(PackedPolicy& policy, const FixedLayout& layout, std::span<const std::uint8_t> states,
                   std::vector<float>& preferences, std::vector<float>* values, const StopToken& stop);

class PackedScorer final : public Scorer {
 public:
  // Throws Error if the policy is for other states. The layout must outlive the scorer. `of_texts` scores texts, in place of
  // the policy: of the same network, but as exactly as all processors can, since people see these scores.
  PackedScorer(const FixedLayout& layout, std::unique_ptr<PackedPolicy> policy,
               std::unique_ptr<PackedPolicy> of_texts = nullptr);

  ScoreMeaning meaning() const override { return ScoreMeaning::kLogPreference; }
  std::size_t ProblemsInFlight() const override { return policy_->StatesAtATime(); }
  std::size_t CharactersAtATime() const override;
  PackedPolicy* packed() override { return policy_.get(); }
  // Requires canonical texts, and candidates that are successors of their parents. A candidate that several actions lead to has
  // the best of their preferences.
  void Score(const ScoreBatch& batch, std::span<float> scores) override;

 private:
  const FixedLayout& layout_;
  std::unique_ptr<PackedPolicy> policy_;
  std::unique_ptr<PackedPolicy> of_texts_;
  std::vector<std::uint32_t> row_of_text_;
  std::vector<std::uint8_t> parents_;
  std::vector<float> preferences_;
};

}  // namespace conpole
