// equations: linear equations in one unknown, solved by axioms on either side ("comm", "dist", "eval", ...) and by operations
// on both sides ("add", "sub", "mul", "div"). Axioms keep the solutions, except that multiplying by the unknown can add a root
// and dividing by it can lose one: whoever shows an answer verifies it against the problem.
#pragma once

#include "conpole/domain.h"
#include "domains/axioms/term.h"
#include "math/rational.h"

namespace conpole {

const DomainType& EquationsType();

// n, (-n), [p/q], ([-p/q]); in front of a variable 2x, -2x, [1/2]x, [-1/2]x.
struct EquationNotation {
  using Number = Rational;
  static constexpr std::string_view kOperators = "+-*/";
  static constexpr bool kEquality = true;
  static constexpr bool kVariables = true;
  static constexpr bool kFractions = false;

  static bool StartsNumber(char c) { return IsDigit(c) || c == '['; }
  static const char* ReadNumber(const char* at, const char* end, bool negative, Rational& number, TermError& error);
  static Rational Negated(const Rational& number) { return -number; }
  static constexpr std::size_t kMaxNumberBytes = 2 * kMaxIntegerBytes + 5;
  static std::size_t MaxBytes(const Rational&) { return kMaxNumberBytes; }
  static char* WriteOperand(char* out, const Rational& number);
  static char* WriteCoefficient(char* out, const Rational& number);
};

inline char* EquationNotation::WriteCoefficient(char* out, const Rational& number) {
  if (number.IsInteger()) return WriteInteger(out, number.numerator());
  *out++ = '[';
  out = WriteInteger(out, number.numerator());
  *out++ = '/';
  out = WriteInteger(out, number.denominator());
  *out++ = ']';
  return out;
}

inline char* EquationNotation::WriteOperand(char* out, const Rational& number) {
  if (number.numerator() >= 0) return WriteCoefficient(out, number);
  *out++ = '(';
  out = WriteCoefficient(out, number);
  *out++ = ')';
  return out;
}

}  // namespace conpole
