#include "domains/school/algebra_problems.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/school/algebra_text.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole::algebra {
namespace {

// Draws the parts of problems. Equations are made around a solution, so that most have a whole one. Every draw is a statement
// of its own, since compilers differ in the order in which they evaluate arguments.
class Maker {
 public:
  Maker(std::int64_t max_number, std::uint64_t seed) : random_(seed), max_(max_number) {}

  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(random_.Uint64(0, count)); }
  bool OneIn(std::uint64_t n) { return random_.Uint64(0, n) == 0; }
  // From low to high, both included.
  std::int64_t Between(std::int64_t low, std::int64_t high) { return random_.Int64(low, high + 1); }

  std::int64_t Positive() { return Between(1, max_); }
  std::int64_t Large() { return Between(2, std::max<std::int64_t>(max_, 3)); }
  std::int64_t NotZero() { return random_.Coin() ? Positive() : -Positive(); }
  std::int64_t Coefficient() {
    const std::int64_t size = Between(2, std::max<std::int64_t>(2, max_ * 3 / 4));
    return OneIn(4) ? -size : size;
  }
  std::int64_t Whole() { return Between(-max_, max_); }
  bool Coin() { return random_.Coin(); }

  // "3x", "-x"
  static std::string Times(std::int64_t coefficient) {
    if (coefficient == 1) return "x";
    if (coefficient == -1) return "-x";
    return fmt::format("{}x", coefficient);
  }
  // " + 3", " - x": what follows in a sum.
  static std::string Then(std::int64_t number) {
    return number < 0 ? fmt::format(" - {}", -number) : fmt::format(" + {}", number);
  }
  static std::string ThenTimes(std::int64_t coefficient) {
    return (coefficient < 0 ? " - " : " + ") + Times(coefficient < 0 ? -coefficient : coefficient);
  }
  // "(x + 3)"; "x" if the number is 0.
  static std::string Bracket(std::int64_t number) { return number == 0 ? "x" : "(x" + Then(number) + ")"; }

  std::string Equation(const std::string& left, const std::string& right) {
    return OneIn(5) ? right + " = " + left : left + " = " + right;
  }

  std::string OneStep() {
    const std::int64_t x = Whole();
    const std::int64_t a = Positive();
    const std::int64_t c = Coefficient();
    const std::int64_t below = Large();
    switch (Below(4)) {
      case 0:
        return Equation(fmt::format("x + {}", a), std::to_string(x + a));
      case 1:
        return Equation(fmt::format("x - {}", a), std::to_string(x - a));
      case 2:
        return Equation(Times(c), std::to_string(OneIn(5) ? a : c * x));
      default:
        return Equation(fmt::format("x/{}", below), std::to_string(x));
    }
  }

  std::string TwoStep() {
    const std::int64_t x = Whole();
    const std::int64_t b = NotZero();
    const std::int64_t c = Coefficient();
    const std::int64_t below = Large();
    const std::int64_t off = OneIn(5) ? Between(-1, 1) : 0;  // then the solution is a fraction
    switch (Below(4)) {
      case 0:
        return Equation(Times(c) + Then(b), std::to_string(c * x + b + off));
      case 1:
        return Equation(std::to_string(b) + ThenTimes(c), std::to_string(c * x + b + off));
      case 2:
        return Equation(fmt::format("x/{}{}", below, Then(b)), std::to_string(x + off));
      default:
        return Equation(std::to_string(c) + Bracket(b), std::to_string(c * (x + b) + off));
    }
  }

  std::string LikeTerms() {
    const std::int64_t x = Whole();
    const std::int64_t a = Coefficient();
    const std::int64_t b = NotZero();
    const std::int64_t c = NotZero();
    const std::int64_t d = NotZero();
    switch (Below(3)) {
      case 0:
        return Equation(Times(a) + Then(b) + ThenTimes(c) + Then(d), std::to_string((a + c) * x + b + d));
      case 1:
        return Equation(Times(a) + Then(b), Times(c) + Then((a - c) * x + b));
      default: {
        const std::int64_t e = NotZero();
        return Equation(Times(a) + Then(b), Times(c) + Then((a - c - e) * x + b) + ThenTimes(e));
      }
    }
  }

  std::string Brackets() {
    const std::int64_t x = Whole();
    const std::int64_t a = Coefficient();
    const std::int64_t b = NotZero();
    const std::int64_t c = Coefficient();
    const std::int64_t d = NotZero();
    switch (Below(4)) {
      case 0: {
        // The last number makes the solution whole.
        const std::int64_t e = a * (x + b) - c * (x + d);
        return Equation(std::to_string(a) + Bracket(b), std::to_string(c) + Bracket(d) + (e == 0 ? "" : Then(e)));
      }
      case 1: {
        const std::int64_t e = NotZero();
        const std::int64_t f = a * (x + b) + e - c * (x + d);
        return Equation(std::to_string(a) + Bracket(b) + Then(e), std::to_string(c) + Bracket(d) + (f == 0 ? "" : Then(f)));
      }
      case 2: {
        const std::int64_t e = Coefficient();
        const std::int64_t f = e * x - (x + b) - a * (x + d);
        return Equation(Times(e) + " - " + Bracket(b), std::to_string(a) + Bracket(d) + (f == 0 ? "" : Then(f)));
      }
      default: {
        const std::int64_t outer = Large();
        const std::int64_t inner = Large();
        return Equation(fmt::format("{}({}{})", outer, Times(inner), Then(b)), Times(c) + Then(d));
      }
    }
  }

