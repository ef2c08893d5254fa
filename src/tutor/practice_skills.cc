#include "tutor/practice_skills.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/school/algebra_expression.h"
#include "domains/school/algebra_text.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/text.h"
#include "verify/algebra_meaning.h"
#include "verify/cube.h"
#include "verify/exact.h"

namespace conpole {
namespace {

using Number = std::int64_t;

// A fraction in lowest terms.
struct Fraction {
  Number above = 1;
  Number below = 2;

  std::string Text() const { return below == 1 ? std::to_string(above) : fmt::format("{}/{}", above, below); }
};

// Draws the parts of exercises. Every draw is a statement of its own, since compilers differ in the order in which they
// evaluate arguments. Equations are made around their solution.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  // From low to high, both included.
  Number Between(Number low, Number high) { return random_.Int64(low, high + 1); }
  bool Coin() { return random_.Coin(); }
  bool OneIn(Number n) { return Between(1, n) == 1; }
  // Of either sign, and not zero.
  Number Signed(Number low, Number high) {
    const Number size = Between(low, high);
    return Coin() ? size : -size;
  }
  Number Other(Number low, Number high, Number than) {
    const Number drawn = Between(low, high - 1);
    return drawn < than ? drawn : drawn + 1;
  }

  static std::string Times(Number coefficient) {
    if (coefficient == 1) return "x";
    if (coefficient == -1) return "-x";
    return fmt::format("{}x", coefficient);
  }
  // " + 3", " - x": what follows in a sum; nothing for zero.
  static std::string Then(Number number) {
    if (number == 0) return {};
    return number < 0 ? fmt::format(" - {}", -number) : fmt::format(" + {}", number);
  }
  static std::string ThenTimes(Number coefficient) {
    if (coefficient == 0) return {};
    return (coefficient < 0 ? " - " : " + ") + Times(std::abs(coefficient));
  }
  static std::string Sum(Number coefficient, Number number) { return Times(coefficient) + Then(number); }
  static std::string Bracket(Number coefficient, Number number) { return '(' + Sum(coefficient, number) + ')'; }
  static std::string Equation(const std::string& left, Number right) { return fmt::format("{} = {}", left, right); }
  static std::string Swapped(const std::string& equation) {
    const std::size_t sign = equation.find(" = ");
    return equation.substr(sign + 3) + " = " + equation.substr(0, sign);
  }
  std::string OneOf(const std::array<std::string, 3>& texts) { return texts.at(static_cast<std::size_t>(Between(0, 2))); }
  std::string SwappedOneIn(Number n, std::string equation) { return OneIn(n) ? Swapped(equation) : equation; }

  // A number that coefficient * x is not, so that x is a fraction with a small denominator.
  Number NoMultiple(Number coefficient, Number low, Number high) {
    const Number part = Between(1, std::abs(coefficient) - 1);
    return std::abs(coefficient) * Between(low, high) + part;
  }

  std::string OneStep(std::size_t level) {
    if (level == 1) {
      const Number x = Between(1, 9);
      const Number a = Between(1, 9);
      return OneOf({Equation(Sum(1, a), x + a), Equation(fmt::format("{} + x", a), x + a), Equation(Sum(1, -a), x)});
    }
    if (level == 2) {
      const Number a = Between(2, 9);
      const Number x = Between(4, 12);
      return Coin() ? Equation(Times(a), a * x) : Equation(fmt::format("x/{}", a), x);
    }
    if (level == 3) {
      const Number x = -Between(3, 30);
      const Number a = Between(10, 30);
      const Number c = Between(4, 12);
      return SwappedOneIn(4, OneOf({Equation(Sum(1, a), x + a), Equation(Sum(1, -a), x - a), Equation(Times(c), c * x)}));
    }
    const Number c = Between(3, 12);
    const Number sign = Coin() ? 1 : -1;
    return SwappedOneIn(2, Equation(Times(-c * sign), sign * NoMultiple(c, 8, 25)));
  }

  std::string TwoSteps(std::size_t level) {
    if (level == 1) {
      const Number a = Between(2, 6);
      const Number x = Between(1, 9);
      const Number b = Between(1, 9);
      return Equation(Sum(a, b), a * x + b);
    }
    if (level == 2) {
      const Number a = Between(2, 9);
      const Number x = Between(2, 12);
      const Number b = Between(5, 20);
      return OneOf({Equation(Sum(a, -b), a * x - b), Equation(std::to_string(b) + ThenTimes(a), a * x + b),
                    Equation(fmt::format("x/{}{}", a, Then(b)), x + b)});
    }
    if (level == 3) {
      const Number a = Between(3, 12);
      const Number x = Signed(2, 12);
      const Number b = Between(10, 40);
      return SwappedOneIn(3, Coin() ? Equation(std::to_string(b) + ThenTimes(-a), b - a * x) : Equation(Sum(-a, b), b - a * x));
    }
    const Number a = Between(3, 12);
    const Number b = Between(10, 60);
    const Number product = NoMultiple(a, 4, 12);
    return SwappedOneIn(2,
                        Coin() ? Equation(Sum(a, -b), product - b) : Equation(std::to_string(b) + ThenTimes(-a), b + product));
  }

