// The list of steps while it is made: what equations and numbers share. For algebra_actions.cc and algebra_numbers.cc only.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "domains/school/algebra_actions.h"

namespace conpole::algebra {

class StepList {
 public:
  explicit StepList(const State& state) : state_text_(TextOf(state)) {}

  // Adds a step unless its label or its result is there already, or its result has a fault.
  void Add(Action action, std::string operand, std::size_t equation, std::vector<Polynomial> new_conditions, State next) {
    for (const Step& step : steps_) {
      if (step.action == action && step.operand == operand) return;
    }
    std::string text;
    if (FindFault(next, text) || text == state_text_) return;
    for (const Step& step : steps_) {
      if (step.text == text) return;
    }
    steps_.push_back({action, std::move(operand), equation, std::move(new_conditions), std::move(next), std::move(text)});
  }

  std::size_t size() const { return steps_.size(); }
  std::vector<Step> Take() { return std::move(steps_); }

 private:
  std::string state_text_;
  std::vector<Step> steps_;
};

// The places of subexpressions: indices of children, from the root down.
using Path = std::vector<std::size_t>;
// A copy of the root with the subexpression there replaced; sums in sums and products in products are made one.
Node Replaced(const Node& root, const Path& path, Node replacement);

void ListNumberSteps(const State& state, StepList& steps);
void ListEquationSteps(const State& state, StepList& steps);

}  // namespace conpole::algebra
