#include "train/agents/start_lookahead.h"

#include <utility>

namespace conpole {

StartLookahead::StartLookahead(const Domain& domain, const std::string& problem, StateTable memory)
    : GuidedSearch(domain, problem, std::move(memory)) {}

void StartLookahead::Expand(const Domain& domain, Successors& buffer) {
  BeginCandidates();
  ExpandState(domain, 0, buffer, [](Id, bool) {});
  if (candidates() == 0) FinishUnsolved(SearchOutcome::kExhausted);
}

void StartLookahead::Select(const Domain& domain, std::span<const float> scores) {
  Id solved = StateTable::kNone;
  for (Id i = 0; i < candidates(); ++i) {
    const Id id = first_candidate() + i;
    successors_.push_back({id, scores[i], domain.Solved(states()[id].text())});
    if (solved == StateTable::kNone && successors_.back().is_solved) solved = id;
  }
  if (solved != StateTable::kNone) {
    FinishSolved(solved);
  } else {
    FinishUnsolved(SearchOutcome::kOutOfBudget);
  }
}

}  // namespace conpole
