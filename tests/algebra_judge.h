// Judges steps of school algebra without the domain's code: reads the text on its own, as quotients of polynomials, and
// compares exact solution sets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace conpole {

// What is wrong with `next` as the result of `label` on `state`, which are canonical text: other solutions, another value, or
// not what the label says. Nothing if the step is sound.
std::optional<std::string> JudgeAlgebraStep(std::string_view state, std::string_view label, std::string_view next);

// Whether two states have the same real solutions, or the same value. Throws std::runtime_error for text that is no state.
bool SameAlgebra(std::string_view a, std::string_view b);

}  // namespace conpole
