// Greedy rollout, the protocol that policies are evaluated with: from the current state go to the successor with the highest
// score among those that were never met before, until the state is solved. Limits: steps (actions; the authors' program stopped
// one action short of its limit of 30). A solved successor counts only if it is chosen. One thread at a time uses a search.
#pragma once

#include <memory>
#include <string>

#include "conpole/domain.h"
#include "conpole/run_search.h"
#include "search/beam_search.h"

namespace conpole {

std::unique_ptr<BeamSearch> MakeGreedyRollout(const Domain& domain, const std::string& problem, const GreedyOptions& options,
                                              StateTable memory = {});

}  // namespace conpole
