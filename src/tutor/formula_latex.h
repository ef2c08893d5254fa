// Formulas in LaTeX, in the words of the domain (LocaliseLine puts them into others). Any thread may call this.
#pragma once

#include <string>

#include "tutor/formula.h"

namespace conpole {

std::string LatexOf(const Formula& formula);

}  // namespace conpole