  std::string LikeTerms(std::size_t level) {
    if (level == 1) {
      const Number a = Between(2, 6);
      const Number b = Between(1, 5);
      const Number x = Between(1, 9);
      return Equation(Times(a) + ThenTimes(b), (a + b) * x);
    }
    if (level == 2) {
      const Number a = Between(4, 9);
      const Number b = Coin() ? Between(1, 5) : -Between(1, 2);
      const Number c = Between(2, 20);
      const Number x = Between(2, 9);
      return Equation(Sum(a, c) + ThenTimes(b), (a + b) * x + c);
    }
    const Number a = Between(4, 12);
    const Number c = Between(3, 20);
    const Number d = Coin() ? Between(1, 20) : -Between(1, c - 1);
    if (level == 3) {
      const Number b = Coin() ? Between(1, 9) : -Between(1, a - 2);
      const Number x = Signed(2, 12);
      return Equation(Sum(a, c) + ThenTimes(b) + Then(d), (a + b) * x + c + d);
    }
    const Number b = -Between(2, a - 2);
    const Number e = Between(1, 9);
    const Number sum = a + b + e;
    const Number x = Signed(2, 12);
    const Number off = Coin() ? Between(1, sum - 1) : 0;  // then the solution is a fraction
    return SwappedOneIn(2, Equation(Sum(a, c) + ThenTimes(b) + Then(d) + ThenTimes(e), sum * x + c + d + off));
  }

  std::string BothSides(std::size_t level) {
    if (level == 1) {
      const Number b = Between(1, 6);
      const Number a = b + Between(2, 5);
      const Number x = Between(1, 9);
      return fmt::format("{} = {}", Times(a), Sum(b, (a - b) * x));
    }
    if (level == 2) {
      const Number b = Between(1, 7);
      const Number a = b + Between(2, 6);
      const Number x = Between(2, 9);
      const Number c = Between(1, (a - b) * x - 1);
      return fmt::format("{} = {}", Sum(a, c), Sum(b, (a - b) * x + c));
    }
    if (level == 3) {
      const Number a = Between(2, 9);
      const Number b = a + Between(2, 6);
      const Number x = Signed(2, 12);
      const Number c = Other(-20, 20, 0);
      const Number d = (a - b) * x + c == 0 ? c + 1 : c;
      if (Coin()) return fmt::format("{} = {}", Sum(a, d), Sum(b, (a - b) * x + d));
      return fmt::format("{}{} = {}", std::abs(d), ThenTimes(-a), Sum(b, std::abs(d) - (a + b) * x));
    }
    const Number a = Between(5, 12);
    const Number b = Between(2, a - 3);
    const Number c = Other(-30, 30, 0);
    const Number d = Between(13, 20);
    const Number factor = a - b - d;
    const Number x = Signed(2, 12);
    const Number off = Coin() ? Between(1, -factor - 1) : 0;
    const Number e = factor * x + c + off;
    return fmt::format("{} = {}", Sum(a, c) + ThenTimes(-b), Sum(d, e == 0 ? -factor : e));
  }

  std::string Brackets(std::size_t level) {
    if (level == 1) {
      const Number a = Between(2, 6);
      const Number b = Between(1, 6);
      const Number x = Between(1, 9);
      return Equation(std::to_string(a) + Bracket(1, b), a * (x + b));
    }
    if (level == 2) {
      const Number a = Between(2, 6);
      const Number b = Between(1, 9);
      const Number c = Between(2, 9);
      const Number x = Between(2, 9);
      return Equation(std::to_string(a) + Bracket(1, b) + Then(c), a * (x + b) + c);
    }
    if (level == 3) {
      const Number a = Between(4, 12);
      const Number b = Signed(5, 15);
      const Number c = Between(2, a - 2);
      const Number x = Signed(2, 12);
      const Number d = a * (x + b) - c * x;
      return fmt::format("{}{} = {}", a, Bracket(1, b), Sum(c, d == 0 ? a - c : d));
    }
    if (level == 4) {
      const Number a = Between(5, 12);
      const Number c = Between(2, a - 2);
      const Number b = Between(2, 9);
      const Number d = Other(-15, 15, 0);
      const Number e = Between(10, 40);
      // A solution that is 0 would take a line less.
      const Number f = a * b + e == c * d ? e + 1 : e;
      return fmt::format("{}{}{} = {}{}", a, Bracket(1, b), Then(f), c, Bracket(1, d));
    }
    const Number a = Between(2, 5);
    const Number b = Between(1, 9);
    const Number c = Between(2, 6);
    const Number d = -Between(1, 9);
    const Number e = Between(3, 9);
    const Number g = Between(1, 9);
    const Number h = Between(2, 5);
    const Number rest = Between(10, 40);
    // Nothing cancels by chance, which would take a line less.
    const Number f = h * g + (e * b - c * d == rest ? rest + 1 : rest);
    return fmt::format("{}{} - {}{} = {} - {}{}", e, Bracket(a, b), c, Bracket(1, d), f, h, Bracket(2, g));
  }

