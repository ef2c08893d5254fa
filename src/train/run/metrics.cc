#include "train/run/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "util/atomic_file.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;
constexpr std::size_t kMaxValues = 1000;

MetricsLine LineOf(std::string_view text) {
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(fmt::format("is not valid JSON at byte {}", error.byte));
  } catch (const nlohmann::json::exception&) {
    throw Error("has a number that is too large");
  }
  if (!json.is_object()) throw Error("must be an object");
  if (json.size() > kMaxValues) throw Error(fmt::format("has more than {} values", kMaxValues));
  MetricsLine line;
  const auto require = [&](const char* name, const char* expected, bool (*is_right)(const nlohmann::json& value)) {
    if (!json.contains(name)) throw Error(fmt::format("has no {}", name));
    if (!is_right(json[name])) throw Error(fmt::format("'{}' must be {}", name, expected));
  };
  require("step", "an unsigned integer of 64 bits", [](const auto& value) { return value.is_number_unsigned(); });
  require("seconds", "a number from 0", [](const auto& value) { return value.is_number() && value >= 0; });
  line.step = json["step"];
  line.seconds = json["seconds"];
  for (const auto& [name, value] : json.items()) {
    if (name == "step" || name == "seconds") continue;
    if (!value.is_number() && !value.is_null()) throw Error(fmt::format("{} must be a number or null", Shown(name)));
    line.values.emplace_back(name, value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  }
  return line;
}

// Calls visit(text, line) for every line of the file; the text is with its end.
template <class Visit>
void ForEachLine(const std::string& path, std::string_view text, Visit visit) {
  std::size_t number = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    ++number;
    visit(text.substr(0, end + 1),
          NamingFile(fmt::format("{}: line {}", path, number), [&] { return LineOf(text.substr(0, end)); }));
    text.remove_prefix(end + 1);
  }
}

// TensorBoard groups curves by what stands before the slash.
std::string TagOf(const std::string& name) {
  constexpr std::string_view kSeconds = "seconds_";
  if (name.starts_with(kSeconds)) return "time/" + name.substr(kSeconds.size());
  if (name.starts_with("eval_") || name.starts_with("validation_")) return "eval/" + name;
  return (name == "steps_per_second" ? "time/" : "train/") + name;
}

// Removes what the run will write again or what was cut short. Returns the seconds that the run has taken.
double PrepareFile(const std::string& path, std::optional<std::uint64_t> last_step) {
  std::error_code unreachable;  // then it cannot be opened either, and that is the error to report
  if (!std::filesystem::exists(path, unreachable)) return 0;
  const std::string text = ReadRegularFile(path, kMaxFileBytes);
  std::string kept;
  double seconds = 0;
  ForEachLine(path, text, [&](std::string_view line_text, const MetricsLine& line) {
    if (last_step && line.step > *last_step) return;
    kept += line_text;
    seconds = line.seconds;
  });
  if (kept != text) WriteFileAtomically(path, kept);
  return seconds;
}

}  // namespace

MetricsLog::MetricsLog(const std::string& folder, std::optional<std::uint64_t> last_step)
    : earlier_seconds_(PrepareFile(MetricsPath(folder), last_step)), lines_(MetricsPath(folder)), events_(folder) {
  if (last_step) events_.RestartAt(*last_step + 1);
}

void MetricsLog::WriteSettings(std::span<const SettingOfRun> settings) { events_.WriteSettings(settings); }

void MetricsLog::Write(std::uint64_t step, const MetricValues& values) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  nlohmann::ordered_json line;
  line["step"] = step;
  line["seconds"] = std::round((earlier_seconds_ + elapsed.count()) * 1000) / 1000;
  for (const auto& [name, value] : values) line[name] = value;  // one that is not finite is printed as null
  lines_.Append(line.dump() + "\n");
  MetricValues tagged = values;
  for (auto& [name, value] : tagged) name = TagOf(name);
  events_.Write(step, tagged);
}

std::optional<double> MetricsLine::Find(const std::string& name) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == name; });
  if (found == values.end()) return {};
  return found->second;
}

std::string MetricsPath(const std::string& folder) { return folder + "/metrics.jsonl"; }

std::vector<MetricsLine> ReadMetrics(const std::string& path) {
  const std::string text = ReadRegularFile(path, kMaxFileBytes);
  std::vector<MetricsLine> lines;
  ForEachLine(path, text, [&](std::string_view, MetricsLine line) { lines.push_back(std::move(line)); });
  return lines;
}

}  // namespace conpole
