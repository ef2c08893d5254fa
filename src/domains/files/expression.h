// Exact arithmetic of expressions in domain files. Any thread may call these.
#pragma once

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

}  // namespace conpole::files
