// What a hint at a step of school algebra is about. A hint says what the step is for, so that it depends on more than the kind
// of step: subtracting a term with the unknown brings its terms together, subtracting a number leaves them alone. A pure
// function: any thread may call it.
#pragma once

#include <string>
#include <string_view>

#include "explain/action.h"

namespace conpole {

// The end of an id in the catalogue, "subtract.unknown" of hint.algebra.subtract.unknown. Requires that the action leads from
// the one state to the other.
std::string AlgebraHint(const Action& action, std::string_view before, std::string_view after);

}  // namespace conpole
