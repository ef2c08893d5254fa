// ConPoLe over packed states (train/loop/packed_learner.h), for domains whose states have a fixed layout: learning by search,
// which knows nothing of actions but the successors that they lead to. Many narrow beams (search/narrow_beam.h) go on together.
// A turn of the loop (train/loop/packed_trainer.h)
//   1. starts problems where searches have ended; which, and how deep they are searched, is up to the curriculum,
//   2. asks the policy about the frontiers of all searches and lets each take a step; until `bootstrap` problems are solved the
//      policy is random,
//   3. keeps what searches that have ended with a solution teach: all states from which the search knows a way, each with its
//      next action,
//   4. takes the gradient steps that are due, on the latest examples: environment steps are dear, and each is learned from
//      `reuse` times,
//   5. now and then makes the policy of what was learned.
// A step, where steps are counted, is a state whose successors were listed. One thread calls all methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conpole/packed_policy.h"
#include "search/narrow_beam.h"
#include "search/packed_hash.h"
#include "train/loop/curriculum.h"
#include "train/loop/packed_replay.h"
#include "train/loop/packed_trainer.h"

namespace conpole {

class PackedSearchTrainer final : public PackedTrainer {
 public:
  // Everything given by reference must outlive the trainer. Throws Error if the states of the domain have no fixed layout.
  PackedSearchTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options, TrainCallbacks callbacks);

 private:
  void TakeTurn() override;
  void UpdateStatus() override;
  std::vector<CheckpointSection> SaveMore() const override;
  void RestoreMore(const nlohmann::json& of_loop, const std::map<std::string, std::string>& sections) override;

  // Also ends searches that there are no steps left for.
  void StartProblems();
  // Writes the preferences of all frontiers, one after the other.
  void AskPolicy();
  void StepSearches();
  void TakeLessons();
  void Learn();
  PackedExamples MakeBatch();
  void RenewPolicy();
  bool IsBootstrapping() const { return status_.solved < options_.bootstrap; }
  // Whether searches are not guided by the policy: there is none yet, or it led to nothing.
  bool SearchesByChance() const { return IsBootstrapping() || !policy_ || status_.solved < by_chance_until_; }

  PackedHash hash_;
  Curriculum curriculum_;
  PackedReplay replay_;
  std::unique_ptr<PackedPolicy> policy_;     // null until something was learned
  std::uint64_t policy_gradient_steps_ = 0;  // when it was made
  std::uint64_t turns_ = 0;
  std::uint64_t by_chance_until_ = 0;  // until this number of problems is solved; set when none was for long
  double examples_due_ = 0;
  std::vector<NarrowBeam> searches_;
  std::vector<std::size_t> places_;  // of each search's frontier among all states that are asked about, and the end
  std::vector<std::uint8_t> states_;
  std::vector<float> preferences_;
};

}  // namespace conpole