  std::string Fraction() {
    const std::int64_t below = Large();
    const std::int64_t above = OneIn(6) ? Positive() : Between(1, below - 1);
    return fmt::format("{}/{}", above, below);
  }
  std::string MixedNumber() {
    const std::int64_t below = Large();
    const std::int64_t whole = Positive();
    const std::int64_t above = Between(1, below - 1);
    return fmt::format("{} {}/{}", whole, above, below);
  }
  std::string Operand() {
    switch (Below(8)) {
      case 0:
        return std::to_string(Positive());
      case 1:
        return MixedNumber();
      default:
        return Fraction();
    }
  }

  std::string Decimal(std::int64_t max_whole) {
    const std::int64_t whole = Between(0, max_whole);
    const std::int64_t tenths = Between(1, 9);
    return fmt::format("{}.{}", whole, tenths);
  }

  std::string NumberFraction() {
    static constexpr std::array<std::string_view, 4> kOperations{" + ", " - ", " * ", " : "};
    if (OneIn(8)) {
      const std::int64_t factor = Large();
      const std::int64_t above = Positive();
      const std::int64_t below = Large();
      return fmt::format("{}/{}", factor * above, factor * below);
    }
    const std::string first = Operand();
    const std::string operation(kOperations.at(Below(4)));
    const std::string second = Operand();
    return first + operation + second;
  }

  std::string FractionChain() {
    const std::size_t length = 3 + Below(2);
    std::string text;
    for (std::size_t i = 0; i < length; ++i) {
      if (i > 0) {
        static constexpr std::array<std::string_view, 5> kOperations{" + ", " - ", " + ", " * ", " : "};
        text += kOperations.at(Below(5));
      }
      if (i + 1 < length && OneIn(4)) {
        const std::string first = Fraction();
        const char* const operation = Coin() ? " + " : " - ";
        const std::string second = Fraction();
        text += '(' + first + operation + second + ')';
        continue;
      }
      text += OneIn(10) ? Decimal(3) : Operand();
    }
    return text;
  }

  std::string Numerators() {
    const std::int64_t a = Positive();
    const std::int64_t b = NotZero();
    const std::int64_t c = Large();
    const std::int64_t d = Positive();
    const std::int64_t e = NotZero();
    const std::int64_t f = Large();
    const std::int64_t g = Coefficient();
    const std::int64_t whole = Whole();
    switch (Below(5)) {
      case 0:
        return Equation(fmt::format("({}{})/{}", Times(a), Then(b), c), fmt::format("({}{})/{}", Times(d), Then(e), f));
      case 1: {
        const std::int64_t x = std::lcm(c, f) * Between(-3, 3);
        return Equation(fmt::format("x/{} + x/{}", c, f), std::to_string(x / c + x / f));
      }
      case 2:
        return Equation(fmt::format("({}{})/{} - x/{}", Times(a), Then(b), c, f), std::to_string(whole));
      case 3:
        return Equation(fmt::format("{}/{}", Times(g), c), Coin() ? std::to_string(whole) : Fraction());
      default:
        return Equation(fmt::format("{}/{}{}", Times(a), c, Then(b)), fmt::format("{}/{}{}", Times(d), f, Then(e)));
    }
  }

  std::string Denominators() {
    const std::int64_t a = NotZero();
    const std::int64_t b = NotZero();
    const std::int64_t c = NotZero();
    std::int64_t d = NotZero();
    if (d == b) d = b + 1 == 0 ? b + 2 : b + 1;
    switch (Below(5)) {
      case 0:
        return Equation(fmt::format("{}/{}", a, Bracket(b)), std::to_string(c));
      case 1:
        return Equation(fmt::format("{}/{}", Bracket(d), Bracket(b)), std::to_string(c == 1 ? 2 : c));
      case 2:
        return Equation(fmt::format("{}/{}", a, Bracket(b)), fmt::format("{}/{}", c == a ? 2 * c : c, Bracket(d)));
      case 3:
        return Equation(fmt::format("{}/x{}", a, Then(b)), std::to_string(c));
      default: {
        const std::int64_t above = Positive();
        const std::int64_t below = Large();
        return Equation(fmt::format("{}/x + {}/({}x)", a, above, below), std::to_string(c));
      }
    }
  }

