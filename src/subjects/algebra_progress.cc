#include "subjects/algebra_progress.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "domains/school/algebra_actions.h"
#include "domains/school/algebra_heuristic.h"
#include "domains/school/algebra_text.h"
#include "domains/school/algebra_tidy.h"

namespace conpole {
namespace {

using AlgebraKind = algebra::Kind;
using algebra::Node;
using algebra::State;

// A number that nobody has to work on any more; people also leave it as a mixed number.
bool IsFinal(const Node& number) {
  const Node& size = number.Is(AlgebraKind::kNegation) ? number.children[0] : number;
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
  for (std::size_t i = 0; i < state.equations.size(); ++i) {
    const algebra::Equation& equation = state.equations[i];
    if (!IsFinal(equation)) return false;
    if (std::find(state.equations.begin(), state.equations.begin() + static_cast<std::ptrdiff_t>(i), equation) !=
        state.equations.begin() + static_cast<std::ptrdiff_t>(i)) {
      return false;
    }
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
    const algebra::NumberStyle style = algebra::StyleOf(equation.left, equation.right);
    equation = {change(equation.left, style), change(equation.right, style)};
  }
  return state;
}

Node MultipliedOut(const Node& side, algebra::NumberStyle style) {
  const algebra::FormResult form = algebra::FindNormalForm(side);
  return form.fault || !form.form.IsPolynomial() ? side : algebra::PolynomialNode(form.form.numerator, style);
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
    const algebra::FormResult a = algebra::FindNormalForm(algebra::Negation(old_side));
    const algebra::FormResult b = algebra::FindNormalForm(new_side);
    return !a.fault && !b.fault && a.form == b.form;
  };
  const algebra::Equation& old_equation = before.equations.front();
  const algebra::Equation& new_equation = after.equations.front();
  if (algebra::Contains(old_equation.right, AlgebraKind::kRoot) || algebra::Contains(new_equation.right, AlgebraKind::kRoot))
    return false;
  if (!negated(old_equation.left, new_equation.left) || !negated(old_equation.right, new_equation.right)) return false;
  const auto negative = [](const Node& side) {
    return side.Is(AlgebraKind::kNegation) && algebra::Contains(side, AlgebraKind::kUnknown);
  };
  return (negative(old_equation.left) && !negative(new_equation.left)) ||
         (negative(old_equation.right) && !negative(new_equation.right));
}

// (x - 3)^2 = 4: all that is left is the root.
bool IsSquare(const State& state) {
  if (state.equations.size() != 1) return false;
  const algebra::Equation& equation = state.equations.front();
  const auto square = [](const Node& side) { return side.Is(AlgebraKind::kPower) && side.children[0].Is(AlgebraKind::kSum); };
  const auto number = [](const Node& side) { return !algebra::Contains(side, AlgebraKind::kUnknown); };
  return (square(equation.left) && number(equation.right)) || (square(equation.right) && number(equation.left));
}

float StepsToGo(const State& state) { return algebra::StepsToGo(algebra::TextOf(state)); }

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
  if (to < from) return Advance::kCloser;
  // A product was split, a root was taken; numbers came over one line.
  if (new_state.equations.size() > old_state.equations.size()) return Advance::kCloser;
  if (new_state.form == State::Form::kExpression && old_state.form == State::Form::kExpression &&
      CountFractions(new_state.expression) < CountFractions(old_state.expression)) {
    return Advance::kCloser;
  }
  if (LosesMinus(old_state, new_state) || (IsSquare(new_state) && !IsSquare(old_state))) return Advance::kCloser;
  const State tidied = WithSides(new_state, algebra::Tidied);
  if (StepsToGo(tidied) < from || StepsToGo(WithSides(new_state, MultipliedOut)) < from) return Advance::kCloser;
  const std::string tidied_text = algebra::TextOf(tidied);
  for (const algebra::Step& step : algebra::ListSteps(old_state)) {
    if (step.text == after || step.text == tidied_text) return Advance::kCloser;
  }
  return Advance::kFine;
}

}  // namespace conpole
