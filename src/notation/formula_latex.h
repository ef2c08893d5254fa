// Formulas in LaTeX, in the words of the domain (LocaliseLine puts them into others). Any thread may call this.
#pragma once

#include <string>

#include "notation/formula.h"

namespace conpole {

std::string LatexOf(const Formula& formula);

}  // namespace conpole