  static Fraction Lowest(Number above, Number below) {
    const Number common = std::gcd(above, below);
    return {above / common, below / common};
  }
  Fraction Proper(Number max_below) {
    const Number below = Between(3, max_below);
    const Number above = Between(1, below - 1);
    return Lowest(above, below);
  }

  // Whose numerator is not 1.
  Fraction Several(Number max_below) {
    Fraction made;
    do {
      made = Proper(max_below);
    } while (made.above == 1);
    return made;
  }

  std::string Fractions(std::size_t level) {
    if (level == 1) {
      const Number below = Between(3, 9);
      const Number above = Between(1, below - 1);
      const Number sum = Other(1, below - 1 + (above == 1 ? 1 : 0), above);
      return fmt::format("x {} {} = {}", sum > above ? '+' : '-', Lowest(above, below).Text(), Lowest(sum, below).Text());
    }
    const Fraction factor = Several(level == 2 ? 9 : 12);
    if (level == 2) {
      const Number multiple = Between(5, 12);
      return Equation(factor.Text() + "x", factor.above * multiple);
    }
    if (level == 3) {
      const Number multiple = Signed(1, 9);
      const Number b = Other(-20, 20, 0);
      return Equation(factor.Text() + 'x' + Then(b), factor.above * multiple + b);
    }
    const Fraction second = Proper(12);
    const Fraction third = Proper(12);
    return fmt::format("{}x {} {} = {}", factor.Text(), Coin() ? '+' : '-', second.Text(), third.Text());
  }

  std::string Numerators(std::size_t level) {
    if (level == 1) {
      const Number b = Between(2, 9);
      const Number c = Between(1, 9);
      const Number a = Other(-9, 9, 0);
      return Equation(fmt::format("({})/{}", Sum(1, a), b), c);
    }
    const Number b = Between(2, 6);
    const Number d = Other(2, 7, b);
    const Number common = std::lcm(b, d);
    if (level == 2) {
      const Number x = common * Between(1, 3);
      return Coin() ? Equation(fmt::format("x/{} + x/{}", b, d), x / b + x / d)
                    : Equation(fmt::format("x/{} - x/{}", std::min(b, d), std::max(b, d)),
                               x / std::min(b, d) - x / std::max(b, d));
    }
    if (level == 3) {
      const Number x = Signed(1, 12);
      const Number both = Signed(1, 9);
      return fmt::format("({})/{} = ({})/{}", Sum(1, b * both - x), b, Sum(1, d * both - x), d);
    }
    const Number a = Between(2, 9);
    const Number e = Other(-12, 12, 0);
    const Number c = Between(2, 9);
    const Number f = Other(-12, 12, 0);
    const Number g = Between(1, 9);
    return fmt::format("({})/{} - ({})/{} = {}", Sum(a, e), b, Sum(c, f), d, Signed(g, g));
  }

  std::string Denominators(std::size_t level) {
    if (level == 1) {
      const Number b = Between(2, 9);
      const Number x = Between(2, 9);
      return Equation(fmt::format("{}/x", b * x), b);
    }
    if (level == 2) {
      const Number b = Signed(2, 9);
      const Number x = Signed(2, 9);
      const Number c = Between(2, 12);
      return Equation(fmt::format("{}/x{}", b * x, Then(c)), b + c);
    }
    const Number b = Other(-12, 12, 0);
    if (level == 3) {
      // Whole factors of the brackets, so that both fractions have the same value at x.
      const Number x = Signed(1, 9);
      const Number d = Other(-12, 12, b);
      const Number factor = Between(1, 3);
      return fmt::format("{}/{} = {}/{}", factor * (x + b), Bracket(1, b), factor * (x + d), Bracket(1, d == 0 ? 13 : d));
    }
    const Number a = Between(10, 60);
    const Number c = Between(2, 12);
    const Number d = Between(10, 30);
    return Equation(fmt::format("{}/{}{}", a, Bracket(1, b), Then(c)), d);
  }

  std::string DecimalText(Number tenths) {
    const Number size = std::abs(tenths);
    const std::string text = size % 10 == 0 ? std::to_string(size / 10) : fmt::format("{}.{}", size / 10, size % 10);
    return tenths < 0 ? '-' + text : text;
  }
  // With tenths, and not whole.
  Number Tenths(Number low, Number high) {
    const Number whole = Between(low, high);
    return 10 * whole + Between(1, 9);
  }

