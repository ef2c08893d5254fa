#include "train/agents/known_ways.h"

#include <algorithm>

namespace conpole {

std::vector<std::uint32_t> KnownStepsToGo(const Domain& domain, const GuidedSearch& search) {
  using Id = StateTable::Id;
  const StateTable& states = search.states();
  std::vector<std::uint32_t> steps(states.size(), kNoKnownWay);
  std::vector<Id> reached;  // in the order of their distances
  for (Id id = search.round_begins().empty() ? 0 : search.round_begins().back(); id < states.size(); ++id) {
    if (!domain.Solved(states[id].text())) continue;
    steps[id] = 0;
    reached.push_back(id);
  }
  // Backwards from there: to the state that each was found from, and to those that met it later.
  std::vector<GuidedSearch::Meeting> meetings = search.meetings();
  const auto by_target = [](const GuidedSearch::Meeting& a, const GuidedSearch::Meeting& b) { return a.to < b.to; };
  std::stable_sort(meetings.begin(), meetings.end(), by_target);
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const Id to = reached[next];
    const auto reach = [&](Id from) {
      if (steps[from] != kNoKnownWay) return;
      steps[from] = steps[to] + 1;
      reached.push_back(from);
    };
    if (states[to].parent != StateTable::kNone) reach(states[to].parent);
    const auto [begin, end] = std::equal_range(meetings.begin(), meetings.end(), GuidedSearch::Meeting{0, to}, by_target);
    for (auto meeting = begin; meeting != end; ++meeting) reach(meeting->from);
  }
  return steps;
}

}  // namespace conpole
