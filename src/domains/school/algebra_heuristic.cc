#include "domains/school/algebra_heuristic.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domains/school/algebra_text.h"
#include "domains/school/algebra_tidy.h"
#include "domains/school/textbook.h"

namespace conpole::algebra {
namespace {

namespace mp = boost::multiprecision;

constexpr float kFarAway = 1'000;
// Of lines that are equally far from the answer, the shorter is the better one.
constexpr float kPerByte = 0.0005F;
// Of ways that are equally long, people first get rid of denominators, then of brackets, then tidy up, then bring the unknown
// to one side. All together are less than a step.
constexpr float kDenominatorsFirst = 0.25F;
constexpr float kBracketsFirst = 0.2F;
constexpr float kTidyFirst = 0.15F;
constexpr float kUnknownFirst = 0.1F;
constexpr float kUnknownOnTheRight = 0.05F;
// They would rather change the sides than divide by a negative number.
constexpr float kNegativeFactor = 1.15F;
// A fraction that comes of a calculation can often be reduced.
constexpr float kPerhapsReduce = 0.5F;

constexpr float kPerPlace = 0.05F;

// Numbers.

// What is left to do to an expression, by action. The same can be done in several places at once.
struct NumberCost {
  float evaluate = 0;
  float common = 0;
  float sum = 0;
  float product = 0;
  float invert = 0;
  float reduce = 0;
  bool fraction = false;  // whether the result is one