  std::string Decimals(std::size_t level) {
    const Number a = Tenths(level == 1 ? 0 : 1, level == 1 ? 4 : 9);
    const Number b = Tenths(level == 1 ? 0 : 1, level == 1 ? 4 : 9);
    if (level == 1) {
      const bool plus = Coin() || a == b;
      return fmt::format("{} {} {}", DecimalText(std::max(a, b)), plus ? '+' : '-', DecimalText(std::min(a, b)));
    }
    if (level == 2) {
      const Number large = Tenths(11, 29);
      const Number factor = Between(11, 29);
      return fmt::format("{} * {}", DecimalText(large), factor);
    }
    const Number c = Tenths(10, 40);
    if (level == 3) return fmt::format("{} * {} + {}", DecimalText(a), DecimalText(b), DecimalText(c));
    const Number d = Tenths(1, 9);
    return fmt::format("({} - {}) * {} + {}", DecimalText(c), DecimalText(a), DecimalText(b), DecimalText(d));
  }

  std::string DecimalEquations(std::size_t level) {
    if (level == 1) {
      const Number x = Tenths(1, 9);
      const Number a = Tenths(1, 9);
      return fmt::format("x + {} = {}", DecimalText(a), DecimalText(x + a));
    }
    const Number a = Tenths(0, 4);
    const Number x = Between(2, 12);
    const Number b = Tenths(1, 9);
    if (level == 2) return fmt::format("{}x + {} = {}", DecimalText(a), DecimalText(b), DecimalText(a * x + b));
    const Number c = Tenths(5, 9);
    const Number y = Signed(2, 12);
    if (level == 3) {
      const Number d = (c - a) * y + b;
      return fmt::format("{}x + {} = {}x {} {}", DecimalText(c), DecimalText(b), DecimalText(a), d < 0 ? '-' : '+',
                         DecimalText(d == 0 ? c : std::abs(d)));
    }
    // Hundredths would be too fine, so the number in the bracket is whole.
    const Number d = Between(2, 9);
    const Number e = c * (y + d) + b - a * y;
    return fmt::format("{}(x + {}) + {} = {}x {} {}", DecimalText(c), d, DecimalText(b), DecimalText(a), e < 0 ? '-' : '+',
                       DecimalText(e == 0 ? c : std::abs(e)));
  }

  std::string Quadratics(std::size_t level) {
    const Number p = Signed(1, 9);
    const Number q = p == 9 ? -Between(1, 9) : Other(-9, 9, p);
    const Number r = q == 0 ? 10 : q;
    if (level == 1) return fmt::format("{}{} = 0", Bracket(1, -p), Bracket(1, -r));
    if (level == 2) {
      const Number x = Between(10, 30);
      return Coin() ? Equation("x^2", x * x) : Equation("x^2" + ThenTimes(Coin() ? x : -x), 0);
    }
    if (level == 3) return fmt::format("x^2{}{} = 0", ThenTimes(-p - r), Then(p * r));
    if (level == 4) {
      const Number move = Between(11, 99);
      return fmt::format("x^2{}{} = {}", ThenTimes(-p - r), Then(p * r + move), move);
    }
    // a(x - p)(x - r) with terms on both sides.
    const Number a = Between(2, 4);
    const Number linear = Between(11, 29);
    const Number move = Between(11, 99);
    return fmt::format("{}x^2{}{} = {}", a, ThenTimes(-a * (p + r) + linear), Then(a * p * r + move), Sum(linear, move));
  }

  std::string OrderOfOperations(std::size_t level) {
    const Number a = Between(2, 9);
    const Number b = Between(2, 9);
    const Number c = Between(2, 9);
    if (level == 1) {
      const Number large = Between(20, 60);
      return OneOf({fmt::format("{} + {} * {}", a, b, c), fmt::format("{} * {} + {}", b, c, a),
                    fmt::format("{} - {} * {}", large + b * c - large % 10, b, c)});
    }
    const Number d = Between(11, 19);
    const Number e = Between(2, 9);
    if (level == 2) {
      if (Coin()) return fmt::format("{} * {} + {} * {}", d, a, b, c);
      return fmt::format("({} + {}) * {}", d, b, c);
    }
    if (level == 3) return fmt::format("({} - {}) * {} + {} * {}", d, b, c, a, e);
    const Number f = Between(20, 60);
    return fmt::format("({} + {} * {}) * {} - ({} - {})", f, a, b, c, f + d, e);
  }

  std::string ReduceFractions(std::size_t level) {
    const Fraction reduced = level < 3 ? Proper(level == 1 ? 7 : 12) : Proper(19);
    const Number factor = level == 1 ? Between(2, 5) : level == 2 ? Between(5, 9) : Between(11, 25);
    return fmt::format("{}/{}", reduced.above * factor, reduced.below * factor);
  }

