// Compares what two lines of school algebra mean and, if they differ, says why without giving the answer away: by the typical
// error that makes the second from the first (explain/mistakes.h), or by whether solutions are missing or too many. No number
// that solves the first line is named. Pure functions: any thread may call any of this.
#pragma once

#include <string_view>

#include "explain/comparison.h"
#include "verify/algebra_meaning.h"

namespace conpole {

// A line as canonical text and what it means.
struct AlgebraLine {
  std::string_view state;
  const AlgebraMeaning& meaning;
};

// A line that means the same but for numbers that the line before does not allow, since something in it would be divided by
// zero, is different with Comparison::with_condition.
Comparison CompareAlgebra(const AlgebraLine& before, const AlgebraLine& after);

}  // namespace conpole
