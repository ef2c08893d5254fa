// Opens the steps of school algebra into axioms of `equations`, `fractions` and `multiplication`. A line of algebra does not
// tell all of the equation that axioms work on: 3/4 may be the number or a division, x may be 1x. So a step starts where the
// one before it ended, and the first one where its line is translated; where it ends stands for its line again. Steps on
// numbers are opened at what they work on: of 1/2 + 2/3 * 3/4 the product alone. A step is opened by construction, without
// search, so that the same step is always opened in the same way. Pure functions: any thread may call them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "explain/derivation.h"

namespace conpole {

// One for each step of a path of algebra; labels[i] leads from path[i] to path[i + 1].
std::vector<Derivation> OpenAlgebraSteps(std::span<const std::string> path, std::span<const std::string> labels);

}  // namespace conpole
