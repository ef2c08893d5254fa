#include "domains/axioms/hard_equations.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "domains/axioms/equations.h"
#include "util/random.h"

namespace conpole {
namespace {

constexpr std::int64_t kMostBrackets = 3;
constexpr std::int64_t kTermsPerBracket = 2;  // that a problem has for each bracket that it may have
// An operation on both sides with a number times a variable adds so much to each.
constexpr std::size_t kRoomNodes = 8;
constexpr std::size_t kRoomBytes = 20;
constexpr int kTriesPerSize = 16;

// Draws one problem. Every draw is a statement of its own, since compilers differ in the order in which they evaluate
// arguments.
class Maker {
 public:
  Maker(std::uint64_t seed, const HardEquationOptions& options) : random_(seed), options_(options) {}

  std::string Make() {
    const std::int64_t least = std::max(kSmallestHardEquation, (options_.size + 1) / 2);
    std::int64_t terms = random_.Int64(least, std::max(least, options_.size) + 1);
    for (int tries = 1;; ++tries) {
      EquationText equation = Equation(terms);
      if (Fits(equation)) return std::move(equation.text);
      if (tries % kTriesPerSize != 0) continue;
      // No caps leave room for less than this.
      if (terms == kSmallestHardEquation) return fmt::format("({}x + {}) = {}", NotZero(), NotZero(), Constant());
      --terms;
    }
  }

 private:
  struct EquationText {
    std::string text;
    std::size_t nodes = 0;
  };

  EquationText Equation(std::int64_t terms) {
    brackets_ = std::min(kMostBrackets, terms / kTermsPerBracket);
    // Where the unknown is below the line, it is nowhere else: the equation is one in 1/x, and the axioms can solve it.
    below_ = OneIn(5);
    const std::int64_t left = random_.Int64(1, terms);
    std::string text = Sum(left);
    text += " = ";
    text += Sum(terms - left);
    Term<EquationNotation> term;
    Malformed error;
    if (!term.Read(text, error)) return {};
    return {std::string(term.text()), term.size()};
  }

  bool Fits(const EquationText& equation) const {
    const std::string& text = equation.text;
    if (text.find('x') == std::string::npos || text.starts_with("x = ") || text.ends_with(" = x")) return false;
    return equation.nodes + kRoomNodes <= std::max(options_.max_nodes, kRoomNodes + 7) &&
           text.size() + kRoomBytes <= std::max(options_.max_bytes, kRoomBytes + 30);
  }

  // A side, or what stands in a bracket.
  std::string Sum(std::int64_t terms) {
    if (terms == 1) return OneTerm();
    if (brackets_ > 0 && OneIn(3)) return Bracket(terms);
    // The right part is a bracket if it has more than one term.
    const bool nested = brackets_ > 0 && terms > 2 && OneIn(2);
    const std::int64_t right = nested ? random_.Int64(2, terms) : 1;
    if (nested) --brackets_;
    const std::string first = Sum(terms - right);
    // There is no axiom that subtracts a sum: it takes a detour over products, so it is rarer.
    const char sign = OneIn(right == 1 ? 3 : 6) ? '-' : '+';
    const std::string second = Sum(right);
    return fmt::format("({} {} {})", first, sign, second);
  }

  // A sum that is multiplied or divided as a whole.
  std::string Bracket(std::int64_t terms) {
    --brackets_;
    const std::string sum = Sum(terms);
    const std::int64_t kind = random_.Int64(0, 4);
    if (kind == 0) return fmt::format("({} / {})", sum, Number(NotZero()));
    const std::string factor = Number(Constant());
    return kind == 1 ? fmt::format("({} * {})", sum, factor) : fmt::format("({} * {})", factor, sum);
  }

  std::string OneTerm() {
    if (OneIn(2)) return WithoutUnknown();
    return below_ ? UnknownBelow() : Unknown();
  }

  std::string WithoutUnknown() {
    if (!OneIn(8)) return Number(Constant());
    const std::int64_t over = NotZero();
    const std::int64_t under = NotZero();
    return fmt::format("({} / {})", Number(over), Number(under));
  }

  std::string Unknown() {
    switch (random_.Int64(0, 8)) {
      case 0:
      case 1:
        return "x";
      case 2:
        return fmt::format("(x / {})", Number(NotZero()));
      case 3: {
        const std::string coefficient = Monomial(Constant());
        return fmt::format("({} / {})", coefficient, Number(NotZero()));
      }
      case 4: {
        const std::int64_t over = random_.Coin() ? 1 : -1;
        const std::int64_t under = random_.Int64(2, std::max<std::int64_t>(2, options_.max_constant) + 1);
        return fmt::format("[{}/{}]x", over, under);
      }
      default:
        return Monomial(Constant());
    }
  }

  std::string UnknownBelow() {
    const std::string over = Number(NotZero());
    switch (random_.Int64(0, 4)) {
      case 0:
        return fmt::format("({} / x)", over);
      case 1:
        return fmt::format("({} / (x * {}))", over, Number(NotZero()));
      default:
        return fmt::format("({} / {})", over, Monomial(NotZero()));
    }
  }

  static std::string Number(std::int64_t value) { return value < 0 ? fmt::format("({})", value) : fmt::format("{}", value); }
  static std::string Monomial(std::int64_t coefficient) { return fmt::format("{}x", coefficient); }

  std::int64_t NotZero() {
    const std::int64_t size = random_.Int64(1, std::int64_t{options_.max_constant} + 1);
    return random_.Coin() ? size : -size;
  }
  std::int64_t Constant() {
    return options_.zero ? random_.Int64(-std::int64_t{options_.max_constant}, std::int64_t{options_.max_constant} + 1)
                         : NotZero();
  }
  bool OneIn(std::int64_t n) { return random_.Int64(0, n) == 0; }

  Random random_;
  const HardEquationOptions& options_;
  std::int64_t brackets_ = 0;  // that may still be opened
  bool below_ = false;
};

}  // namespace

std::string DrawHardEquation(std::uint64_t seed, const HardEquationOptions& options) { return Maker(seed, options).Make(); }

}  // namespace conpole