  float Steps() const { return evaluate + common + sum + product + invert + reduce; }
};

NumberCost Together(const NumberCost& a, const NumberCost& b) {
  return {std::max(a.evaluate, b.evaluate), std::max(a.common, b.common), std::max(a.sum, b.sum),
          std::max(a.product, b.product),   std::max(a.invert, b.invert), std::max(a.reduce, b.reduce),
          a.fraction || b.fraction};
}

bool IsLiteral(const Node& node) {
  if (node.Is(Kind::kNegation)) return IsLiteral(node.children[0]);
  return node.Is(Kind::kNumber) || node.Is(Kind::kDecimal);
}

// The fraction of two whole numbers that a term of a sum is, but for its sign; null if it is none.
const Node* LiteralFraction(const Node& node) {
  if (node.Is(Kind::kNegation)) return LiteralFraction(node.children[0]);
  return node.Is(Kind::kQuotient) && IsLiteral(node.children[0]) && node.children[1].Is(Kind::kNumber) ? &node : nullptr;
}

bool OverOneDenominator(const Node& sum) {
  const Node* const first = LiteralFraction(sum.children.front());
  return first != nullptr && std::all_of(sum.children.begin(), sum.children.end(), [&](const Node& child) {
           const Node* const fraction = LiteralFraction(child);
           return fraction != nullptr && fraction->children[1] == first->children[1];
         });
}

// Whether a division of whole numbers comes out even.
bool IsWhole(const Node& fraction) {
  const Node& above = WithoutSign(fraction.children[0]);
  return above.Is(Kind::kNumber) && above.value % fraction.children[1].value == 0;
}

NumberCost CostOf(const Node& node) {
  if (node.Is(Kind::kMixed)) return {.fraction = true};
  NumberCost cost;
  float places = 0;  // where something is left to do
  std::vector<NumberCost> parts;
  for (const Node& child : node.children) parts.push_back(CostOf(child));
  const bool fractions = std::any_of(parts.begin(), parts.end(), [](const NumberCost& part) { return part.fraction; });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    NumberCost& part = parts[i];
    // A fraction is reduced when it is multiplied, and better after it was added, unless only whole numbers are.
    if (part.reduce >= 1 && fractions && LiteralFraction(node.children[i]) != nullptr && !node.Is(Kind::kNegation)) {
      part.reduce = 0;
    }
    if (part.Steps() > 0) places += 1;
    cost = Together(cost, part);
  }
  // Of lines that are equally far, the one with less to do in it is the better one.
  cost.evaluate += kPerPlace * places;
  switch (node.kind) {
    case Kind::kSum:
      if (!cost.fraction) {
        cost.evaluate += 1;
      } else if (OverOneDenominator(node)) {
        // Its fractions are not reduced before they are added.
        return {.sum = 1, .reduce = kPerhapsReduce, .fraction = true};
      } else {
        cost.common += 1;
        cost.sum += 1;
        cost.reduce += kPerhapsReduce;
      }
      break;
    case Kind::kProduct:
      if (!cost.fraction) {
        cost.evaluate += 1;
      } else {
        cost.product += 1;
      }
      break;
    case Kind::kQuotient:
      if (cost.fraction) {
        cost.invert += 1;
        cost.product += 1;
      } else if (Contains(node, Kind::kDecimal)) {
        cost.evaluate += 1;
      } else {
        if (!IsSimplest(node)) cost.reduce += IsLiteral(node.children[0]) && IsLiteral(node.children[1]) ? 1 : kPerhapsReduce;
        cost.fraction = LiteralFraction(node) == nullptr || !IsWhole(node);
        if (!cost.fraction) cost.reduce += kPerPlace;  // nobody writes 36/4 if it can be helped
      }
      break;
    case Kind::kPower:
      cost.evaluate += 1;
      break;
    default:
      break;
  }
  return cost;
}

std::size_t SumDepth(const Node& node) {
  std::size_t depth = 0;
  for (const Node& child : node.children) depth = std::max(depth, SumDepth(child));
  return depth + (node.Is(Kind::kSum) ? 1 : 0);
}

float NumberStepsLeft(const Node& node) {
  const bool fractions = Contains(node, Kind::kQuotient) || Contains(node, Kind::kMixed);
  const bool convert = Contains(node, Kind::kMixed) || (fractions && Contains(node, Kind::kDecimal));
  // Of ways that are equally long, the one that works out brackets first.
  const bool brackets = SumDepth(node) > (node.Is(Kind::kSum) ? 1U : 0U);
  return CostOf(node).Steps() + (convert ? 1.0F : 0.0F) + (brackets ? kBracketsFirst : 0.0F);
}

// Equations.

struct Shape {
  std::size_t unknown_terms = 0;
  bool number_beside_fraction = false;  // x/2 + 3, 5/x - 1
  bool unknown_below = false;
  bool bracket_below = false;        // with the unknown
  bool fraction_of_unknown = false;  // x/2, 2/3 * x
  bool fraction_in_bracket = false;  // 2(x/3 - 1)
  bool brackets = false;             // to be multiplied out
  bool nested_brackets = false;
  bool brackets_among_terms = false;  // what comes of them must be tidied with others
  std::vector<Integer> denominators;  // of terms, whole numbers; 1 for a term without
  std::vector<Integer> below_sums;    // the denominators of sums; 0 if they have a factor or a minus sign
};

bool UnknownBelow(const Node& node) {
  if (node.Is(Kind::kQuotient) && Contains(node.children[1], Kind::kUnknown)) return true;
  return std::any_of(node.children.begin(), node.children.end(), UnknownBelow);
}

// The product of whole numbers below the lines of a term.
Integer NumberBelow(const Node& node) {
  Integer below = 1;
  if (node.Is(Kind::kQuotient)) {
    if (node.children[1].Is(Kind::kNumber)) below = node.children[1].value;
    return below * NumberBelow(node.children[0]);
  }
  if (node.Is(Kind::kProduct) || node.Is(Kind::kNegation)) {
    for (const Node& child : node.children) below *= NumberBelow(child);
  }
  return below;
}

// Whether a sum has a term with the unknown over a number.
bool HasFractionInSum(const Node& node) {
  if (node.Is(Kind::kSum)) {
    for (const Node& term : node.children) {
      if (NumberBelow(term) != 1 && Contains(term, Kind::kUnknown)) return true;
    }
  }
  return std::any_of(node.children.begin(), node.children.end(), HasFractionInSum);
}

void Inspect(const Node& side, Shape& shape) {
  const bool several = side.Is(Kind::kSum);
  const std::size_t count = several ? side.children.size() : 1;
  if (several && HasUnknown(side)) shape.number_beside_fraction = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Node& written = several ? side.children[i] : side;
    const Node& term = WithoutSign(written);
    const bool unknown = HasUnknown(term);
    if (unknown) ++shape.unknown_terms;
    Integer below = NumberBelow(term);
    if (unknown && below != 1) shape.fraction_of_unknown = true;
    shape.denominators.push_back(below);
    if (UnknownBelow(term)) {
      shape.unknown_below = true;
      const bool bracket = term.Is(Kind::kQuotient) && Contains(term.children[1], Kind::kSum);
      shape.bracket_below = shape.bracket_below || bracket;
    }
    const std::size_t depth = SumDepth(term);
    if (depth == 0) continue;
    if (unknown && HasFractionInSum(term)) shape.fraction_in_bracket = true;
    if (depth > 1) shape.nested_brackets = true;
    if (term.Is(Kind::kQuotient)) {
      if (term.children[0].Is(Kind::kSum) && !written.Is(Kind::kNegation)) {
        shape.below_sums.push_back(std::move(below));
      } else if (Contains(term.children[0], Kind::kSum)) {
        shape.below_sums.emplace_back(0);
      }
    } else {
      shape.brackets = true;
    }
    if (several || depth > 1) shape.brackets_among_terms = true;
  }
}

