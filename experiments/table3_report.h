// Table 3 as records have it: for people and for programs. Any thread may call these.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "experiments/table3_data.h"

namespace conpole::cli {

// Tables in Markdown, with what they mean below them. `records` are in the order of the table.
std::string Table3Markdown(const std::vector<Table3Record>& records);
// One object per representation, domain and layer: the mean over its runs, the range, and of a single run the interval.
Json Table3Json(const std::vector<Table3Record>& records);

}  // namespace conpole::cli
