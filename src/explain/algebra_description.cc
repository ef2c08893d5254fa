#include "explain/algebra_description.h"

#include <algorithm>

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

constexpr std::string_view kSign = " = ";

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

// A letter that is no part of a word.
bool HasUnknown(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!IsLetter(text[i])) continue;
    const bool word = (i > 0 && IsLetter(text[i - 1])) || (i + 1 < text.size() && IsLetter(text[i + 1]));
    if (!word) return true;
  }
  return false;
}

// Without conditions.
std::string_view EquationsOf(std::string_view state) { return state.substr(0, state.find(';')); }

std::string_view RightSideOf(std::string_view state) {
  const std::string_view equations = EquationsOf(state);
  const std::size_t sign = equations.find(kSign);
  return sign == std::string_view::npos ? std::string_view() : equations.substr(sign + kSign.size());
}

// Of whole numbers.
bool IsEven(std::string_view digits) {
  constexpr std::string_view kEvenDigits = "02468";
  return !digits.empty() && kEvenDigits.find(digits.back()) != std::string_view::npos;
}

// What the kind of step is for here; empty for what it is most often for.
std::string_view PurposeOf(const Action& action, std::string_view before, std::string_view after) {
  const std::string_view operand = action.operands.empty() ? std::string_view() : std::string_view(action.operands.front());
  const std::string_view equations = EquationsOf(before);
  const std::string& axiom = action.axiom;
  const auto count = [&](char c) { return std::count(equations.begin(), equations.end(), c); };
  if (axiom == "add" || axiom == "subtract") {
    if (RightSideOf(after) == "0" && count('^') > 0) return "zero";
    return HasUnknown(operand) ? "unknown" : "";
  }
  if (axiom == "divide") return operand == "-1" ? "minus" : count('(') > 0 ? "both" : "";
  if (axiom == "multiply") return count('/') == 1 ? "one" : "";
  if (axiom == "expand") return count('(') == 1 ? "one" : "";
  if (axiom == "evaluate") return operand == equations ? "" : "part";
  if (axiom == "root") {
    if (IsEven(operand) && RightSideOf(before).starts_with('-')) return "negative";
    return operand == "2" ? "" : "power";
  }
  if (axiom == "settle") return before.find(';') == std::string_view::npos ? "same" : "";
  return {};
}

// What is done to both sides. A term with the unknown is no state of its own; a number is, and the step's sentence has read it.
std::optional<Node> OperandOf(const std::string& text) {
  const algebra::ReadResult number = algebra::Read(text);
  if (const Node* const expression = number.OnlyExpression()) return *expression;
  const algebra::ReadResult side = algebra::Read(text + " = 0");
  const algebra::Equation* const equation = side.OnlyEquation();
  return equation == nullptr ? std::nullopt : std::optional(equation->left);
}

// A side with what is done to it, before anything is worked out; as it is for steps that rewrite it.
std::optional<Node> Operated(const std::string& axiom, const Node& side, const std::optional<Node>& operand) {
  const bool balances = axiom == "add" || axiom == "subtract" || axiom == "multiply" || axiom == "divide";
  if (!balances) return side;
  if (!operand) return std::nullopt;
  if (axiom == "add") return algebra::Sum({side, *operand});
  if (axiom == "subtract") return algebra::Sum({side, algebra::Negation(*operand)});
  return axiom == "multiply" ? algebra::Product({*operand, side}) : algebra::Quotient(side, *operand);
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
  const std::string power = equation.substr(equation.find(kSign) + kSign.size());
  const bool even = IsEven(degree);
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

std::string AlgebraHint(const Action& action, std::string_view before, std::string_view after) {
  const std::string_view purpose = PurposeOf(action, before, after);
  return purpose.empty() ? action.axiom : action.axiom + '.' + std::string(purpose);
}

std::vector<std::string> AlgebraReasons(const Action& action, std::string_view before, std::string_view after,
                                        const ShowAlgebra& show, std::string_view language) {
  const Catalogue& catalogue = Catalogue::Find(language);
  const std::string id = "why.algebra." + action.axiom;
  if (!catalogue.entries().contains(id)) return {};
  const std::string operand_text = action.operands.empty() ? std::string() : action.operands.front();
  std::vector<std::string> reasons{catalogue.Sentence(id, {{"term", show(operand_text)}})};
  const algebra::ReadResult old_line = algebra::Read(before);
  const algebra::ReadResult new_line = algebra::Read(after);
  const algebra::Equation* const was = old_line.OnlyEquation();
  const algebra::Equation* const is = new_line.OnlyEquation();
  if (was == nullptr || is == nullptr || action.axiom == "swap") return reasons;
  const std::optional<Node> operand = OperandOf(operand_text);
  const char unknown = old_line.state.unknown;
  const auto add = [&](const char* sentence, const Node& old_side, const Node& new_side) {
    const std::optional<Node> operated = Operated(action.axiom, old_side, operand);
    if (!operated || *operated == new_side) return;
    // Roots and the like are no rewriting of a side.
    if (!algebra::SameForm(*operated, new_side)) return;
    reasons.push_back(catalogue.Sentence(
        sentence, {{"was", show(algebra::TextOf(*operated, unknown))}, {"is", show(algebra::TextOf(new_side, unknown))}}));
  };
  add("why.left", was->left, is->left);
  add("why.right", was->right, is->right);
  return reasons;
}

}  // namespace conpole
