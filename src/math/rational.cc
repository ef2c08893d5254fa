#include "math/rational.h"

#include <limits>
#include <numeric>

namespace conpole {
namespace {

Int128 Gcd(Int128 a, Int128 b) {
  while (b != 0) {
    // Most values are small, and 64-bit division is several times faster.
    if (a >> 63 == 0 && b >> 63 == 0) return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace

std::optional<Rational> Rational::Make(Int128 numerator, Int128 denominator) {
  if (denominator == 0) return std::nullopt;
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (denominator != 1) {
    const Int128 divisor = Gcd(numerator < 0 ? -numerator : numerator, denominator);
    numerator /= divisor;
    denominator /= divisor;
  }
  constexpr Int128 kMax = std::numeric_limits<std::int64_t>::max();
  if (numerator > kMax || numerator < -kMax || denominator > kMax) return std::nullopt;
  return Rational(static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator));
}

std::optional<Rational> Rational::Apply(char op, const Rational& a, const Rational& b) {
  // Every product below is less than 2^126 and every sum less than 2^127.
  const Int128 a_over = a.numerator_;
  const Int128 a_under = a.denominator_;
  switch (op) {
    case '+':
      return Make(a_over * b.denominator_ + a_under * b.numerator_, a_under * b.denominator_);
    case '-':
      return Make(a_over * b.denominator_ - a_under * b.numerator_, a_under * b.denominator_);
    case '*':
      return Make(a_over * b.numerator_, a_under * b.denominator_);
    case '/':
      return Make(a_over * b.denominator_, a_under * b.numerator_);
    default:
      return std::nullopt;
  }
}

}  // namespace conpole