  std::string AddFractions(std::size_t level) {
    if (level == 1) {
      // What they give is in lowest terms, and positive.
      static constexpr std::array<Number, 4> kBelow{5, 7, 8, 9};
      for (;;) {
        const Number below = kBelow.at(static_cast<std::size_t>(Between(0, 3)));
        const Number a = Between(1, below - 1);
        const Number b = Between(1, below - 1);
        const Number result = Coin() ? a + b : a - b;
        const bool lowest = std::gcd(a, below) == 1 && std::gcd(b, below) == 1 && std::gcd(result, below) == 1;
        if (!lowest || result < 1 || result > below) continue;
        return fmt::format("{}/{} {} {}/{}", a, below, result > a ? '+' : '-', b, below);
      }
    }
    for (;;) {
      const Fraction first = Proper(level == 2 ? 12 : 15);
      const Fraction second = Proper(level == 2 ? 12 : 15);
      const Number common = std::lcm(first.below, second.below);
      const Number above = first.above * (common / first.below) + second.above * (common / second.below);
      const bool related = common == std::max(first.below, second.below);
      if (level == 2 && related && first.below != second.below && std::gcd(above, common) == 1) {
        return fmt::format("{} + {}", first.Text(), second.Text());
      }
      if (level == 3 && !related && first.below > 5 && second.below > 5) {
        const bool larger = first.above * second.below > second.above * first.below;
        return fmt::format("{} {} {}", first.Text(), larger && Coin() ? '-' : '+', second.Text());
      }
      if (level < 4 || common > 40) continue;
      // The third makes the sum one that can be reduced.
      const Fraction sum = Proper(5);
      const Number all = std::lcm(common, sum.below);
      const Number rest = (2 * sum.above) * (all / sum.below) - above * (all / common);
      if (rest == 0 || all > 60) continue;
      return fmt::format("{} + {} {} {}", first.Text(), second.Text(), rest < 0 ? '-' : '+',
                         Lowest(std::abs(rest), all).Text());
    }
  }

  std::string MultiplyFractions(std::size_t level) {
    for (;;) {
      const Fraction first = Proper(level == 1 ? 7 : 12);
      const Fraction second = Proper(level == 1 ? 7 : 12);
      const bool reducible = std::gcd(first.above * second.above, first.below * second.below) > 1;
      if (reducible == (level == 1)) continue;
      if (level < 3) return fmt::format("{} * {}", first.Text(), second.Text());
      if (second.above == 1) continue;
      const Fraction divisor{second.below, second.above};
      if (level == 3) return fmt::format("{} : {}", first.Text(), divisor.Text());
      const Fraction third = Several(12);
      return fmt::format("{} * {} : {}", third.Text(), first.Text(), divisor.Text());
    }
  }

  std::string Mixed(Number max_whole, Number max_below) {
    const Number whole = Between(1, max_whole);
    return fmt::format("{} {}", whole, Proper(max_below).Text());
  }

  std::string MixedNumbers(std::size_t level) {
    if (level == 1) {
      const std::string first = Mixed(5, 7);
      return Coin() ? fmt::format("{} + {}", first, Between(1, 9)) : fmt::format("{} * {}", first, Between(2, 9));
    }
    const std::string first = Mixed(9, level == 2 ? 9 : 12);
    const std::string second = Mixed(9, level == 2 ? 9 : 12);
    if (level == 2) return fmt::format("{} + {}", first, second);
    const std::string third = Mixed(9, 12);
    return fmt::format("{} + {} : {}", third, first, second);
  }

  std::string FractionChains(std::size_t level) {
    const Number max_below = level < 3 ? 9 : 12;
    const std::string a = Proper(max_below).Text();
    const std::string b = Proper(max_below).Text();
    const std::string c = Proper(max_below).Text();
    if (level == 1) return fmt::format("{} + {} * {}", a, b, c);
    const std::string d = Proper(max_below).Text();
    if (level == 2) return fmt::format("({} + {}) * {} + {}", a, b, c, d);
    const std::string e = Proper(max_below).Text();
    if (level == 3) return fmt::format("({} + {}) : {} - {} * {}", a, b, c, d, e);
    const Number f = Between(2, 9);
    const std::string g = Proper(max_below).Text();
    return fmt::format("({} - {}) : ({} + {}) + {} * ({} + {})", f, b, c, d, a, e, g);
  }

  std::string WholeNumber(Number digits) {
    std::string number(1, static_cast<char>('1' + Between(1, 8)));
    while (static_cast<Number>(number.size()) < digits) number += static_cast<char>('0' + Between(1, 9));
    return number;
  }

  std::string LongMultiplication(std::size_t level) {
    static constexpr std::array<std::pair<Number, Number>, 5> kDigits{{{2, 1}, {2, 2}, {3, 2}, {4, 3}, {6, 4}}};
    const auto [first, second] = kDigits.at(level - 1);
    const std::string a = WholeNumber(first);
    return a + " * " + WholeNumber(second);
  }

