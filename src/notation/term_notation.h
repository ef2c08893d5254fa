// Free notation of the domains whose states are terms: equations, fractions and multiplication. See notation.h. Any thread may
// call any of this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "math/expression.h"
#include "notation/formula.h"
#include "notation/notation.h"

namespace conpole {

enum class TermKind : std::uint8_t { kEquation, kFraction, kMultiplication };

// Text that the domain's Parse reads as what was meant, or an error.
struct TermReading {
  std::string text;
  std::optional<NotationError> error;
};
TermReading ReadTerm(TermKind kind, std::string_view text);

std::string WriteExpression(TermKind kind, Script script, const Expression& expression);
// The same for a whole state, of which some parentheses are in the text alone: `expression` is what was read from `state`.
std::string WriteState(TermKind kind, Script script, std::string_view state, const Expression& expression);
Formula DrawState(TermKind kind, std::string_view state, const Expression& expression);

}  // namespace conpole
