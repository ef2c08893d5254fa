// Records of solved cubes beside what others have published: for people, for programs, and as a curve. All functions may be
// called by any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "experiments/cube_data.h"

namespace conpole::cli {

// A table in Markdown, with what its columns mean below it. `records` are in the order of the table.
std::string CubeMarkdown(const std::vector<CubeRecord>& records);
Json CubeJson(const std::vector<CubeRecord>& records);
// Mean moves against states per cube, one curve per model and search. Throws Error without gnuplot.
std::string CubeCurves(const std::vector<CubeRecord>& records);

}  // namespace conpole::cli
