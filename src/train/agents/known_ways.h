// How far from solved a search that has ended knows its states to be. A step leads from a state whose successors were
// listed to any of them, whether it was new or met before; whatever leads, by such steps, to a solved state is the beginning of
// a way. All functions may be called by any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "conpole/domain.h"
#include "search/lockstep.h"

namespace conpole {

inline constexpr std::uint32_t kNoKnownWay = std::numeric_limits<std::uint32_t>::max();

// For each state of the search the steps of the shortest way to a solved state that is known, or kNoKnownWay. Ways through
// states that were met before are found if the search remembered its meetings. Requires that the search ended with
// the round that listed a solved state (BeamOptions::take_solved_candidates, or levin), so that all of them are in its last
// one.
std::vector<std::uint32_t> KnownStepsToGo(const Domain& domain, const GuidedSearch& search);

}  // namespace conpole
