// Batch weighted A* (BWAS). Every round takes the N open states with the lowest
//   f(s) = weight * g(s) + h(s)
// and lists their successors; g is the number of steps from the problem. What h is depends on what the scores mean:
//   minus steps to go   h(c) = -score(s, c)
//   log-preference      h(c) = h(s) - log p(c | s), where p is the softmax of the scores over the new successors of s
// So the less likely a path is under a policy, the later it is tried. Other scores cannot be added to a number of steps and are
// refused.
//
// The search ends when no open state has a lower f than weight * g of the best solution, so with weight 1 and an h that never
// overestimates, the solution has the fewest steps. If scores are steps to go, a state that is reached again by fewer steps is
// opened again. Limits: states expanded; at the limit the best solution found so far counts. One thread at a time uses a
// search. Reference: Agostinelli, McAleer, Shmakov, Baldi: Solving the Rubik's cube with deep reinforcement learning and
// search, 2019.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "conpole/run_search.h"
#include "conpole/scorer.h"
#include "search/lockstep.h"

namespace conpole {

class BestFirstSearch final : public GuidedSearch {
 public:
  // Requires batch >= 1 and weight >= 0. Throws Error, which says what can be used instead, for scores of another meaning.
  BestFirstSearch(const Domain& domain, const std::string& problem, ScoreMeaning meaning, const BestFirstOptions& options,
                  StateTable memory = {});

  void Expand(const Domain& domain, Successors& buffer) override;
  void Select(const Domain& domain, std::span<const float> scores) override;

 private:
  struct Open {
    double f;
    Id id;
    std::uint32_t steps;  // to the state when it was opened; it may have been reached by fewer since
  };
  // What the table does not know of a state.
  struct Cost {
    std::uint32_t steps;  // from the problem: g
    double to_go;         // h
    bool solved;
  };

  void Push(Id id);
  // Takes the best open states of this round.
  std::vector<Id> Pop();
  void ReachAgain(Id id, Id parent);
  void ConsiderSolved(Id id);
  void AddLogProbabilities(std::span<const float> scores);
  // No open state can lead to a better solution than the best one.
  bool Proven() const;

  BestFirstOptions options_;
  ScoreMeaning meaning_;
  std::vector<Open> open_;  // a heap
  std::vector<Cost> costs_;
  Id best_solved_ = StateTable::kNone;
};

}  // namespace conpole
