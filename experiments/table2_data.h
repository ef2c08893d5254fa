// What the paper's Table 2 is made of: one record per run, small enough to be kept, and the paper's own figures. Records are
// JSON files, one each, so that runs of other days and machines can be added. Values; any thread may call the functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "train/run/settings.h"
#include "util/seed_range.h"

namespace conpole::cli {

// The paper's test problems, and others that nobody has chosen anything by.
inline constexpr SeedRange kTestSeeds{0, 200};
inline constexpr SeedRange kFreshSeeds{10'000, 11'000};

// How many problems greedy search solves.
struct TestScore {
  std::size_t problems = 0;
  std::size_t solved = 0;
  std::size_t wrong = 0;  // solved, but the answer is known to be wrong

  friend bool operator==(const TestScore&, const TestScore&) = default;
};

struct RunRecord {
  std::string agent;
  std::string variant;  // empty for agents that have one only
  std::string domain;   // its name, without parameters
  std::string source;   // of the problems, where it is not the domain's own
  std::uint64_t seed = 0;
  std::string device;
  std::uint64_t steps = 0;  // environment steps that were done
  bool is_done = false;     // all that were asked for
  double seconds = 0;
  std::size_t jobs = 0;    // how many runs shared the machine meanwhile; 0 if nobody knows
  SettingValues settings;  // those that differ from what is usual

  struct Evaluation {
    std::uint64_t step = 0;
    double test = 0;        // the share of kTestSeeds that is solved
    double validation = 0;  // of the problems that a model is chosen by
  };
  std::vector<Evaluation> evaluations;  // in the order of their steps
  // Of the model that was chosen. None where that was not measured.
  std::optional<TestScore> test;
  std::optional<TestScore> fresh;

  // The highest success of all evaluations on the test problems, which is what the paper reports.
  std::optional<double> BestTest() const;
};

// AGENT-VARIANT-DOMAIN-SEED, as files and folders of runs are called.
std::string RecordName(const RunRecord& record);

std::string FormatRecord(const RunRecord& record);
// Throws Error, which names the file, if it is not a record.
RunRecord ReadRecord(const std::string& path);
// All records in a folder, in the order of the table. Files of other endings are left alone.
std::vector<RunRecord> ReadRecords(const std::string& folder);

// A line of the table.
struct TableAgent {
  std::string_view name;  // as train calls it
  std::string_view variant;
  std::string_view title;
};
// In the order of the paper, best first; then what is not learned.
const std::vector<TableAgent>& TableAgents();
// The domains of the paper, in its order.
const std::vector<std::string_view>& TableDomains();
// The paper's success in percent; nothing where it has none.
std::optional<double> PaperPercent(std::string_view agent, std::string_view domain);

}  // namespace conpole::cli
