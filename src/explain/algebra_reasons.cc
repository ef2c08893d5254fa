#include "explain/algebra_reasons.h"

#include <optional>
#include <utility>

#include "domains/school/algebra_text.h"
#include "language/catalogue.h"

namespace conpole {
namespace {

using algebra::Node;

std::optional<algebra::Equation> OnlyEquationOf(std::string_view state) {
  algebra::ReadResult read = algebra::Read(state);
  if (read.error || read.state.form != algebra::State::Form::kEquations || read.state.equations.size() != 1)
    return std::nullopt;
  return std::move(read.state.equations.front());
}

// What is done to both sides. A term with the unknown is no state of its own; a number is, and the step's sentence has read it.
std::optional<Node> OperandOf(const std::string& text) {
  algebra::ReadResult read = algebra::Read(text);
  if (!read.error && read.state.form == algebra::State::Form::kExpression) return std::move(read.state.expression);
  std::optional<algebra::Equation> equation = OnlyEquationOf(text + " = 0");
  if (!equation) return std::nullopt;
  return std::move(equation->left);
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

std::vector<std::string> AlgebraReasons(const Action& action, std::string_view before, std::string_view after,
                                        const ShowAlgebra& show, std::string_view language) {
  const Catalogue& catalogue = Catalogue::Find(language);
  const std::string id = "why.algebra." + action.axiom;
  if (!catalogue.entries().contains(id)) return {};
  const std::string operand_text = action.operands.empty() ? std::string() : action.operands.front();
  std::vector<std::string> reasons{catalogue.Sentence(id, {{"term", show(operand_text)}})};
  const std::optional<algebra::Equation> was = OnlyEquationOf(before);
  const std::optional<algebra::Equation> is = OnlyEquationOf(after);
  if (!was || !is || action.axiom == "swap") return reasons;
  const std::optional<Node> operand = OperandOf(operand_text);
  const char unknown = algebra::Read(before).state.unknown;
  const auto add = [&](const char* sentence, const Node& old_side, const Node& new_side) {
    const std::optional<Node> operated = Operated(action.axiom, old_side, operand);
    if (!operated || *operated == new_side) return;
    // Roots and the like are no rewriting of a side.
    if (algebra::Contains(*operated, algebra::Kind::kRoot) || algebra::Contains(new_side, algebra::Kind::kRoot)) return;
    const algebra::FormResult old_form = algebra::FindNormalForm(*operated);
    const algebra::FormResult new_form = algebra::FindNormalForm(new_side);
    if (old_form.fault || new_form.fault || old_form.form != new_form.form) return;
    reasons.push_back(catalogue.Sentence(
        sentence, {{"was", show(algebra::TextOf(*operated, unknown))}, {"is", show(algebra::TextOf(new_side, unknown))}}));
  };
  add("why.left", was->left, is->left);
  add("why.right", was->right, is->right);
  return reasons;
}

}  // namespace conpole
