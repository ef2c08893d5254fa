// Solutions as pictures for beginners, line by line, as SVG: linear equations as balances, sums and products of fractions as
// bars. What there is to see also stands in the title and the description, in formulas. Pure functions; any thread may call
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "notation/formula.h"

namespace conpole {

struct DrawnLine {
  std::string text;  // as people write it
  Formula formula;
};

// The problem and the lines of its solution. Lines that cannot be shown are left out; nothing if the problem cannot.
std::optional<std::string> DrawBalances(const std::vector<DrawnLine>& lines);
std::optional<std::string> DrawFractionBars(const std::vector<DrawnLine>& lines);

}  // namespace conpole