  // Bars of different lengths; how many pairs stand in the wrong order depends on the level.
  std::string Sorting(std::size_t level) {
    static constexpr std::array<std::size_t, 5> kBars{4, 5, 6, 7, 8};
    static constexpr std::array<Number, 6> kPairs{1, 3, 5, 8, 11, 15};
    // Few bars have any lengths, so that there are enough exercises.
    std::vector<std::size_t> bars(level < 3 ? 10 : kBars.at(level - 1));
    std::iota(bars.begin(), bars.end(), std::size_t{1});
    random_.Shuffle(std::span(bars));
    bars.resize(kBars.at(level - 1));
    std::sort(bars.begin(), bars.end());
    // Every swap of neighbours in order makes one such pair more.
    for (Number left = Between(kPairs.at(level - 1), kPairs.at(level) - 1); left > 0;) {
      const auto at = static_cast<std::size_t>(Between(0, std::ssize(bars) - 2));
      if (bars[at] > bars[at + 1]) continue;
      std::swap(bars[at], bars[at + 1]);
      --left;
    }
    std::string state = "[";
    for (const std::size_t bar : bars) {
      if (state.size() > 1) state += '|';
      state.append(bar, '=');
    }
    return state + ']';
  }

  std::string TernaryAddition(std::size_t level) {
    static constexpr std::array<Number, 4> kDigits{2, 3, 4, 6};
    std::string state = "#(";
    for (Number left = kDigits.at(level - 1); left > 0; --left) {
      if (state.size() > 2) state += ' ';
      state += static_cast<char>('a' + Between(level == 1 ? 1 : 0, 2));
      state += static_cast<char>('0' + Between(0, 3));
    }
    return state + ')';
  }

  // Turned as often as the level says. No turn undoes the one before it, also if a turn of the opposite face stands between.
  std::string Cube(std::size_t level) {
    std::string cells;
    for (std::size_t face = 0; face < kCubeFaces.size(); ++face) cells.append(9, static_cast<char>('0' + face));
    constexpr std::size_t kNone = 99;
    std::size_t last_axis = kNone;
    for (std::size_t turns = 0; turns < level;) {
      // Opposite faces stand beside each other in kCubeFaces.
      const auto face = static_cast<std::size_t>(Between(0, 5));
      const int quarters = Coin() ? 1 : 3;
      if (face / 2 == last_axis) continue;
      last_axis = face / 2;
      cells = TurnCube(cells, face, quarters);
      ++turns;
    }
    return CubeState(cells);
  }

 private:
  Random random_;
};

struct Entry {
  Skill skill;
  std::string (Maker::*make)(std::size_t level);
};

constexpr std::string_view kAlgebra = "algebra";

const std::vector<Entry>& Entries() {
  // Of each level: lines, digits and the denominator of the answer at the most.
  static const std::vector<Entry> entries{
      {{"one-step", kAlgebra, {{1, 4}, {1, 4}, {2, 6}, {2, 6, 12}}}, &Maker::OneStep},
      {{"two-steps", kAlgebra, {{2, 4}, {2, 6}, {3, 7}, {3, 7, 12}}}, &Maker::TwoSteps},
      {{"like-terms", kAlgebra, {{2, 5}, {3, 7}, {3, 10}, {4, 12, 9}}}, &Maker::LikeTerms},
      {{"both-sides", kAlgebra, {{2, 4}, {3, 6}, {4, 8}, {5, 10, 12}}}, &Maker::BothSides},
      {{"brackets", kAlgebra, {{3, 4}, {4, 7}, {5, 9}, {6, 11}, {6, 14, 12}}}, &Maker::Brackets},
      {{"fractions", kAlgebra, {{2, 4, 9}, {3, 5}, {4, 8}, {4, 12, 12}}}, &Maker::Fractions},
      {{"numerators", kAlgebra, {{2, 4}, {4, 5}, {6, 8}, {7, 10, 9}}}, &Maker::Numerators},
      {{"denominators", kAlgebra, {{4, 4}, {6, 8}, {8, 9}, {8, 12, 9}}}, &Maker::Denominators},
      {{"quadratics", kAlgebra, {{2, 5}, {3, 5}, {3, 6}, {4, 9}, {6, 14}}}, &Maker::Quadratics},
      {{"decimal-equations", kAlgebra, {{1, 8, 10}, {2, 8}, {3, 11}, {6, 12}}}, &Maker::DecimalEquations},
      {{"order-of-operations", kAlgebra, {{2, 5}, {3, 6}, {4, 7}, {5, 10}}}, &Maker::OrderOfOperations},
      {{"reduce-fractions", kAlgebra, {{1, 4, 7}, {1, 6, 12}, {1, 6, 19}}}, &Maker::ReduceFractions},
      {{"add-fractions", kAlgebra, {{2, 4, 13}, {3, 6, 12}, {3, 8, 210}, {4, 12, 5}}}, &Maker::AddFractions},
      {{"multiply-fractions", kAlgebra, {{2, 4, 49}, {3, 8, 100}, {4, 8, 100}, {5, 12, 150}}}, &Maker::MultiplyFractions},
      {{"mixed-numbers", kAlgebra, {{3, 5, 7}, {4, 8, 72}, {7, 14, 300}}}, &Maker::MixedNumbers},
      {{"fraction-chains", kAlgebra, {{5, 6, 100}, {8, 8, 150}, {11, 16, 300}, {13, 22, 600}}}, &Maker::FractionChains},
      {{"decimals", kAlgebra, {{1, 4, 10}, {1, 5, 10}, {2, 7, 100}, {3, 9, 100}}}, &Maker::Decimals},
      {{"long-multiplication", kAlgebra, {{1, 3}, {1, 4}, {1, 5}, {1, 7}, {1, 10}}}, &Maker::LongMultiplication},
      {{"sorting", "sorting", {{2, 0}, {4, 0}, {8, 0}, {12, 0}, {18, 0}}}, &Maker::Sorting},
      {{"ternary-addition", "ternary-addition", {{4, 2}, {9, 3}, {14, 4}, {30, 6}}}, &Maker::TernaryAddition},
      {{"cube", "rubiks-cube", {{1, 0}, {2, 0}, {3, 0}, {4, 0}}}, &Maker::Cube},
  };
  return entries;
}

// Whether the answer is a number, or the answers are, and none has a larger denominator or is far from zero.
bool HasSensibleAnswer(std::string_view problem, Number max_denominator) {
  constexpr int kFar = 100;
  const AlgebraMeaning meaning = ReadAlgebra(problem);
  if (meaning.kind == AlgebraMeaning::Kind::kValue) return denominator(meaning.value) <= max_denominator;
  const SolutionSet& set = meaning.solutions;
  if (meaning.kind != AlgebraMeaning::Kind::kSolutions || meaning.half || set.kind != SolutionSet::Kind::kRoots) return false;
  if (set.roots.irrational > 0) return false;
  return std::all_of(set.roots.rational.begin(), set.roots.rational.end(),
                     [&](const Exact& root) { return denominator(root) <= max_denominator && abs(root) <= kFar; });
}

std::size_t IndexOf(const Skill& skill) {
  const std::vector<Entry>& entries = Entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].skill.name == skill.name) return i;
  }
  throw Error(Message("there is no skill '{}'", skill.name));
}

}  // namespace

