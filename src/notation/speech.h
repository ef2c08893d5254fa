// Formulas in words, as one reads them to somebody who cannot see them: "2 x plus 3 equals 7". They are made from the tree and
// not from its signs, so that a fraction is "3 over 4" and a minus sign is "minus" or "negative". Numbers stay digits. What
// brackets or the lines of fractions group is "the quantity ... end quantity", where it would else be heard as something
// different; fractions bind tighter than products, and these tighter than sums. Any thread may call any of this.
#pragma once

#include <string>
#include <string_view>

#include "notation/formula.h"

namespace conpole {

// Throws Error if there is no such language.
std::string SpeechOf(const Formula& formula, std::string_view language);

}  // namespace conpole
