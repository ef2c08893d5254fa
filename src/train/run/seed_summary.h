// What several runs with the same settings and different seeds come to together. One thread at a time may write a folder's.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace conpole {

struct SeedRun {
  std::uint64_t seed = 0;
  std::string folder;  // of the run
};

// A number over all runs.
struct OverSeeds {
  std::vector<double> values;  // in the order of the runs; NaN where a run has none
  double mean = 0;             // of those that are numbers, like the rest; NaN if there are none
  double deviation = 0;        // the sample's standard deviation; 0 for a single one
  double min = 0;
  double max = 0;
};
OverSeeds SummariseValues(std::vector<double> values);

// The metrics of the runs' last lines, by name. Throws Error if a run has none.
std::map<std::string, OverSeeds> SummariseLastLines(std::span<const SeedRun> runs);

// Writes to the folder, which must exist:
//   summary.json    the seeds, and SummariseLastLines
//   metrics.jsonl   for each evaluation that all runs have made, a line as those of the runs, with the means of their numbers
//   and,
//                   of success, also the least (NAME_min) and the greatest (NAME_max)
// Each is written as a whole or not at all. Throws Error.
void WriteSeedSummary(const std::string& folder, std::span<const SeedRun> runs);

}  // namespace conpole
