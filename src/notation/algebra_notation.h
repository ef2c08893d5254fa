// School algebra as people write it. Reading spells what is written in plain text, Unicode or LaTeX as the domain spells it,
// and leaves it to the domain to read that: nothing is worked out on the way. What the domain reads by itself keeps its
// meaning, and so does text that the domain equations prints, where (2 / 3x) divides by 3x. Any thread may call any of this.
#pragma once

#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "notation/formula.h"
#include "notation/notation.h"

namespace conpole {

// Also read are \frac and mixed numbers with it, powers in Unicode, percent, a decimal comma (not before three digits, which
// may be thousands), a division sign, 12 x 34, "oder", Greek letters as the Latin ones that they are named after, and a sign of
// equality or a full stop at the end.
NotationResult ReadAlgebraNotation(const Domain& domain, std::string_view text);

// Requires canonical text of a state. In plain text people read it as it is.
std::string WriteAlgebraLatex(std::string_view state);
Formula DrawAlgebra(std::string_view state);

}  // namespace conpole
