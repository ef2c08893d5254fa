// Quadratic equations by the quadratic formula and by completing the square, line by line as books show them.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"

namespace conpole::textbook {
namespace {

class QuadraticSteps {
 public:
  QuadraticSteps(const Relation& equation, const std::string& letter) : equation_(equation), letter_(letter) {
    const auto all = CoefficientsOf(Add(ValueOf(equation.left), ValueOf(equation.right), -1), letter);
    if (!all || all->size() != 3) return;
    for (const Value& value : *all) {
      const std::optional<Exact> number = RationalOf(value);
      if (!number) return;
      c_.push_back(*number);
    }
  }

  // Not for numbers that are letters or roots.
  bool is_quadratic() const { return c_.size() == 3; }

  Line ByFormula(bool complex) const {
    Integer below = 1;
    for (const Exact& number : c_) below = boost::multiprecision::lcm(below, denominator(number));
    std::vector<Exact> whole;
    for (const Exact& number : c_) whole.push_back(number * (c_[2] < 0 ? -below : below));
    const Ptr standard = PolynomialOf(whole[2], whole[1], whole[0]);
    if (TextOf(equation_.left) != TextOf(standard) || !equation_.right->IsNumber(0)) {
      return To("to-one-side", standard, MakeNumber(0));
    }
    const Exact discriminant = whole[1] * whole[1] - 4 * whole[2] * whole[0];
    if (discriminant < 0 && !complex) return {"quadratic-formula", "no solution"};
    const Ptr a = MakeNumber(whole[2]);
    const Ptr b = MakeNumber(whole[1]);
    const Ptr root = MakeRoot(
        MakeSum({MakePower(b, MakeNumber(2)), MakeNegation(MakeProduct({MakeNumber(4), a, MakeNumber(whole[0])}))}), 2);
    const auto solution = [&](const Ptr& term) {
      return TextOf(
          Relation{MakeLetter(letter_), "=", MakeQuotient(MakeSum({MakeNegation(b), term}), MakeProduct({MakeNumber(2), a}))});
    };
    return {"quadratic-formula", solution(MakeNegation(root)) + " or " + solution(root)};
  }

  Line BySquare() const {
    const Ptr& left = equation_.left;
    const Ptr right = Normal(equation_.right);
    const bool number = LettersOf(right).empty();
    if (left->Is(Op::kPower) && number && left->args[1]->IsNumber(2)) {
      const Ptr& base = left->args[0];
      const double size = Approximate(right, {});
      if (size < 0) return {"never-negative", "no solution"};
      if (size == 0) return To("root-of-both 2", base, right);
      const Ptr root = Normal(MakeRoot(right, 2));
      return {"root-of-both 2",
              fmt::format("{} or {}", TextOf(Relation{base, "=", MakeNegation(root)}), TextOf(Relation{base, "=", root}))};
    }
    const auto c = CoefficientsOf(ValueOf(left), letter_);
    const bool written = number && c && c->size() == 3 && TextOf(Normal(left)) == TextOf(left);
    const Exact p = c_[1] / c_[2];
    const Exact square = p * p / 4;
    const auto constant = written ? RationalOf((*c)[0]) : std::nullopt;
    const bool leads = written && RationalOf((*c)[2]) == Exact(1);
    if (leads && *constant == square) {
      return To("factorise", MakePower(PolynomialOf(0, 1, p / 2), MakeNumber(2)), right);
    }
    if (leads && *constant == 0) {
      return To("complete", PolynomialOf(1, p, square), MakeSum({equation_.right, MakeNumber(square)}));
    }
    if (written && *constant == 0) return To("divide-by", PolynomialOf(1, p, 0), MakeNumber(-c_[0] / c_[2]));
    return To("isolate", PolynomialOf(c_[2], c_[1], 0), MakeNumber(-c_[0]));
  }

 private:
  Line To(std::string_view label, const Ptr& left, const Ptr& right) const {
    return {std::string(label), TextOf(Relation{left, "=", right})};
  }
  Ptr PolynomialOf(const Exact& a, const Exact& b, const Exact& c) const {
    const Value x = ValueOf(MakeLetter(letter_));
    return TreeOf(Add(Add(NumberValueOf(c), x, b), Multiply(x, x), a));
  }

  const Relation& equation_;
  const std::string& letter_;
  std::vector<Exact> c_;
};

}  // namespace

std::optional<Line> NextLineOfQuadratic(const Relation& equation, const std::string& letter, std::string_view method) {
  const bool complex = method == "complex";
  if (method != "formula" && method != "square" && !complex) return std::nullopt;
  // What the formula gave is worked out.
  if (equation.left->Is(Op::kLetter) && !HasLetter(equation.right, letter)) {
    const auto step = SimplifyStep(equation.right);
    if (!step) return std::nullopt;
    return Line{step->first, TextOf(Relation{equation.left, "=", step->second})};
  }
  const QuadraticSteps steps(equation, letter);
  // Without a term in the letter itself, a square stands there already.
  if (!steps.is_quadratic()) {
    if (complex) throw Refusal{"complex solutions are found of quadratic equations only"};
    return std::nullopt;
  }
  return method == "square" ? steps.BySquare() : steps.ByFormula(complex);
}

}  // namespace conpole::textbook