const Exact kZero = 0;
const Exact& CoefficientOf(const Polynomial& p, std::size_t power) { return power < p.size() ? p[power] : kZero; }

// a x + b = c x + d, tidy.
float LinearSteps(const Exact& a, const Exact& b, const Exact& c, const Exact& d) {
  const auto alone = [](const Exact& coefficient, const Exact& number) {
    return (number != 0 ? 1.0F : 0.0F) + (coefficient != 1 ? 1.0F : 0.0F) + (coefficient < 0 ? kNegativeFactor : 0.0F);
  };
  if (a == c) {
    if (b == d) return 1;
    return a != 0 ? 2 : 1;
  }
  if (c == 0) return alone(a, b);
  // Bringing the unknown to the left, and to the right, where the sides are swapped at the end.
  const float left = 1 + alone(Exact(a - c), b);
  if (a != 0) return kUnknownFirst + std::min(left, 2 + alone(Exact(c - a), d));
  return kUnknownOnTheRight + std::min(left, 1 + alone(c, d));
}

// Both sides tidy and without brackets, one of degree 2 or more.
float PolynomialSteps(const Polynomial& left, const Polynomial& right) {
  const Polynomial difference = Add(left, Scale(right, -1));
  const std::size_t degree = Degree(difference);
  if (degree < std::max(Degree(left), Degree(right))) {
    // The highest powers go away.
    const auto rest = [](Polynomial p, std::size_t size) {
      p.resize(std::min(p.size(), size));
      while (!p.empty() && p.back() == 0) p.pop_back();
      return p;
    };
    const std::size_t size = std::max(left.size(), right.size()) - 1;
    const Polynomial a = rest(left, size);
    const Polynomial b = rest(right, size);
    if (std::max(Degree(a), Degree(b)) > 1) return 1 + kTidyFirst + PolynomialSteps(a, b);
    return 1 + kTidyFirst + LinearSteps(CoefficientOf(a, 1), CoefficientOf(a, 0), CoefficientOf(b, 1), CoefficientOf(b, 0));
  }
  // The side with the lower power is taken away, so that the highest is not negative, and 0 goes to the right.
  const float move = right.empty() ? 0.0F : left.empty() || difference.back() > 0 ? 1.0F : 2.0F;
  const bool negative = (right.empty() && left.back() < 0) || (left.empty() && right.back() < 0);
  // A power and a number: the root.
  const auto is_zero = [](const Exact& coefficient) { return coefficient == 0; };
  if (IsConstant(right) && std::all_of(left.begin() + 1, left.end() - 1, is_zero)) {
    const float root = 1 + (left[0] != 0 ? 1.0F : 0.0F) + (left.back() != 1 ? 1.0F : 0.0F);
    return degree == 2 ? std::min(root, move + 1) : root;
  }
  // The factors and what each is zero for, or the formula. 2x - 1 = 0 takes two more lines, x - 1 = 0 none.
  const std::vector<Exact> roots = RationalRoots(difference);
  float more = 0;
  for (const Exact& root : roots) more += mp::denominator(root) == 1 ? 0.0F : 2.0F;
  if (degree > 2) return move + static_cast<float>(degree) + more;
  return move + (roots.empty() ? 1.0F : 2.0F) + more + (negative ? kNegativeFactor : 0.0F);
}

