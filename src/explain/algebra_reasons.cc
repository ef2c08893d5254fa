#include "explain/algebra_reasons.h"

#include <optional>
#include <utility>

#include "domains/school/algebra_text.h"
#include "language/catalogue.h"

namespace conpole {
namespace {

using algebra::Node;

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
