#include "domains/files/expression.h"

#include <cmath>
#include <numeric>

#include "util/int128.h"

namespace conpole::files {
namespace {

std::optional<Rational> PowerOf(const Rational& base, const Rational& exponent) {
  if (!exponent.IsInteger()) return std::nullopt;
  std::int64_t left = exponent.numerator();
  if (left > 1'000 || left < -1'000 || (base.Is(0) && left <= 0)) return std::nullopt;
  Rational factor = base;
  if (left < 0) {
    const std::optional<Rational> inverse = Rational::Apply('/', Rational(1), base);
    if (!inverse) return std::nullopt;
    factor = *inverse;
    left = -left;
  }
  Rational result(1);
  for (; left > 0; --left) {
    const std::optional<Rational> next = Rational::Apply('*', result, factor);
    if (!next) return std::nullopt;
    if (*next == result) return result;  // 0, 1
    result = *next;
    if (factor.Is(-1)) return left % 2 == 0 ? Rational(1) : Rational(-1);
  }
  return result;
}

std::optional<Rational> RootOf(const Rational& number) {
  const auto root = [](std::int64_t n) -> std::optional<std::int64_t> {
    if (n < 0) return std::nullopt;
    auto guess = static_cast<std::int64_t>(std::sqrt(static_cast<long double>(n)));
    while (guess > 0 && Int128{guess} * guess > n) --guess;
    while (Int128{guess + 1} * (guess + 1) <= n) ++guess;
    return Int128{guess} * guess == n ? std::optional(guess) : std::nullopt;
  };
  const std::optional<std::int64_t> above = root(number.numerator());
  const std::optional<std::int64_t> below = root(number.denominator());
  return above && below ? Rational::Make(*above, *below) : std::nullopt;
}

}  // namespace

int CompareNumbers(const Rational& a, const Rational& b) {
  const Int128 left = Int128{a.numerator()} * b.denominator();
  const Int128 right = Int128{b.numerator()} * a.denominator();
  return left < right ? -1 : left > right ? 1 : 0;
}

bool HoldsFor(std::string_view comparison, const Rational& a, const Rational& b) {
  const int order = CompareNumbers(a, b);
  if (comparison == "=") return order == 0;
  if (comparison == "!=") return order != 0;
  if (comparison == "<") return order < 0;
  if (comparison == "<=") return order <= 0;
  if (comparison == ">") return order > 0;
  return order >= 0;
}

std::int64_t FloorOf(const Rational& number) {
  const std::int64_t quotient = number.numerator() / number.denominator();
  return number.numerator() % number.denominator() < 0 ? quotient - 1 : quotient;
}

std::optional<Rational> ApplyFunction(Function function, const Rational& a, const Rational& b) {
  switch (function) {
    case Function::kAdd:
      return Rational::Apply('+', a, b);
    case Function::kSubtract:
      return Rational::Apply('-', a, b);
    case Function::kMultiply:
      return Rational::Apply('*', a, b);
    case Function::kDivide:
      return Rational::Apply('/', a, b);
    case Function::kPower:
      return PowerOf(a, b);
    case Function::kNegate:
      return -a;
    case Function::kModulo:
    case Function::kQuotient: {
      const std::optional<Rational> quotient = Rational::Apply('/', a, b);
      if (!quotient || !a.IsInteger() || !b.IsInteger()) return std::nullopt;
      const Rational whole(FloorOf(*quotient));
      if (function == Function::kQuotient) return whole;
      const std::optional<Rational> taken = Rational::Apply('*', whole, b);
      return taken ? Rational::Apply('-', a, *taken) : std::nullopt;
    }
    case Function::kGcd:
    case Function::kLcm: {
      if (!a.IsInteger() || !b.IsInteger()) return std::nullopt;
      const std::int64_t divisor = std::gcd(a.numerator(), b.numerator());
      if (function == Function::kGcd) return Rational(divisor);
      if (divisor == 0) return Rational(0);
      const std::optional<Rational> product = Rational::Apply('*', Rational(a.numerator() / divisor), b);
      return product && product->numerator() < 0 ? -*product : product;
    }
    case Function::kAbs:
      return a.numerator() < 0 ? -a : a;
    case Function::kMin:
      return CompareNumbers(a, b) < 0 ? a : b;
    case Function::kMax:
      return CompareNumbers(a, b) < 0 ? b : a;
    case Function::kFloor:
      return Rational(FloorOf(a));
    case Function::kSqrt:
      return RootOf(a);
    case Function::kDigits: {
      if (!a.IsInteger()) return std::nullopt;
      std::int64_t digits = 1;
      for (std::int64_t left = a.numerator() / 10; left != 0; left /= 10) ++digits;
      return Rational(digits);
    }
    case Function::kOnes:
    case Function::kTens: {
      if (!a.IsInteger()) return std::nullopt;
      const std::int64_t ones = a.numerator() % 10;
      return Rational(function == Function::kOnes ? ones : a.numerator() - ones);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace conpole::files
