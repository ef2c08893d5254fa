// One of many narrow beam searches over packed states (conpole/fixed_layout.h) that go on together, as training runs them:
// their owner asks a policy about the frontiers of all of them at once. In contrast to search/packed_beam.h it knows nothing
// about actions but the successors that they lead to: neither which action undoes which nor what lies near the solved state. A
// step
//   1. lists the successors of all states of the frontier; if one is solved, the search ends,
//   2. gives every successor the value of its path, as BeamValue says,
//   3. takes the best successors that this search has not had yet as the next frontier.
// Of equal values the successor that is listed first comes first.
//
// What was listed is kept, so that a search that has ended knows a way from many states besides those of its solution: an
// action that leads to a state with a known way is itself the beginning of one. One thread at a time uses a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/run_search.h"
#include "search/packed_hash.h"
#include "util/text_slots.h"

namespace conpole {

class NarrowBeam {
 public:
  struct Options {
    std::size_t width = 16;
    std::size_t max_steps = 30;
    BeamValue value = BeamValue::kLogProbability;
  };
  // A state from which a way to the solved one is known: its place among the expanded states, and the first action.
  struct KnownWay {
    std::uint32_t state;
    std::uint8_t action;
    std::uint16_t steps;  // to the solved state
  };

  // Begins with a state that is not solved. Everything given by reference must outlive the search.
  NarrowBeam(const FixedLayout& layout, const PackedHash& hash, std::span<const std::uint8_t> start, const Options& options);

  bool is_over() const { return is_over_; }
  bool is_solved() const { return is_solved_; }
  // States whose successors were listed.
  std::size_t expanded() const { return successors_.size() / layout_->actions(); }

  // What the policy has to be asked about next, one state after the other.
  std::span<const std::uint8_t> Frontier() const;
  std::size_t frontier_size() const { return hashes_.size() - frontier_; }
  // Takes a step; `preferences` has one per action for each state of the frontier. Only while it is not over.
  void Step(std::span<const float> preferences);

  std::span<const std::uint8_t> State(std::size_t index) const {
    return {states_.data() + index * layout_->cells, layout_->cells};
  }
  // A shortest of the ways that are known from every state that was expanded and has one, in the order of their steps. None
  // unless solved.
  std::vector<KnownWay> KnownWays() const;
  // Of all these, those that follow each other from the start.
  std::vector<KnownWay> Solution(std::span<const KnownWay> ways) const;

 private:
  static constexpr std::uint32_t kNone = TextSlots::kNone;

  // The place of a state by its hash; kNone if this search has not had it.
  std::uint32_t Find(std::uint64_t hash) const;
  // Of a state that it has not had.
  void Add(std::span<const std::uint8_t> state, std::uint64_t hash, float value);
  // Step 1.
  void List();
  // Steps 2 and 3.
  void Select(std::span<const float> preferences);

  const FixedLayout* layout_;
  const PackedHash* hash_;
  Options options_;
  std::uint64_t solved_hash_;
  std::size_t steps_ = 0;
  bool is_over_ = false;
  bool is_solved_ = false;
  std::size_t frontier_ = 0;  // where it begins; all states before it are expanded, and once it is over all of them
  // Of all states.
  std::vector<std::uint8_t> states_;
  std::vector<std::uint64_t> hashes_;
  std::vector<float> values_;
  std::vector<std::uint64_t> successors_;  // their hashes, one per action, of those that are expanded
  TextSlots places_;                       // by hash
};

}  // namespace conpole
