// Why a step of school algebra is allowed, at a pupil's level: what is done to both sides, and what becomes of each. At most
// three lines; the axioms are for those who ask further (derivation.h). Pure functions: any thread may call any of this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/action.h"
#include "explain/algebra_description.h"

namespace conpole {

// `before` and `after` are canonical text. Throws Error if the language is not known.
std::vector<std::string> AlgebraReasons(const Action& action, std::string_view before, std::string_view after,
                                        const ShowAlgebra& show, std::string_view language);

}  // namespace conpole
