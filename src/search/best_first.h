// Best-first search, in one of two orders. Every round takes the N open states with the lowest f and lists their successors:
//   batch weighted A* (bwas)     f(s) = weight * g(s) + h(s)
//   Levin tree search (levin)    f(s) = log(g(s) + 1) + h(s)
// where g is the number of steps from the problem. What h is depends on what the scores mean:
//   minus steps to go   h(c) = -score(s, c)
//   log-preference      h(c) = h(s) - log p(c | s), where p is the softmax of the scores over the new successors of s
// So the less likely a path is under a policy, the later it is tried. Other scores cannot be added to a number of steps and are
// refused; levin takes log-preferences only, so that f is the logarithm of (g + 1) / pi, where pi is the probability of the
// path.
//
// Bwas ends when no open state has a lower f than weight * g of the best solution, so with weight 1 and an h that never
// overestimates, the solution has the fewest steps. If scores are steps to go, a state that is reached again by fewer steps is
// opened again. At the limit the best solution found so far counts.
//
// Levin ends with the round that lists a solved state. With rounds of one state it has then expanded at most (g + 1) / pi
// states, g and pi being those of the solution's last but one state: the budget follows the confidence of the policy. With log-
// preferences a state belongs to the one that it was first met from, in either order. So the states met are a tree, whose
// branches share out the probability among them, which is what the bound needs; but it is a bound by the path that was found.
// It holds for any other way to a solution, too, where no state can be met twice; elsewhere a state on that way may have been
// met before by a path that is less likely, and then waits for its turn by that.
//
// Limits: states expanded. One thread at a time uses a search. References: Agostinelli, McAleer, Shmakov, Baldi: Solving the
// Rubik's cube with deep reinforcement learning and search, 2019; Orseau, Lelis, Lattimore, Weber: Single-agent policy tree
// search with guarantees, 2018.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "search/best_first_terms.h"
#include "search/lockstep.h"

namespace conpole {

class BestFirstSearch final : public GuidedSearch {
 public:
  // Requires batch >= 1 and weight >= 0. Throws Error, which says what can be used instead, for scores of another meaning.
  BestFirstSearch(const Domain& domain, const std::string& problem, ScoreMeaning meaning, const BestFirstTerms& terms,
                  StateTable memory = {});

  Questions Ahead() override;
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
  // Whether the best solution suffices.
  bool Suffices() const;

  BestFirstTerms terms_;
  ScoreMeaning meaning_;
  std::vector<Open> open_;  // a heap
  std::vector<Id> next_;    // those of this round, once they are taken
  std::vector<Cost> costs_;
  Id best_solved_ = StateTable::kNone;
};

}  // namespace conpole