// left = right.
float EquationStepsLeft(const Node& left, const Node& right) {
  const bool unknown = HasUnknown(left) || HasUnknown(right);
  if (left == right) return 1;
  if (!unknown) return 1 + (IsSimplest(left) && IsSimplest(right) ? 0.0F : 1.0F);
  // A product that is zero, and a power that is a number.
  if (right.IsNumber(0) && (left.Is(Kind::kProduct) || left.Is(Kind::kPower)) && !UnknownBelow(left) &&
      Contains(left, Kind::kSum)) {
    float steps = 1;
    for (const Node& factor : left.children) {
      const std::optional<NormalForm> form = FormOf(factor);
      if (!form || form->numerator.empty()) continue;
      const Polynomial& above = form->numerator;
      if (Degree(above) > 1) steps += 1;
      if (Degree(above) == 1 && above[1] != 1 && above[0] != 0) steps += 2;
    }
    return steps;
  }
  const std::optional<NormalForm> left_form = FormOf(left);
  const std::optional<NormalForm> right_form = FormOf(right);
  if (!left_form || !right_form) return kFarAway;
  if (left.Is(Kind::kPower) && IsSimplest(right) && !UnknownBelow(left)) {
    const std::optional<NormalForm> base = FormOf(left.children[0]);
    if (!base || base->numerator.size() != 2) return 2;
    return 1 + (base->numerator[0] != 0 ? 1.0F : 0.0F) + (base->numerator[1] != 1 ? 1.0F : 0.0F);
  }
  Shape shape;
  Inspect(left, shape);
  Inspect(right, shape);
  float steps = 0;
  // Both sides times what is below the lines.
  const Polynomial common_divisor = CommonDivisor(left_form->denominator, right_form->denominator);
  const Polynomial left_factor = Divide(right_form->denominator, common_divisor).quotient;
  const Polynomial right_factor = Divide(left_form->denominator, common_divisor).quotient;
  Polynomial above_left = Multiply(left_form->numerator, left_factor);
  Polynomial above_right = Multiply(right_form->numerator, right_factor);
  Integer common = 1;
  for (const Integer& below : shape.denominators) {
    if (BitsOf(common) < kMaxBits) common = mp::lcm(common, below);
  }
  const bool multiply = shape.unknown_below || shape.fraction_of_unknown;
  bool brackets = shape.brackets;
  if (multiply) {
    // What is added to the only fraction with the unknown goes first.
    const bool single = shape.unknown_terms == 1;
    steps += 1 + (single && !shape.number_beside_fraction ? 0 : kDenominatorsFirst);
    // A sum that is still multiplied by something gets brackets.
    brackets = brackets || std::any_of(shape.below_sums.begin(), shape.below_sums.end(),
                                       [&](const Integer& below) { return below != common; });
    if (shape.bracket_below && (left_factor.size() > 1 || right_factor.size() > 1)) {
      brackets = brackets || Contains(left, Kind::kSum) || !above_right.empty();
    }
    above_left = Scale(above_left, Exact(common));
    above_right = Scale(above_right, Exact(common));
  }
  if (shape.fraction_in_bracket) steps += 1;
  if (brackets) steps += 1 + kBracketsFirst;
  if (shape.nested_brackets) steps += 1 + kBracketsFirst;
  const NumberStyle style = StyleOf(left, right);
  const bool untidy = Tidied(left, style) != left || Tidied(right, style) != right;
  if (untidy || (shape.brackets_among_terms && brackets)) steps += 1 + kTidyFirst;
  if (shape.unknown_below) steps += 1;  // the condition is settled at the end
  if (std::max(Degree(above_left), Degree(above_right)) <= 1) {
    steps += LinearSteps(CoefficientOf(above_left, 1), CoefficientOf(above_left, 0), CoefficientOf(above_right, 1),
                         CoefficientOf(above_right, 0));
  } else {
    steps += PolynomialSteps(above_left, above_right);
  }
  return steps;
}

float StateSteps(const State& state) {
  switch (state.form) {
    case State::Form::kExpression:
      return NumberStepsLeft(state.expression);
    case State::Form::kEquations: {
      float steps = state.conditions.empty() ? 0 : 1;
      // Equations with one left side are solved together, those that follow each other.
      float together = 0;
      for (std::size_t i = 0; i < state.equations.size(); ++i) {
        const Equation& equation = state.equations[i];
        if (i > 0 && equation.left != state.equations[i - 1].left) steps += std::exchange(together, 0.0F);
        if (!IsAnswer(equation)) together = std::max(together, EquationStepsLeft(equation.left, equation.right));
      }
      return std::max(steps + together, 1.0F);
    }
    case State::Form::kNoSolution:
    case State::Form::kEveryNumber:
      break;
  }
  return 0;
}

}  // namespace

float StepsToGo(std::string_view state) {
  if (textbook::IsExercise(state)) {
    constexpr int kMaxLines = 40;
    std::string line(state);
    for (int lines = 0; lines < kMaxLines; ++lines) {
      textbook::Following next = textbook::FollowingLine(line);
      if (next.refusal) return kFarAway;
      if (next.state.empty()) return static_cast<float>(lines);
      line = std::move(next.state);
    }
    return kFarAway;
  }
  const ReadResult read = Read(state);
  if (read.error) return kFarAway;
  if (IsSolved(read.state)) return 0;
  return StateSteps(read.state) + kPerByte * static_cast<float>(state.size());
}

}  // namespace conpole::algebra
