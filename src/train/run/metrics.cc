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

// Follows the JSON of a line event by event, so that nothing is built from nested JSON and a name that is given twice is seen.
class LineReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  // What was read, once the text has been.
  MetricsLine Take() {
    if (!has_step_) throw Error("has no step");
    if (!has_seconds_) throw Error("has no seconds");
    return std::move(line_);
  }

  bool null() override { return Add(std::numeric_limits<double>::quiet_NaN(), "null"); }
  bool boolean(bool /*value*/) override { Unexpected("a truth value"); }
  bool number_integer(number_integer_t value) override { return Add(static_cast<double>(value), "a negative number"); }
  bool number_unsigned(number_unsigned_t value) override {
    if (!inside_ || key_ != "step") return Add(static_cast<double>(value), "a number");
    line_.step = value;
    return true;
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return Add(value, "a fraction"); }
  bool string(string_t& /*value*/) override { Unexpected("text"); }
  bool binary(binary_t& /*value*/) override { Unexpected("binary data"); }

  bool start_object(std::size_t /*size*/) override {
    if (inside_) Unexpected("an object");
    inside_ = true;
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*size*/) override { Unexpected("an array"); }
  bool end_array() override { return true; }

  bool key(string_t& value) override {
    key_ = std::move(value);
    const bool twice = key_ == "step"      ? std::exchange(has_step_, true)
                       : key_ == "seconds" ? std::exchange(has_seconds_, true)
                                           : line_.Find(key_).has_value();
    if (twice) throw Error(fmt::format("{} is given twice", Shown(key_)));
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::json::exception& /*exception*/) override {
    throw Error(fmt::format("is not valid JSON at byte {}", position));
  }

 private:
  bool Add(double value, std::string_view what) {
    if (!inside_ || key_ == "step") Unexpected(what);
    if (key_ == "seconds") {
      if (!(value >= 0)) Unexpected(what);
      line_.seconds = value;
      return true;
    }
    if (line_.values.size() == kMaxValues) throw Error(fmt::format("has more than {} values", kMaxValues));
    line_.values.emplace_back(key_, value);
    return true;
  }
  [[noreturn]] void Unexpected(std::string_view what) const {
    if (!inside_) throw Error(fmt::format("must be an object, not {}", what));
    const std::string_view expected = key_ == "step"      ? "an unsigned integer of 64 bits"
                                      : key_ == "seconds" ? "a number from 0"
                                                          : "a number or null";
    throw Error(fmt::format("{} must be {}, not {}", Shown(key_), expected, what));
  }

  MetricsLine line_;
  std::string key_;
  bool inside_ = false;
  bool has_step_ = false;
  bool has_seconds_ = false;
};

// Calls visit(text, line) for every line of the file; the text is with its end.
template <class Visit>
void ForEachLine(const std::string& path, std::string_view text, Visit visit) {
  std::size_t number = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    ++number;
    LineReader reader;
    MetricsLine line;
    try {
      nlohmann::json::sax_parse(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), &reader);
      line = reader.Take();
    } catch (const Error& error) {
      throw Error(fmt::format("{}: line {}: {}", path, number, error.what()));
    }
    visit(text.substr(0, end + 1), std::move(line));
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
