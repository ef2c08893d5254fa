// What a person does in one line of school algebra: every step that is offered for a state, with what it did as data. Each step
// keeps the solutions exactly: a number solves the state after it, conditions included, if and only if it solves the state
// before it. Numbers that a step would let in, because it takes a denominator away, become conditions; nothing is divided by
// what can be zero.
//
// Of several equations ("x = 2 or x^2 = 9"), steps work on the first one that is not an answer yet. Pure functions: any thread
// may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domains/school/algebra_text.h"

namespace conpole::algebra {

enum class Action : std::uint8_t {
  // Equations.
  kCollect,   // a side is tidied: numbers worked out, like terms made one; operand: left, right or both
  kExpand,    // a bracket is multiplied out; operand: the term that has it, or all
  kAdd,       // a term is added on both sides, and both are tidied
  kSubtract,  // likewise
  kMultiply,  // both sides are multiplied by the common denominator
  kDivide,    // both sides are divided by a number
  kSwap,      // the sides change places
  kReduce,    // a fraction is reduced; operand: the fraction
  kSplit,     // a product is zero where one of its factors is
  kRoot,      // a root is taken on both sides; operand: its degree
  kFactor,    // a polynomial is written as a product
  kFormula,   // the quadratic formula
  kConclude,  // an equation without the unknown holds always or never, and one with equal sides always
  kSettle,    // the answers that a condition excludes are left out, and the same answer is written once
  // Numbers. The operand is what it is done to, or all.
  kEvaluate,  // whole numbers and decimals are worked out
  kCommon,    // the fractions of a sum are brought to their common denominator
  kSum,       // fractions over one denominator are added
  kProduct,   // fractions are multiplied
  kInvert,    // a division by a number becomes a product with its reciprocal
  kConvert,   // a mixed number or a decimal becomes a fraction
};

// The word that labels begin with.
std::string_view NameOf(Action action);
// What it does, in a few words.
std::string_view MeaningOf(Action action);
// All actions, in the order of the enumeration.
const std::vector<Action>& AllActions();

struct Step {
  Action action = Action::kCollect;
  std::string operand;                     // as text; empty if there is none
  std::size_t equation = 0;                // the one that was worked on
  std::vector<Polynomial> new_conditions;  // that the step adds
  State next;
  std::string text;  // of the next state

  // "subtract 3", or "swap".
  std::string Label() const;
};

// Every step from a state that has no fault, in a fixed order. Labels are different, and so are the texts of the next states;
// none is the state itself. None if the state is solved, or if nothing can be done.
std::vector<Step> ListSteps(const State& state);

}  // namespace conpole::algebra
