#include "domains/school/algebra_actions.h"

#include <array>
#include <utility>

#include "domains/school/algebra_steps.h"

namespace conpole::algebra {
namespace {

struct Description {
  Action action;
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array kDescriptions{
    Description{Action::kCollect, "collect", "a side is tidied: numbers are worked out and like terms made one"},
    Description{Action::kExpand, "expand", "a bracket is multiplied out"},
    Description{Action::kAdd, "add", "a term is added on both sides"},
    Description{Action::kSubtract, "subtract", "a term is subtracted on both sides"},
    Description{Action::kMultiply, "multiply", "both sides are multiplied by the common denominator"},
    Description{Action::kDivide, "divide", "both sides are divided by a number that is not zero"},
    Description{Action::kSwap, "swap", "the sides change places"},
    Description{Action::kReduce, "reduce", "a fraction is reduced"},
    Description{Action::kSplit, "split", "a product is zero where one of its factors is"},
    Description{Action::kRoot, "root", "a root is taken on both sides"},
    Description{Action::kFactor, "factor", "a polynomial is written as a product"},
    Description{Action::kFormula, "formula", "the quadratic formula gives the roots"},
    Description{Action::kConclude, "conclude", "an equation without the unknown holds always or never"},
    Description{Action::kSettle, "settle", "answers that a condition excludes are left out"},
    Description{Action::kEvaluate, "evaluate", "whole numbers or decimals are worked out"},
    Description{Action::kCommon, "common", "the fractions of a sum are brought to a common denominator"},
    Description{Action::kSum, "sum", "fractions over one denominator are added"},
    Description{Action::kProduct, "product", "fractions are multiplied"},
    Description{Action::kInvert, "invert", "a division becomes a product with the reciprocal"},
    Description{Action::kConvert, "convert", "a mixed number or a decimal is written as a fraction"},
};

const Description& Describe(Action action) { return kDescriptions.at(static_cast<std::size_t>(action)); }

// Makes sums in sums and products in products one, along a path.
void Flatten(Node& node, const Path& path, std::size_t depth, Node& replacement) {
  if (depth == path.size()) {
    node = std::move(replacement);
    return;
  }
  Flatten(node.children[path[depth]], path, depth + 1, replacement);
  if (node.Is(Kind::kSum)) {
    node = Sum(std::move(node.children));
  } else if (node.Is(Kind::kProduct)) {
    node = Product(std::move(node.children));
  }
}

}  // namespace

std::string_view NameOf(Action action) { return Describe(action).name; }
std::string_view MeaningOf(Action action) { return Describe(action).meaning; }

const std::vector<Action>& AllActions() {
  static const std::vector<Action> actions = [] {
    std::vector<Action> all;
    for (const Description& description : kDescriptions) all.push_back(description.action);
    return all;
  }();
  return actions;
}

std::string Step::Label() const {
  std::string label(NameOf(action));
  if (!operand.empty()) label += ' ' + operand;
  return label;
}

Node Replaced(const Node& root, const Path& path, Node replacement) {
  Node copy = root;
  Flatten(copy, path, 0, replacement);
  return copy;
}

std::vector<Step> ListSteps(const State& state) {
  if (IsSolved(state)) return {};
  StepList steps(state);
  if (state.form == State::Form::kExpression) {
    ListNumberSteps(state, steps);
  } else {
    ListEquationSteps(state, steps);
  }
  return steps.Take();
}

}  // namespace conpole::algebra
