// The paper's Table 2 as records of runs have it: for people, for programs, and as learning curves. All functions may be called
// by any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "cli/table2_data.h"

namespace conpole::cli {

// A table in Markdown, with what its rows mean below it. `records` are in the order of the table.
std::string Table2Markdown(const std::vector<RunRecord>& records);
// One object per agent and domain.
Json Table2Json(const std::vector<RunRecord>& records);
// The domains of which there are learning curves.
std::vector<std::string> DomainsWithCurves(const std::vector<RunRecord>& records);
// Success on the test problems against steps, one curve per agent: the mean over its runs. Throws Error without gnuplot.
std::string Table2Curves(const std::vector<RunRecord>& records, const std::string& domain);

// Between these two lines a page has the table.
inline constexpr std::string_view kTable2Begin = "<!-- table2: begin, written by conpole reproduce table2 -->\n";
inline constexpr std::string_view kTable2End = "<!-- table2: end -->\n";
// The page with this table in it. Throws Error if the page has no place for it.
std::string PutIntoPage(const std::string& page, const std::string& table);

}  // namespace conpole::cli
