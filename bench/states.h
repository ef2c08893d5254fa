// The states that benchmarks work on. All are the same in every run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conpole/domain.h"

namespace conpole::bench {

// Open states on uniformly random walks of up to 12 steps from generated problems.
std::vector<std::string> RandomWalkStates(const Domain& domain, std::size_t count);

// Open states at depth 10 to 20 of searches that keep 10 random new states per step.
std::vector<std::string> DeepStates(const Domain& domain, std::size_t count);

}  // namespace conpole::bench
