// What a training run tells about itself, in its folder: metrics.jsonl, one JSON object per line, and the same numbers for
// TensorBoard (event_file.h). docs/training.md has the names.
//
// A line has "step" and "seconds", the time that the run has taken so far without the time between being stopped and resumed;
// then one number per name, or null for one that is not finite. A last line without its end was cut short by a kill and does
// not count.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "train/run/event_file.h"
#include "util/append_file.h"

namespace conpole {

using MetricValues = std::vector<std::pair<std::string, double>>;

// One thread at a time, and one log per folder.
class MetricsLog {
 public:
  // Begins a log in `folder`, which must exist, or continues the one that is there. With `last_step`, the step of the last line
  // that the run knows of, lines of later steps are dropped first: the run is about to repeat them. That happens at once or not
  // at all, and a line that was cut short goes the same way. This and the methods throw Error, which names the file.
  explicit MetricsLog(const std::string& folder, std::optional<std::uint64_t> last_step = {});

  // Tells TensorBoard the settings of the run, so that runs can be compared by them.
  void WriteSettings(std::span<const SettingOfRun> settings);

  // Appends a line. Names are distinct, in UTF-8, and neither "step" nor "seconds". A line that was written stays if the
  // program is killed.
  void Write(std::uint64_t step, const MetricValues& values);

 private:
  double earlier_seconds_;  // of the parts of the run before this one
  AppendFile lines_;
  EventFile events_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct MetricsLine {
  std::uint64_t step = 0;
  double seconds = 0;
  MetricValues values;  // NaN where the line has null

  // Nothing if the line does not have the name.
  std::optional<double> Find(const std::string& name) const;
};

// The file of a run's folder.
std::string MetricsPath(const std::string& folder);

// Reads such a file, also one that is being written. Throws Error, which names the file and the line.
std::vector<MetricsLine> ReadMetrics(const std::string& path);

}  // namespace conpole
