#include "subjects/algebra_progress.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "domains/school/algebra_actions.h"
#include "domains/school/algebra_heuristic.h"
#include "domains/school/algebra_text.h"
#include "domains/school/algebra_tidy.h"
#include "explain/algebra_operation.h"

namespace conpole {
namespace {

using AlgebraKind = algebra::Kind;
using algebra::HasUnknown;
using algebra::Node;
using algebra::State;

// A number that nobody has to work on any more; people also leave it as a mixed number.
bool IsFinal(const Node& number) {
  const Node& size = algebra::WithoutSign(number);
  if (size.Is(AlgebraKind::kMixed)) return gcd(size.children[0].value, size.children[1].value) == 1;
  return algebra::IsSimplest(number) || algebra::Contains(number, AlgebraKind::kRoot);
}

// x = 2, or 2 = x.
bool IsFinal(const algebra::Equation& equation) {
  if (equation.left.Is(AlgebraKind::kUnknown)) return IsFinal(equation.right);
  return equation.right.Is(AlgebraKind::kUnknown) && IsFinal(equation.left);
}

// Whether nothing is left to do. Conditions that are written beside an answer must not concern it.
bool IsFinal(const State& state) {
  if (state.form == State::Form::kExpression) return IsFinal(state.expression);
  if (state.form != State::Form::kEquations) return true;
  for (auto equation_at = state.equations.begin(); equation_at != state.equations.end(); ++equation_at) {
    const algebra::Equation& equation = *equation_at;
    if (!IsFinal(equation) || std::find(state.equations.begin(), equation_at, equation) != equation_at) return false;
    const Node& number = equation.left.Is(AlgebraKind::kUnknown) ? equation.right : equation.left;
    if (state.conditions.empty()) continue;
    if (algebra::Contains(number, AlgebraKind::kRoot)) return false;
    const std::optional<algebra::Exact> value = algebra::NumberValue(number);
    if (!value) return false;
    for (const algebra::Polynomial& condition : state.conditions) {
      if (algebra::ValueAt(condition, *value) == 0) return false;
    }
  }
  return true;
}

// The same for every order of terms and factors.
std::string Unordered(const Node& node) {
  std::vector<std::string> parts;
  for (const Node& child : node.children) parts.push_back(Unordered(child));
  if (node.Is(AlgebraKind::kSum) || node.Is(AlgebraKind::kProduct)) std::sort(parts.begin(), parts.end());
  std::string text = std::to_string(static_cast<int>(node.kind)) + ':' + node.value.str() + '^' + std::to_string(node.exponent);
  for (const std::string& part : parts) text += '(' + part + ')';
  return text;
}

// Without conditions: to write one down or to leave it out is no step.
std::string Unordered(const State& state) {
  if (state.form == State::Form::kExpression) return Unordered(state.expression);
  std::vector<std::string> equations;
  for (const algebra::Equation& equation : state.equations) {
    std::string left = Unordered(equation.left);
    std::string right = Unordered(equation.right);
    if (right < left) std::swap(left, right);
    left += '=';
    left += right;
    equations.push_back(std::move(left));
  }
  std::sort(equations.begin(), equations.end());
  std::string text = std::to_string(static_cast<int>(state.form));
  for (const std::string& equation : equations) text += '|' + equation;
  return text;
}

// The equations with other sides; numbers to be worked out stay.
template <typename Change>
State WithSides(State state, const Change& change) {
  for (algebra::Equation& equation : state.equations) {
    if (algebra::Contains(equation.right, AlgebraKind::kRoot)) continue;
    // Decimals stay decimals beside fractions.
    const bool decimals = algebra::Contains(equation, AlgebraKind::kDecimal);
    const algebra::NumberStyle style = decimals ? algebra::NumberStyle::kDecimals : algebra::NumberStyle::kFractions;
    equation = {change(equation.left, style), change(equation.right, style)};
  }
  return state;
}

std::size_t CountFractions(const Node& node) {
  std::size_t count = node.Is(AlgebraKind::kQuotient) ? 1 : 0;
  for (const Node& child : node.children) count += CountFractions(child);
  return count;
}

// Whether all signs changed, so that the unknown lost its minus: -3x = 6 and 3x = -6.
bool LosesMinus(const State& before, const State& after) {
  if (before.equations.size() != 1 || after.equations.size() != 1) return false;
  const auto negated = [](const Node& old_side, const Node& new_side) {
    return algebra::SameForm(algebra::Negation(old_side), new_side);
  };
  const algebra::Equation& old_equation = before.equations.front();
  const algebra::Equation& new_equation = after.equations.front();
  if (!negated(old_equation.left, new_equation.left) || !negated(old_equation.right, new_equation.right)) return false;
  const auto negative = [](const Node& side) { return side.Is(AlgebraKind::kNegation) && HasUnknown(side); };
  return (negative(old_equation.left) && !negative(new_equation.left)) ||
         (negative(old_equation.right) && !negative(new_equation.right));
}

// (x - 3)^2 = 4 or x^2 - 6x + 9 = 4: all that is left is the root.
bool IsSquare(const State& state) {
  if (state.equations.size() != 1) return false;
  const algebra::Equation& equation = state.equations.front();
  const auto square = [](const Node& side) {
    if (side.Is(AlgebraKind::kPower)) return side.children[0].Is(AlgebraKind::kSum);
    const std::optional<algebra::NormalForm> form = algebra::FormOf(side);
    if (!form || !form->IsPolynomial() || form->numerator.size() != 3) return false;
    const algebra::Polynomial& p = form->numerator;
    return p[1] != 0 && p[1] * p[1] == 4 * p[0] * p[2];
  };
  const auto number = [](const Node& side) { return !HasUnknown(side); };
  return (square(equation.left) && number(equation.right)) || (square(equation.right) && number(equation.left));
}

// A line without what is only still to be worked out, the unknown on the left where it stands on one side.
State Settled(const State& state) {
  State settled = WithSides(state, algebra::Tidied);
  for (algebra::Equation& equation : settled.equations) {
    if (!HasUnknown(equation.left) && HasUnknown(equation.right)) std::swap(equation.left, equation.right);
  }
  return settled;
}

// c of c x = a number, where c may be 1; nothing if the line is another.
std::optional<algebra::Exact> FactorOfLoneUnknown(const State& settled) {
  if (settled.equations.size() != 1) return std::nullopt;
  const algebra::Equation& equation = settled.equations.front();
  if (HasUnknown(equation.right) || algebra::Contains(equation.right, AlgebraKind::kRoot)) return std::nullopt;
  const std::optional<algebra::NormalForm> left = algebra::FormOf(equation.left);
  if (!left || !left->IsPolynomial() || left->numerator.size() != 2 || left->numerator[0] != 0) return std::nullopt;
  if (algebra::Contains(equation.left, AlgebraKind::kSum)) return std::nullopt;
  return left->numerator[1];
}

// Lines to go, the whole ones; what tells equally long ways apart is less than one. A person multiplies by a negative number at
// once. How long the line is does not matter.
float LinesToGo(const State& settled) {
  if (const std::optional<algebra::Exact> factor = FactorOfLoneUnknown(settled)) {
    if (*factor == 1) return 0;
    const bool fraction = abs(numerator(*factor)) != 1 && denominator(*factor) != 1;
    return fraction && algebra::Contains(settled.equations.front().left, AlgebraKind::kQuotient) ? 2 : 1;
  }
  constexpr float kPerByte = 0.0005F;
  const std::string text = algebra::TextOf(settled);
  return algebra::StepsToGo(text) - kPerByte * static_cast<float>(text.size());
}

// Whether a line is one equation without powers of the unknown.
bool IsLinear(const State& state) {
  if (state.equations.size() != 1) return false;
  const auto linear = [](const Node& side) {
    const std::optional<algebra::NormalForm> form = algebra::FormOf(side);
    return form && form->numerator.size() <= 2;
  };
  return linear(state.equations.front().left) && linear(state.equations.front().right);
}

// Whether all sides are worth a polynomial, as 6/x * x is.
bool IsPolynomial(const State& state) {
  return std::all_of(state.equations.begin(), state.equations.end(), [](const algebra::Equation& equation) {
    for (const Node* const side : {&equation.left, &equation.right}) {
      if (algebra::Contains(*side, AlgebraKind::kRoot)) continue;
      const std::optional<algebra::NormalForm> form = algebra::FormOf(*side);
      if (!form || !form->IsPolynomial()) return false;
    }
    return true;
  });
}

// The terms of a side that are not zero.
std::size_t CountTerms(const Node& side) {
  if (side.Is(AlgebraKind::kSum)) return side.children.size();
  return side.IsNumber(0) ? 0 : 1;
}

// Whether a term went from one side to the other while the unknown is still on both: 5x + 3 = 2x + 9, 5x = 2x + 6.
bool JoinsTerms(const State& before, const State& after) {
  if (before.equations.size() != 1 || after.equations.size() != 1) return false;
  const auto on_both = [](const algebra::Equation& equation) {
    return HasUnknown(equation.left) && HasUnknown(equation.right);
  };
  const algebra::Equation& a = before.equations.front();
  const algebra::Equation& b = after.equations.front();
  return on_both(a) && on_both(b) && CountTerms(b.left) + CountTerms(b.right) < CountTerms(a.left) + CountTerms(a.right);
}

// Whether nothing was done to both sides.
bool IsRewritten(const State& before, const State& after) {
  if (before.equations.size() != 1 || after.equations.size() != 1) return false;
  const auto same = [](const Node& a, const Node& b) {
    const bool root = algebra::Contains(a, AlgebraKind::kRoot) || algebra::Contains(b, AlgebraKind::kRoot);
    return root ? a == b : algebra::SameForm(a, b);
  };
  const algebra::Equation& a = before.equations.front();
  const algebra::Equation& b = after.equations.front();
  return (same(a.left, b.left) && same(a.right, b.right)) || (same(a.left, b.right) && same(a.right, b.left));
}

bool DividesByUnknown(const Node& node) {
  if (node.Is(AlgebraKind::kQuotient) && HasUnknown(node.children[1])) return true;
  return std::any_of(node.children.begin(), node.children.end(), DividesByUnknown);
}
bool DividesByUnknown(const State& state) {
  return std::any_of(state.equations.begin(), state.equations.end(), [](const algebra::Equation& equation) {
    return DividesByUnknown(equation.left) || DividesByUnknown(equation.right);
  });
}

std::size_t CountNodes(const Node& node) {
  std::size_t count = 1;
  for (const Node& child : node.children) count += CountNodes(child);
  return count;
}

// x/1, 1 * x, x + 0.
std::size_t CountIdle(const Node& node) {
  std::size_t count = 0;
  for (const Node& child : node.children) count += CountIdle(child);
  const auto has = [&](unsigned number) {
    return std::any_of(node.children.begin(), node.children.end(), [&](const Node& child) { return child.IsNumber(number); });
  };
  const bool idle = (node.Is(AlgebraKind::kSum) && has(0)) || (node.Is(AlgebraKind::kProduct) && has(1)) ||
                    (node.Is(AlgebraKind::kQuotient) && node.children[1].IsNumber(1));
  return count + (idle ? 1 : 0);
}

// What is counted on all sides of the equations together.
std::size_t OnAllSides(std::size_t (*count)(const Node&), const State& state) {
  std::size_t sum = 0;
  for (const algebra::Equation& equation : state.equations) sum += count(equation.left) + count(equation.right);
  return sum;
}

// Of numbers to be worked out.
Advance AdvanceOfNumbers(const State& before, const State& after, float from, float to) {
  if (to < from || CountFractions(after.expression) < CountFractions(before.expression)) return Advance::kCloser;
  const std::string text = algebra::TextOf(after);
  const std::vector<algebra::Step> steps = algebra::ListSteps(before);
  const bool is_step = std::any_of(steps.begin(), steps.end(), [&](const algebra::Step& step) { return step.text == text; });
  return is_step ? Advance::kCloser : Advance::kFine;
}

}  // namespace

Advance FindAlgebraAdvance(std::string_view before, std::string_view after) {
  const algebra::ReadResult old_line = algebra::Read(before);
  const algebra::ReadResult new_line = algebra::Read(after);
  if (old_line.error || new_line.error) return Advance::kNotKnown;
  const State& old_state = old_line.state;
  const State& new_state = new_line.state;
  if (IsFinal(new_state)) return Advance::kAnswer;
  if (before == after) return Advance::kRepeats;
  const float from = algebra::StepsToGo(before);
  const float to = algebra::StepsToGo(after);
  // Only the swapping of sides can be a step.
  constexpr float kWholeStep = 0.9F;
  if (Unordered(old_state) == Unordered(new_state)) return to < from - kWholeStep ? Advance::kCloser : Advance::kReorders;
  if (new_state.form != State::Form::kEquations || old_state.form != State::Form::kEquations)
    return AdvanceOfNumbers(old_state, new_state, from, to);
  // A product was split, a root was taken.
  if (new_state.equations.size() > old_state.equations.size()) return Advance::kCloser;
  if (!IsPolynomial(old_state) && IsPolynomial(new_state)) return Advance::kCloser;
  if (LosesMinus(old_state, new_state) || (IsSquare(new_state) && !IsSquare(old_state))) return Advance::kCloser;
  const State old_settled = Settled(old_state);
  const State new_settled = Settled(new_state);
  const float old_lines = LinesToGo(old_settled);
  const float new_lines = LinesToGo(new_settled);
  // A number on both sides brings no unknown up from below the line.
  if (DividesByUnknown(old_settled) && DividesByUnknown(new_settled) && !IsRewritten(old_state, new_state) &&
      OnAllSides(CountFractions, new_settled) >= OnAllSides(CountFractions, old_settled)) {
    const std::optional<LearnerOperation> operation = FindOperation(before, after);
    if (operation && (operation->name == "multiplied" || operation->name == "divided") &&
        operation->operand.find(old_state.unknown) == std::string::npos)
      return Advance::kNoNearer;
  }
  const auto whole = [](float lines) { return static_cast<int>(lines + 0.001F); };
  if (whole(new_lines) < whole(old_lines) ||
      (algebra::Contains(old_state, AlgebraKind::kUnknown) && !algebra::Contains(new_state, AlgebraKind::kUnknown)))
    return Advance::kCloser;
  if (whole(new_lines) > whole(old_lines)) return Advance::kAway;
  if (Unordered(old_settled) == Unordered(new_settled)) {
    if (OnAllSides(CountNodes, new_state) < OnAllSides(CountNodes, old_state)) return Advance::kCloser;
    return OnAllSides(CountIdle, new_state) > OnAllSides(CountIdle, old_state) ? Advance::kNoNearer : Advance::kFine;
  }
  if (IsRewritten(old_state, new_state) || !IsLinear(old_state)) return Advance::kFine;
  const bool lone = FactorOfLoneUnknown(old_settled).has_value();
  const bool right_fraction = algebra::Contains(old_settled.equations.front().right, AlgebraKind::kQuotient);
  // Denominators and decimals that are gone are worth something, and a minus before the unknown that moved to the other side.
  if ((!lone || right_fraction) && OnAllSides(CountFractions, new_settled) < OnAllSides(CountFractions, old_settled))
    return Advance::kCloser;
  if (!lone && algebra::Contains(old_settled, AlgebraKind::kDecimal) &&
      !algebra::Contains(new_settled, AlgebraKind::kDecimal) && OnAllSides(CountFractions, new_settled) == 0)
    return Advance::kCloser;
  if (JoinsTerms(old_settled, new_settled)) return Advance::kCloser;
  constexpr float kWorthSaying = 0.04F;
  if (new_lines > old_lines - kWorthSaying) return Advance::kNoNearer;
  const std::optional<LearnerOperation> operation = FindOperation(before, after);
  return !operation || operation->name == "added" || operation->name == "subtracted" ? Advance::kCloser : Advance::kNoNearer;
}

}  // namespace conpole