const std::vector<Skill>& Skills() {
  static const std::vector<Skill> skills = [] {
    std::vector<Skill> all;
    for (const Entry& entry : Entries()) all.push_back(entry.skill);
    return all;
  }();
  return skills;
}

const Skill& FindSkill(std::string_view name) {
  std::vector<std::string> names;
  for (const Skill& skill : Skills()) {
    if (skill.name == name) return skill;
    names.emplace_back(skill.name);
  }
  throw Error(Message("there is no skill '{}'; there are: {}", name, Join(names)));
}

std::vector<const Skill*> SkillsOf(std::string_view domain) {
  std::vector<const Skill*> skills;
  for (const Skill& skill : Skills()) {
    if (skill.domain == domain) skills.push_back(&skill);
  }
  return skills;
}

std::string MakeExercise(const Skill& skill, std::size_t level, std::uint64_t seed) {
  if (level < 1 || level > skill.levels.size()) {
    throw Error(Message("the levels of {} are 1 to {}, not {}", skill.name, skill.levels.size(), level));
  }
  const std::size_t index = IndexOf(skill);
  constexpr std::uint64_t kMostLevels = 100;
  Maker maker(MixHash(kMostLevels * index + level, seed));
  const auto make = Entries()[index].make;
  const std::unique_ptr<Domain> domain = MakeDomain(skill.domain);
  const SkillLevel& bounds = skill.levels[level - 1];
  // What is drawn may be too long, solved already or without a sensible answer; then the next is drawn.
  for (;;) {
    const Parsed parsed = domain->Parse((maker.*make)(level));
    if (parsed.error || domain->Solved(parsed.state) || DigitsOf(skill, parsed.state) > bounds.max_digits) continue;
    if (skill.domain != kAlgebra || HasSensibleAnswer(parsed.state, bounds.max_denominator)) return parsed.state;
  }
}

std::size_t DigitsOf(const Skill& skill, std::string_view problem) {
  if (skill.domain == "rubiks-cube") return 0;
  return static_cast<std::size_t>(std::count_if(problem.begin(), problem.end(), IsDigit));
}

