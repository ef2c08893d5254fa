#include "explain/function_rules.h"

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "explain/mistake_rules_data.h"

namespace conpole::mistakes {
namespace {

namespace book = textbook;
using book::Op;
using book::Ptr;

// Reads the parts of a rule, each operator before its operands.
class TreeReader {
 public:
  TreeReader(const files::Definition& file, std::span<const files::Part> parts) : file_(file), parts_(parts) {}

  // The sides of an equation, or the expression alone.
  std::vector<Ptr> ReadSides() {
    const files::Part& part = parts_[0];
    const bool is_equation = part.kind == files::PartKind::kOperator && file_.grammar.op(part.id).symbol == "=";
    if (is_equation) ++at_;
    std::vector<Ptr> sides{Read()};
    if (is_equation) sides.push_back(Read());
    return sides;
  }

 private:
  Ptr Read() {
    const files::Part& part = parts_[at_++];
    if (part.kind == files::PartKind::kNumber)
      return book::MakeNumber(book::Exact(part.number.numerator()) / part.number.denominator());
    if (part.kind == files::PartKind::kVariable)
      return book::MakeLetter(file_.variables[static_cast<std::size_t>(part.id)].name);
    const files::Operator& op = file_.grammar.op(part.id);
    std::vector<Ptr> operands;
    for (std::size_t i = 0; i < op.arity; ++i) operands.push_back(Read());
    if (op.arity == 1) return op.symbol == "abs" ? book::MakeAbs(operands[0]) : book::MakeNegation(operands[0]);
    if (op.symbol == "+") return book::MakeSum(std::move(operands));
    if (op.symbol == "-") return book::MakeSum({operands[0], book::MakeNegation(operands[1])});
    if (op.symbol == "*") return book::MakeProduct(std::move(operands));
    if (op.symbol == "/") return book::MakeQuotient(operands[0], operands[1]);
    if (op.symbol == "^") return book::MakePower(operands[0], operands[1]);
    auto tree = std::make_shared<book::Tree>();
    tree->op = op.symbol == "root" ? Op::kRoot : Op::kLog;
    tree->args = {operands[1], operands[0]};
    return tree;
  }

  const files::Definition& file_;
  std::span<const files::Part> parts_;
  std::size_t at_ = 0;
};

using Bound = std::map<std::string, Ptr, std::less<>>;

// Calls `found` for each way in which a tree looks like a pattern.
void FitTree(const Ptr& pattern, const Ptr& tree, const Bound& bound, const std::function<void(const Bound&)>& found) {
  if (pattern->Is(Op::kLetter)) {
    const auto known = bound.find(pattern->name);
    if (known != bound.end()) {
      if (book::TextOf(known->second) == book::TextOf(tree)) found(bound);
      return;
    }
    Bound more = bound;
    more.emplace(pattern->name, tree);
    return found(more);
  }
  if (pattern->op != tree->op) return;
  if (pattern->Is(Op::kNumber)) {
    if (book::TextOf(pattern) == book::TextOf(tree)) found(bound);
  } else if (pattern->Is(Op::kSum) || pattern->Is(Op::kProduct)) {
    for (std::size_t i = 0; i < tree->args.size(); ++i) {
      std::vector<Ptr> rest = tree->args;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const Ptr others = pattern->Is(Op::kSum) ? book::MakeSum(std::move(rest)) : book::MakeProduct(std::move(rest));
      FitTree(pattern->args[0], tree->args[i], bound,
              [&](const Bound& more) { FitTree(pattern->args[1], others, more, found); });
    }
  } else if (pattern->args.size() == 1) {
    FitTree(pattern->args[0], tree->args[0], bound, found);
  } else {
    FitTree(pattern->args[0], tree->args[0], bound,
            [&](const Bound& more) { FitTree(pattern->args[1], tree->args[1], more, found); });
  }
}

Ptr BuildTree(const Ptr& pattern, const Bound& bound) {
  if (pattern->Is(Op::kLetter)) return bound.at(pattern->name);
  auto tree = std::make_shared<book::Tree>(*pattern);
  for (Ptr& part : tree->args) part = BuildTree(part, bound);
  return tree;
}

}  // namespace

const files::Definition& FunctionFile() {
  static const std::shared_ptr<const files::Definition> file =
      files::ReadMistakes("functions.domain", std::string(kFunctionMistakes));
  return *file;
}

const std::vector<FunctionRule>& FunctionRules() {
  static const std::vector<FunctionRule> rules = [] {
    std::vector<FunctionRule> all;
    const files::Definition& file = FunctionFile();
    for (const files::Rule& rule : file.errors) {
      for (const files::Form& form : rule.forms)
        all.push_back({rule.name, TreeReader(file, form.left).ReadSides(), TreeReader(file, form.right).ReadSides()});
    }
    return all;
  }();
  return rules;
}

void ApplyRule(const FunctionRule& rule, const std::vector<Ptr>& sides,
               const std::function<void(const std::vector<Ptr>&)>& found) {
  const auto build = [&](const Bound& bound) {
    std::vector<Ptr> made;
    for (const Ptr& side : rule.to) made.push_back(BuildTree(side, bound));
    found(made);
  };
  FitTree(rule.from[0], sides[0], {}, [&](const Bound& bound) {
    if (rule.from.size() == 1) return build(bound);
    FitTree(rule.from[1], sides[1], bound, build);
  });
}

}  // namespace conpole::mistakes
