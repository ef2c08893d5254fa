#include "tutor/explain.h"

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "tutor/expression.h"
#include "tutor/verify.h"
#include "util/text.h"

namespace conpole {
namespace {

// A label in its parts: "eval 5, (2 * 3)" is an axiom, a position and the rest.
struct Label {
  std::string_view axiom;
  std::optional<std::size_t> position;
  std::string_view rest;
};

Label SplitLabel(std::string_view label) {
  Label parts;
  parts.axiom = AxiomOf(label);
  parts.rest = label.substr(std::min(label.size(), parts.axiom.size() + 1));
  std::size_t position = 0;
  const char* const end = parts.rest.data() + parts.rest.size();
  const auto [at, failure] = std::from_chars(parts.rest.data(), end, position);
  // A number that is a term (sub 3) has nothing after it, a position has a comma or stands alone in what has no terms.
  const bool comma = failure == std::errc() && at != end && *at == ',';
  if (comma || (failure == std::errc() && at == end)) {
    parts.position = position;
    if (comma) parts.rest.remove_prefix(std::min(parts.rest.size(), static_cast<std::size_t>(at - parts.rest.data()) + 2));
  }
  return parts;
}

// The node at a position of labels: the index in pre-order.
std::optional<std::size_t> NodeAt(const Expression& expression, std::size_t position) {
  std::vector<std::size_t> waiting{expression.size() - 1};
  while (!waiting.empty()) {
    const std::size_t node = waiting.back();
    waiting.pop_back();
    if (position == 0) return node;
    if (position >= expression[node].size) {
      position -= expression[node].size;
      continue;
    }
    --position;
    const ExpressionNode::Kind kind = expression[node].kind;
    if (kind == ExpressionNode::Kind::kOperation) {
      waiting.push_back(RightOperand(expression, node));
      waiting.push_back(LeftOperand(expression, node));
    } else if (kind == ExpressionNode::Kind::kNegation) {
      waiting.push_back(RightOperand(expression, node));
    }
  }
  return std::nullopt;
}

class Explainer {
 public:
  Explainer(std::string_view label, std::string_view before, std::string_view after, const ExplainOptions& options)
      : label_(SplitLabel(label)), before_(before), after_(after), script_(options.script), results_(options.results) {}

  const Label& label() const { return label_; }
  const Catalogue::Slots& slots() const { return slots_; }

  void Equation() {
    // refl has no term; add, sub, mul and div have one without a position.
    if (label_.rest.empty()) return;
    const bool both_sides = label_.axiom == "add" || label_.axiom == "sub" || label_.axiom == "mul" || label_.axiom == "div";
    if (both_sides) {
      slots_["term"] = Shown(TermKind::kEquation, std::string(label_.rest));
    } else {
      TermAndResult(TermKind::kEquation);
    }
  }

  void Fraction() {
    if (label_.axiom == "factorize") {
      // "n, k*m"
      const std::size_t comma = label_.rest.find(", ");
      std::string product(label_.rest.substr(comma + 2));
      product.replace(product.find('*'), 1, " * ");
      slots_["number"] = Math(std::string(label_.rest.substr(0, comma)));
      slots_["term"] = Shown(TermKind::kFraction, product);
    } else if (label_.axiom == "cancel" || label_.axiom == "scale" || label_.axiom == "mfrac") {
      slots_["number"] = Math(std::string(label_.rest));
    } else {
      TermAndResult(TermKind::kFraction);
    }
  }

  void Multiplication() { TermAndResult(TermKind::kMultiplication); }

  // "i, d" or "i, d e"
  void Ternary() {
    const std::size_t blank = label_.rest.find(' ');
    slots_["first"] = Digit(label_.rest.substr(0, blank));
    if (blank != std::string_view::npos) slots_["second"] = Digit(label_.rest.substr(blank + 1));
    constexpr std::size_t kHead = 2;    // #(
    constexpr std::size_t kStride = 3;  // b3 and a blank
    if (label_.axiom != "comb" || !label_.position || !results_) return;
    const std::size_t at = kHead + kStride * *label_.position;
    if (at + 5 > after_.size()) return;
    slots_["result"] = Digit(after_.substr(at, 2)) + ", " + Digit(after_.substr(at + kStride, 2));
  }

  void Sorting() {
    if (!label_.position) return;
    slots_["first"] = std::to_string(*label_.position + 1);
    slots_["second"] = std::to_string(*label_.position + 2);
  }

 private:
  std::string Math(const std::string& text) const { return script_ == Script::kLatex ? "$" + text + "$" : text; }
  std::string Shown(TermKind kind, const std::string& canonical) const { return Math(WriteTerm(kind, script_, canonical)); }

  std::string Digit(std::string_view item) const {
    const std::string power = std::to_string(item[1] - '0');
    if (script_ == Script::kLatex) return Math(std::to_string(item[0] - 'a') + " \\cdot 3^{" + power + "}");
    return item[0] + power;
  }

  // What the axiom was applied to, and what became of it at the same place. A result next to a sign may have become one with
  // it; then the place holds something else, which the comparison notices.
  void TermAndResult(TermKind kind) {
    const std::optional<Expression> before = ReadCanonical(before_);
    const std::optional<Expression> after = ReadCanonical(after_);
    if (!before || !after || !label_.position) return;
    const std::optional<std::size_t> from = NodeAt(*before, *label_.position);
    const std::optional<std::size_t> to = NodeAt(*after, *label_.position);
    if (!from) return;
    const Expression term = Subexpression(*before, *from);
    slots_["term"] = Math(WriteExpression(kind, script_, term));
    if (!to || !results_) return;
    const Expression result = Subexpression(*after, *to);
    if (SameFunction(term, result).value_or(false)) slots_["result"] = Math(WriteExpression(kind, script_, result));
  }

  static Expression Subexpression(const Expression& expression, std::size_t node) {
    const auto end = expression.begin() + static_cast<std::ptrdiff_t>(node) + 1;
    return {end - expression[node].size, end};
  }

  Label label_;
  std::string_view before_;
  std::string_view after_;
  Script script_;
  bool results_;
  Catalogue::Slots slots_;
};

}  // namespace

std::optional<std::size_t> PositionOf(const Domain& domain, std::string_view label) {
  // In equations a number that stands alone is a term: sub 3.
  if (domain.type().name == "equations" && label.find(',') == std::string_view::npos) return std::nullopt;
  return SplitLabel(label).position;
}

std::string ExplainStep(const Domain& domain, std::string_view label, std::string_view before, std::string_view after,
                        const ExplainOptions& options) {
  const std::string& name = domain.type().name;
  Explainer explainer(label, before, after, options);
  if (name == "equations") explainer.Equation();
  if (name == "fractions") explainer.Fraction();
  if (name == "multiplication") explainer.Multiplication();
  if (name == "ternary-addition") explainer.Ternary();
  if (name == "sorting") explainer.Sorting();
  std::string id = name + ".";
  id += explainer.label().axiom;
  return Catalogue::Find(options.language).Sentence(id, explainer.slots());
}

}  // namespace conpole
