#include "search/breadth_first.h"

#include "search/state_table.h"
#include "util/stop_check.h"

namespace conpole {

SearchResult BreadthFirstSearch(const Domain& domain, const std::string& problem, const BreadthFirstOptions& options) {
  using Id = StateTable::Id;
  StateTable states;
  Successors successors;
  SearchResult result;
  StopCheck stop(options.stop);
  const auto is_solved = [&](Id id) { return domain.Solved(states[id].text()); };

  Id solved = StateTable::kNone;
  states.Add(problem, StateTable::kNone);
  if (is_solved(0)) solved = 0;
  // Ids count in the order of arrival: the table itself is the queue.
  Id next = 0;
  bool cut_off = false;  // the budget ended among the successors of one state
  for (; next < states.size() && solved == StateTable::kNone && result.edges < options.max_edges; ++next) {
    if (stop.ShouldStop()) {
      result.outcome = SearchOutcome::kInterrupted;
      return result;
    }
    if (!options.take_solved_successors && is_solved(next)) {
      solved = next;
      break;
    }
    successors.Clear();
    domain.Expand(states[next].text(), Labels::kOff, successors);
    ++result.expanded;
    const std::uint64_t all_edges = result.edges + successors.size();
    states.AddAll(successors, next, [&](Id met, bool fresh) {
      ++result.edges;
      if (fresh && options.take_solved_successors && is_solved(met)) solved = met;
      return solved == StateTable::kNone && result.edges < options.max_edges;
    });
    cut_off = result.edges < all_edges;
  }
  if (solved != StateTable::kNone) {
    result.outcome = SearchOutcome::kSolved;
    result.path = states.PathTo(solved);
  } else {
    result.outcome = next < states.size() || cut_off ? SearchOutcome::kOutOfBudget : SearchOutcome::kExhausted;
  }
  return result;
}

}  // namespace conpole
