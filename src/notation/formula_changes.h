// Which parts of a line a step changes: two formulas are compared from their roots on, and the smallest parts that differ are
// marked in each. What only one of them has, a term of a sum for example, is marked in that one. Takes time in proportion to
// their sizes. Any thread may call this.
#pragma once

#include <vector>

#include "notation/formula.h"

namespace conpole {

// Whether a node is marked, of each formula. No node below a marked one is.
struct FormulaChanges {
  std::vector<bool> before;
  std::vector<bool> after;
};
FormulaChanges CompareFormulas(const Formula& before, const Formula& after);

}  // namespace conpole
