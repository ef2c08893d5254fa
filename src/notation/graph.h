// Pictures of solutions as SVG: both sides of an equation as curves that meet at the answer, and the answer of an inequality on
// the number line. What there is to see also stands in the title and the description, in formulas, so that it needs no
// language. Pure functions; any thread may call them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace conpole {

// Of a problem of algebra, as its canonical text, with the canonical text of its answer. Nothing if there is nothing to draw:
// more than one letter, no real solution, an expression.
std::optional<std::string> DrawSolution(std::string_view problem, std::string_view answer);

}  // namespace conpole