namespace {

using algebra::HasUnknown;
using algebra::Kind;
using algebra::Node;
using algebra::TermsOfSide;
using algebra::WithoutSign;

bool Any(const Node& node, bool (*wanted)(const Node&)) {
  return wanted(node) ||
         std::any_of(node.children.begin(), node.children.end(), [&](const Node& child) { return Any(child, wanted); });
}

bool DividesByUnknown(const Node& node) { return node.Is(Kind::kQuotient) && HasUnknown(node.children[1]); }
bool DividesUnknown(const Node& node) { return node.Is(Kind::kQuotient) && HasUnknown(node.children[0]); }
// A sum that stands in a product, after a minus or in a power, with the unknown in it.
bool HasBracket(const Node& node) {
  if (!node.Is(Kind::kProduct) && !node.Is(Kind::kNegation) && !node.Is(Kind::kPower)) return false;
  return std::any_of(node.children.begin(), node.children.end(), [](const Node& child) { return child.Is(Kind::kSum); });
}

bool IsWhole(const Node& node) { return WithoutSign(node).Is(Kind::kNumber); }
bool IsFraction(const Node& node) {
  const Node& inside = WithoutSign(node);
  return inside.Is(Kind::kQuotient) && IsWhole(inside.children[0]) && IsWhole(inside.children[1]);
}
bool IsSimple(const Node& node) { return IsWhole(node) || IsFraction(node) || WithoutSign(node).Is(Kind::kMixed); }

// Of simple numbers, with divisions or without.
bool IsProduct(const Node& node) {
  if (IsSimple(node)) return true;
  return (node.Is(Kind::kProduct) || node.Is(Kind::kQuotient)) &&
         std::all_of(node.children.begin(), node.children.end(), [](const Node& child) { return IsProduct(child); });
}

std::string_view SkillOfNumber(const Node& node) {
  const bool decimals = algebra::Contains(node, Kind::kDecimal);
  const bool fractions = algebra::Contains(node, Kind::kQuotient);
  const bool mixed = algebra::Contains(node, Kind::kMixed);
  const bool operands_are_simple = std::all_of(node.children.begin(), node.children.end(), IsSimple);
  if (decimals) return fractions || mixed ? "fraction-chains" : "decimals";
  if (mixed) return "mixed-numbers";
  if (!fractions) {
    const bool product = node.Is(Kind::kProduct) && operands_are_simple;
    return product ? "long-multiplication" : "order-of-operations";
  }
  if (IsFraction(node)) return "reduce-fractions";
  if (node.Is(Kind::kSum) && operands_are_simple) return "add-fractions";
  return IsProduct(node) ? "multiply-fractions" : "fraction-chains";
}

std::string_view SkillOfEquation(const Node& left, const Node& right) {
  const auto either = [&](bool (*wanted)(const Node&)) { return Any(left, wanted) || Any(right, wanted); };
  if (either([](const Node& node) { return node.Is(Kind::kDecimal); })) return "decimal-equations";
  if (either(&DividesByUnknown)) return "denominators";
  const std::optional<algebra::NormalForm> difference = algebra::FormOf(algebra::Sum({left, algebra::Negation(right)}));
  if (difference && difference->numerator.size() > 2) return "quadratics";
  const bool both_sides = HasUnknown(left) && HasUnknown(right);
  const Node& side = HasUnknown(left) ? left : right;
  const Node& other = HasUnknown(left) ? right : left;
  const std::vector<Node> terms = TermsOfSide(side);
  const auto with_unknown = std::count_if(terms.begin(), terms.end(), HasUnknown);
  const bool plain = !both_sides && IsWhole(other) && with_unknown == 1 && terms.size() <= 2;
  if (either(&DividesUnknown)) {
    // x/3 = 4 and x/3 + 1 = 4 are done in one and two steps.
    const bool simple = std::all_of(terms.begin(), terms.end(), [](const Node& term) {
      return IsWhole(term) || (WithoutSign(term).Is(Kind::kQuotient) && WithoutSign(term).children[0].Is(Kind::kUnknown));
    });
    if (plain && simple) return terms.size() == 1 ? "one-step" : "two-steps";
    return "numerators";
  }
  if (either([](const Node& node) { return node.Is(Kind::kQuotient) || node.Is(Kind::kMixed); })) return "fractions";
  if (either(&HasBracket)) return "brackets";
  if (both_sides) return "both-sides";
  if (!plain) return "like-terms";
  const Node& unknown = *std::find_if(terms.begin(), terms.end(), HasUnknown);
  return terms.size() == 1 || unknown.Is(Kind::kUnknown) ? "one-step" : "two-steps";
}

}  // namespace

const Skill* SkillOf(const Domain& domain, std::string_view problem) {
  if (domain.Solved(problem)) return nullptr;
  const std::string& name = domain.type().name;
  if (name != kAlgebra) {
    const std::vector<const Skill*> skills = SkillsOf(name);
    return skills.empty() ? nullptr : skills.front();
  }
  const algebra::ReadResult read = algebra::Read(problem);
  if (const Node* const number = read.OnlyExpression()) return &FindSkill(SkillOfNumber(*number));
  const algebra::Equation* const equation = read.OnlyEquation();
  if (equation == nullptr || !algebra::Contains(*equation, Kind::kUnknown)) return nullptr;
  return &FindSkill(SkillOfEquation(equation->left, equation->right));
}

std::size_t LevelOf(const Skill& skill, std::string_view problem, std::size_t lines) {
  const std::size_t digits = DigitsOf(skill, problem);
  std::size_t level = 1;
  while (level < skill.levels.size() &&
         (digits > skill.levels[level - 1].max_digits || lines > skill.levels[level - 1].max_lines)) {
    ++level;
  }
  return level;
}

}  // namespace conpole