  std::string LongNumber(std::int64_t digits) {
    std::string number(1, static_cast<char>('1' + Below(9)));
    while (static_cast<std::int64_t>(number.size()) < digits) number += static_cast<char>('0' + Below(10));
    return number;
  }

  std::string Products() {
    const std::int64_t digits = Coin() ? Between(2, 4) : Between(2, 30);
    const std::string first = LongNumber(Between(1, digits));
    const std::string second = LongNumber(digits);
    const std::string third = LongNumber(Between(1, 3));
    const std::string fourth = LongNumber(Between(1, 3));
    const std::int64_t number = NotZero();
    const char* const sign = Coin() ? "+" : "-";
    switch (Below(5)) {
      case 0:
        return fmt::format("{} * {}{}", first, second, Then(number));
      case 1:
        return fmt::format("{} * {} {} {} * {}", first, second, sign, third, fourth);
      case 2:
        return fmt::format("{} * ({} {} {})", third, second.substr(0, 2), sign, fourth);
      default:
        return fmt::format("{} * {}", first, second);
    }
  }

  std::string Quadratics() {
    const std::int64_t a = Whole();
    const std::int64_t b = Whole();
    const std::int64_t c = Positive();
    const auto linear = [](std::int64_t coefficient) { return coefficient == 0 ? std::string() : ThenTimes(coefficient); };
    const auto number = [](std::int64_t value) { return value == 0 ? std::string() : Then(value); };
    switch (Below(5)) {
      case 0: {
        const std::int64_t off = OneIn(4) ? 1 : 0;  // then the roots are irrational, or there are none
        return "x^2" + linear(-a - b) + number(a * b - off) + " = 0";
      }
      case 1:
        return Equation("x^2" + linear(-a - b), std::to_string(-a * b));
      case 2:
        return fmt::format("x^2 = {}", c * c);
      case 3:
        return fmt::format("{}^2 = {}", Bracket(a), OneIn(4) ? c : c * c);
      default:
        return Bracket(a) + (Bracket(b) == "x" ? "(x)" : Bracket(b)) + " = 0";
    }
  }

  std::string Decimals() {
    const std::string first = Decimal(max_);
    const std::string second = Decimal(max_);
    const std::string third = Decimal(max_);
    switch (Below(3)) {
      case 0:
        return Equation(fmt::format("{}x + {}", first, second), third);
      case 1:
        return Equation("x - " + first, second);
      default:
        return fmt::format("{} * {} + {}", first, second, third);
    }
  }

 private:
  Random random_;
  std::int64_t max_;
};

struct Entry {
  Family family;
  std::string (Maker::*make)();
};

constexpr std::array kEntries{
    Entry{{"one-step", "x + 3 = 11"}, &Maker::OneStep},
    Entry{{"two-step", "2x + 3 = 11"}, &Maker::TwoStep},
    Entry{{"like-terms", "4x + 2 - x + 5 = 16"}, &Maker::LikeTerms},
    Entry{{"brackets", "3(x - 2) + 4 = 2(x + 5)"}, &Maker::Brackets},
    Entry{{"number-fractions", "1/2 + 1/3"}, &Maker::NumberFraction},
    Entry{{"numerators", "(3x + 8)/5 = (x - 2)/4"}, &Maker::Numerators},
    Entry{{"denominators", "2/(x + 1) = 3"}, &Maker::Denominators},
    Entry{{"fraction-chains", "1/2 + 2/3 * (1 - 1/4)"}, &Maker::FractionChain},
    Entry{{"products", "123456789 * 987654321"}, &Maker::Products},
    Entry{{"quadratics", "x^2 - 5x + 6 = 0"}, &Maker::Quadratics},
    Entry{{"decimals", "0.5x + 1.2 = 3"}, &Maker::Decimals},
};

}  // namespace

const std::vector<Family>& Families() {
  static const std::vector<Family> families = [] {
    std::vector<Family> all;
    for (const Entry& entry : kEntries) all.push_back(entry.family);
    return all;
  }();
  return families;
}

std::size_t FindFamily(std::string_view name) {
  if (name == kMixture) return kEntries.size();
  std::vector<std::string> names{std::string(kMixture)};
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    if (kEntries[i].family.name == name) return i;
    names.emplace_back(kEntries[i].family.name);
  }
  throw Error(fmt::format("there is no family '{}'; there are: {}", name, Join(names)));
}

std::string MakeProblem(std::size_t family, std::int64_t max_number, std::uint64_t seed) {
  Maker maker(max_number, seed);
  if (family == kEntries.size()) family = maker.Below(kEntries.size());
  // What is drawn is no problem if it divides by zero, or if it is solved already; then the next is drawn.
  for (;;) {
    ReadResult result = Read((maker.*kEntries.at(family).make)());
    if (!result.error && !IsSolved(result.state)) return TextOf(result.state);
  }
}

}  // namespace conpole::algebra
