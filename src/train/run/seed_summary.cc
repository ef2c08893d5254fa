#include "train/run/seed_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "train/run/metrics.h"
#include "util/atomic_file.h"
#include "util/statistics.h"

namespace conpole {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::vector<std::vector<MetricsLine>> ReadAll(std::span<const SeedRun> runs) {
  std::vector<std::vector<MetricsLine>> all;
  for (const SeedRun& run : runs) {
    all.push_back(ReadMetrics(MetricsPath(run.folder)));
    if (all.back().empty()) throw Error(fmt::format("{}: has no metrics yet", run.folder));
  }
  return all;
}

// The values of one name in a line of each run.
OverSeeds Over(const std::string& name, const std::vector<const MetricsLine*>& lines) {
  std::vector<double> values;
  for (const MetricsLine* const line : lines) values.push_back(line->Find(name).value_or(kNoNumber));
  return SummariseValues(std::move(values));
}

std::string MeanLine(const std::vector<const MetricsLine*>& lines) {
  std::vector<double> steps;
  std::vector<double> seconds;
  for (const MetricsLine* const line : lines) {
    steps.push_back(static_cast<double>(line->step));
    seconds.push_back(line->seconds);
  }
  nlohmann::ordered_json object;
  object["step"] = static_cast<std::uint64_t>(std::llround(Mean(steps)));
  object["seconds"] = Mean(seconds);
  for (const auto& [name, unused] : lines.front()->values) {
    const OverSeeds over = Over(name, lines);
    object[name] = over.mean;
    if (!name.ends_with("_success") && !name.ends_with("_verified")) continue;
    object[name + "_min"] = over.min;
    object[name + "_max"] = over.max;
  }
  return object.dump() + "\n";
}

}  // namespace

OverSeeds SummariseValues(std::vector<double> values) {
  std::vector<double> numbers;
  std::copy_if(values.begin(), values.end(), std::back_inserter(numbers), [](double value) { return std::isfinite(value); });
  OverSeeds over{.values = std::move(values), .mean = kNoNumber, .deviation = kNoNumber, .min = kNoNumber, .max = kNoNumber};
  if (numbers.empty()) return over;
  over.mean = Mean(numbers);
  double squares = 0;
  for (const double number : numbers) squares += (number - over.mean) * (number - over.mean);
  over.deviation = numbers.size() == 1 ? 0 : std::sqrt(squares / static_cast<double>(numbers.size() - 1));
  over.min = *std::min_element(numbers.begin(), numbers.end());
  over.max = *std::max_element(numbers.begin(), numbers.end());
  return over;
}

std::map<std::string, OverSeeds> SummariseLastLines(std::span<const SeedRun> runs) {
  const std::vector<std::vector<MetricsLine>> all = ReadAll(runs);
  std::vector<const MetricsLine*> last;
  for (const std::vector<MetricsLine>& lines : all) last.push_back(&lines.back());
  std::map<std::string, OverSeeds> summary;
  for (const MetricsLine* const line : last) {
    for (const auto& [name, unused] : line->values) {
      if (!summary.contains(name)) summary.emplace(name, Over(name, last));
    }
  }
  return summary;
}

void WriteSeedSummary(const std::string& folder, std::span<const SeedRun> runs) {
  nlohmann::ordered_json summary;
  for (const SeedRun& run : runs) summary["seeds"].push_back(run.seed);
  for (const auto& [name, over] : SummariseLastLines(runs)) {
    summary["last"][name] = {
        {"mean", over.mean}, {"deviation", over.deviation}, {"min", over.min}, {"max", over.max}, {"values", over.values}};
  }
  WriteFileAtomically(folder + "/summary.json", summary.dump(2) + "\n");

  const std::vector<std::vector<MetricsLine>> all = ReadAll(runs);
  std::size_t evaluations = std::numeric_limits<std::size_t>::max();
  for (const std::vector<MetricsLine>& lines : all) evaluations = std::min(evaluations, lines.size());
  std::string text;
  for (std::size_t i = 0; !all.empty() && i < evaluations; ++i) {
    std::vector<const MetricsLine*> lines;
    for (const std::vector<MetricsLine>& of_run : all) lines.push_back(&of_run[i]);
    text += MeanLine(lines);
  }
  WriteFileAtomically(MetricsPath(folder), text);
}

}  // namespace conpole
