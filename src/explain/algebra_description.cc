#include "explain/algebra_description.h"

#include <vector>

#include <fmt/format.h>

#include "domains/school/algebra_actions.h"
#include "domains/school/algebra_polynomial.h"
#include "domains/school/algebra_text.h"
#include "util/text.h"
#include "verify/algebra_meaning.h"

namespace conpole {
namespace {

using algebra::Kind;
using algebra::Node;

// The square root of a number, and what it becomes: sqrt(36/5), sqrt(36)/sqrt(5), 6sqrt(5)/5. None if it has no simpler form.
std::vector<std::string> FormsOfRoot(const std::string& number) {
  const algebra::ReadResult read = algebra::Read(number);
  const std::optional<algebra::Exact> value =
      read.OnlyExpression() ? algebra::NumberValue(*read.OnlyExpression()) : std::nullopt;
  if (!value || *value <= 0) return {};
  const std::optional<algebra::Surd> root = algebra::RootOf(*value, 2);
  const bool whole = denominator(*value) == 1;
  if (!root || root->radicand == 0 || (whole && root->factor == 1)) return {};
  std::vector<std::string> forms{fmt::format("sqrt({})", value->str())};
  if (!whole) forms.push_back(fmt::format("sqrt({})/sqrt({})", numerator(*value).str(), denominator(*value).str()));
  forms.push_back(algebra::TextOf(algebra::SurdNode(*root), 0));
  return forms;
}

}  // namespace

std::optional<std::string> ResultOfNumberStep(std::string_view axiom, const std::string& operand) {
  const algebra::ReadResult read = algebra::Read(operand);
  if (read.OnlyExpression() == nullptr) return std::nullopt;
  for (const algebra::Step& step : algebra::ListSteps(read.state)) {
    if (NameOf(step.action) == axiom && step.operand == operand) return step.text;
  }
  // A decimal by itself needs no step, as it does among fractions.
  if (axiom != NameOf(algebra::Action::kConvert) || !read.state.expression.Is(Kind::kDecimal)) return std::nullopt;
  const std::optional<algebra::Exact> value = algebra::NumberValue(read.state.expression);
  if (!value) return std::nullopt;
  return algebra::TextOf(algebra::NumberNode(*value, algebra::NumberStyle::kFractions), 0);
}

void DescribeAllPlaces(std::string_view axiom, const std::string& before, const ShowAlgebra& show, Catalogue::Slots& slots) {
  const algebra::ReadResult read = algebra::Read(before);
  if (read.OnlyExpression() == nullptr) return;
  std::vector<std::string> results;
  for (const algebra::Step& step : algebra::ListSteps(read.state)) {
    if (NameOf(step.action) != axiom || step.operand == "all") continue;
    const std::optional<std::string> result = ResultOfNumberStep(axiom, step.operand);
    if (!result) return;
    results.push_back(show(step.operand) + " = " + show(*result));
  }
  if (results.size() > 1) slots["all"] = Join(results);
}

void DescribeReciprocal(const std::string& division, const ShowAlgebra& show, Catalogue::Slots& slots) {
  const algebra::ReadResult read = algebra::Read(division);
  const Node* const quotient = read.OnlyExpression();
  if (quotient == nullptr || !quotient->Is(Kind::kQuotient)) return;
  const Node& below = quotient->children[1];
  const std::optional<algebra::Exact> value = algebra::NumberValue(below);
  if (!value || value->is_zero()) return;
  slots["divisor"] = show(algebra::TextOf(below, 0));
  slots["reciprocal"] =
      show(algebra::TextOf(algebra::NumberNode(algebra::Exact(1 / *value), algebra::NumberStyle::kFractions), 0));
}

void DescribeBrackets(const std::string& term, const ShowAlgebra& show, Catalogue::Slots& slots) {
  constexpr std::string_view kMinus = "-(";
  if (!term.starts_with(kMinus)) return;
  // The brackets are all of the term: the one that is opened first is closed last.
  int open = 0;
  for (std::size_t i = 1; i < term.size(); ++i) {
    if (term[i] == '(') ++open;
    if (term[i] == ')' && --open == 0 && i + 1 < term.size()) return;
  }
  slots["minus"] = show(term);
}

void DescribeRoot(std::string_view degree, const std::string& equation, const ShowAlgebra& show, Catalogue::Slots& slots) {
  constexpr std::string_view kSign = " = ";
  const std::string power = equation.substr(equation.find(kSign) + kSign.size());
  constexpr std::string_view kEvenDigits = "02468";
  const bool even = !degree.empty() && kEvenDigits.find(degree.back()) != std::string_view::npos;
  if (even && power.starts_with('-')) {
    slots["negative"] = show(power);
  } else if (even && power == "0") {
    slots["zero"] = power;
  }
  if (degree == "3") {
    slots["cube"] = show(equation);
  } else if (degree != "2") {
    slots[even ? "even" : "degree"] = degree;
  } else {
    for (const std::string& form : FormsOfRoot(power)) {
      std::string& root = slots["root"];
      root += (root.empty() ? "" : " = ") + show(form);
    }
  }
}

void DescribeFormula(const std::string& quadratic, const ShowAlgebra& show, Catalogue::Slots& slots) {
  // From its values at 0, 1 and -1.
  const std::optional<Expression> term = ReadAlgebraTerm(quadratic);
  if (!term) return;
  const std::optional<Exact> at_zero = EvaluateTerm(*term, 0);
  const std::optional<Exact> at_one = EvaluateTerm(*term, 1);
  const std::optional<Exact> at_minus_one = EvaluateTerm(*term, -1);
  if (!at_zero || !at_one || !at_minus_one) return;
  const Exact a = (*at_one + *at_minus_one) / 2 - *at_zero;
  const Exact b = (*at_one - *at_minus_one) / 2;
  const Exact discriminant = b * b - 4 * a * *at_zero;
  if (discriminant < 0) {
    slots["discriminant"] = show(discriminant.str());
    return;
  }
  slots["a"] = show(a.str());
  slots["b"] = show(b.str());
  slots["c"] = show(at_zero->str());
  slots["value"] = show(discriminant.str());
}

}  // namespace conpole
