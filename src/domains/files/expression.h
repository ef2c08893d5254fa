// Exact arithmetic of expressions in domain files. Any thread may call these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "domains/files/definition.h"
#include "math/rational.h"

namespace conpole::files {

// Less than 0 if a < b, 0 if they are equal.
int CompareNumbers(const Rational& a, const Rational& b);
// Whether a and b stand in a relation: = != < <= > >=.
bool HoldsFor(std::string_view comparison, const Rational& a, const Rational& b);
// The largest integer that is at most the number.
std::int64_t FloorOf(const Rational& number);
// A function of numbers; those of one argument take the first. Nothing if there is no such value, or it is too large.
std::optional<Rational> ApplyFunction(Function function, const Rational& a, const Rational& b);

// The value of an expression of numbers and variables alone, where `value_of` knows that of each variable.
template <class ValueOf>
std::optional<Rational> EvaluateNumbers(const Expression& expression, const ValueOf& value_of) {
  if (expression.function == Function::kNumber) return expression.number;
  if (expression.function == Function::kVariable) return value_of(expression.variable);
  std::array<Rational, 2> arguments{};
  for (std::size_t i = 0; i < expression.arguments.size() && i < 2; ++i) {
    const std::optional<Rational> value = EvaluateNumbers(expression.arguments[i], value_of);
    if (!value) return std::nullopt;
    arguments[i] = *value;
  }
  return ApplyFunction(expression.function, arguments[0], arguments[1]);
}

}  // namespace conpole::files
