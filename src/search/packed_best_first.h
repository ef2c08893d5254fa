// Best-first search (search/best_first.h) over packed states (conpole/fixed_layout.h), for millions of states. A round
//   1. takes the N open states with the lowest f, that of bwas or of levin; h is minus the log-probability of the path under
//      the policy, over all actions of each state,
//   2. asks the policy about those that were not expanded before,
//   3. opens their successors, without those of the action that undoes the last one; one that is in the endgame
//      (search/endgame.h) is a solution, of which the one with the fewest steps is kept.
// f never falls along a path, so that few more of the open states can ever be taken than may still be expanded: the others are
// forgotten, and memory is bounded by the limit on states. A state is made again from its parent when it is taken.
//
// The search ends as the one over texts does: bwas when no open state has a lower f than weight times the steps of the best
// solution, or at the limit, with the best solution so far; levin with the first round that finds a solution. Of equal f the
// state that was opened first comes first. The result does not depend on the number of threads. One thread at a time uses a
// search. It owns nothing that it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "conpole/stop_token.h"
#include "search/best_first_terms.h"
#include "search/endgame.h"
#include "search/hash_map.h"
#include "util/thread_pool.h"

namespace conpole {

class PackedBestFirst {
 public:
  // Without `uses_endgame` only the solved state itself is known.
  PackedBestFirst(const Endgame& endgame, bool uses_endgame, PackedPolicy& policy, ThreadPool& pool);

  // `start` has a colour per cell. Requires batch >= 1 and weight >= 0.
  PackedResult Search(std::span<const std::uint8_t> start, const BestFirstTerms& terms, const StopToken& stop);

 private:
  struct Open {
    float f;
    float h;
    std::uint32_t parent;  // among the expanded states
    std::uint16_t steps;
    std::uint8_t action;
  };
  struct Solution {
    std::uint32_t parent;
    std::uint8_t action;
    std::size_t steps;  // with those of the endgame
  };

  static bool IsLater(const Open& a, const Open& b);
  std::optional<std::size_t> Distance(std::uint64_t hash) const;
  // Step 1.
  void Take(std::size_t count);
  // Step 3.
  void OpenSuccessors(const BestFirstTerms& terms, PackedResult& result);
  void ForgetAllBut(std::uint64_t count);
  // To an expanded state.
  std::vector<std::uint8_t> ActionsTo(std::size_t index) const;
  void Finish(PackedResult& result);

  const FixedLayout& layout_;
  const Endgame& endgame_;
  bool uses_endgame_;
  PackedPolicy& policy_;
  ThreadPool& pool_;
  std::vector<Open> open_;  // a heap
  // Of all expanded states; those of this round begin at round_.
  std::size_t round_ = 0;
  std::vector<std::uint8_t> states_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint8_t> actions_;  // that led to them
  HashMap seen_;
  bool has_forgotten_ = false;
  // Of the states of this round.
  std::vector<Open> taken_;
  std::vector<float> preferences_;
  std::vector<std::uint64_t> successor_hashes_;
  std::optional<Solution> best_;
};

}  // namespace conpole
