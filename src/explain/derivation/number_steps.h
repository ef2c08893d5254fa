// Steps of school algebra on numbers, opened into axioms of `fractions` and `multiplication`. For algebra_derivation.cc. A pure
// function: any thread may call it. What cannot be opened throws NoProof or opens nothing.
#pragma once

#include <string_view>

#include "domains/school/algebra_text.h"
#include "explain/derivation.h"

namespace conpole::axioms {

Derivation OpenNumberStep(const algebra::State& before, std::string_view action, std::string_view operand);

}  // namespace conpole::axioms
