// Formulas in MathML Core, which browsers show without any script. Any thread may call any of this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "notation/formula.h"

namespace conpole {

// A whole <math> element, with words and the decimal sign of a language. The parts whose nodes are marked in `changed`, which
// is empty or has an entry for each node, are in <mrow class="changed">, together with the sign before them. It is well-formed
// as XML and as HTML, whatever the formula has for texts, if they are UTF-8. Throws Error if there is no such language.
std::string MathmlOf(const Formula& formula, std::string_view language, const std::vector<bool>& changed = {});

}  // namespace conpole
