// The paper's Table 2 as records of runs have it: for people, for programs, and as learning curves. All functions may be called
// by any thread.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "experiments/table2_data.h"

namespace conpole::cli {

// A table in Markdown, with what its rows mean below it. `records` are in the order of the table.
std::string Table2Markdown(const std::vector<RunRecord>& records);
// One object per agent and domain.
Json Table2Json(const std::vector<RunRecord>& records);
// The domains of which there are learning curves.
std::vector<std::string> DomainsWithCurves(const std::vector<RunRecord>& records);
// Success on the test problems against steps, one curve per agent: the mean over its runs. Throws Error without gnuplot.
std::string Table2Curves(const std::vector<RunRecord>& records, const std::string& domain);

}  // namespace conpole::cli
