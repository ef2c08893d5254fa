#include "http/runs.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgress = "progress.json";
constexpr const char* kMetrics = "metrics.jsonl";
constexpr int kDeepest = 3;  // a run per seed in a folder per domain
constexpr std::size_t kMostRuns = 1'000;
constexpr std::size_t kMostPoints = 500;  // of a curve; a page has no more dots
constexpr std::size_t kMaxRunBytes = std::size_t{64} << 20;

// What a run says now; an empty object if it is an old one, or this cannot be read.
ServiceJson ReadProgress(const fs::path& run) {
  try {
    ServiceJson found = ServiceJson::parse(ReadRegularFile((run / kProgress).string(), kMaxRunBytes));
    if (found.is_object()) return found;
  } catch (const std::exception&) {
    // Then nothing is said.
  }
  return ServiceJson::object();
}

// Since something was written.
double SecondsSince(const fs::path& run) {
  fs::file_time_type last = fs::file_time_type::min();
  for (const char* const name : {kProgress, kMetrics}) {
    std::error_code missing;
    const fs::file_time_type time = fs::last_write_time(run / name, missing);
    if (!missing) last = std::max(last, time);
  }
  return std::max(0.0, std::chrono::duration<double>(fs::file_time_type::clock::now() - last).count());
}

bool IsDrawn(std::string_view name) {
  return name == "step" || name == "seconds" || name == "loss" || name.starts_with("validation_success");
}

// The lines of metrics.jsonl, of which the last may be half written, without what is not drawn.
ServiceJson ReadCurve(const fs::path& run) {
  std::vector<ServiceJson> lines;
  const std::string text = ReadRegularFile((run / kMetrics).string(), kMaxRunBytes);
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const ServiceJson line = ServiceJson::parse(text.substr(begin, end - begin), nullptr, false);
    ServiceJson& drawn = lines.emplace_back(ServiceJson::object());
    for (const auto& [name, value] : line.items()) {
      if (IsDrawn(name)) drawn[name] = value;
    }
  }
  ServiceJson curve = ServiceJson::array();
  const std::size_t every = lines.size() / kMostPoints + 1;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i % every == 0 || i + 1 == lines.size()) curve.push_back(std::move(lines[i]));
  }
  return curve;
}

}  // namespace

TrainingRuns::TrainingRuns(const std::string& folder) : folder_(folder) {
  std::error_code failure;
  if (!fs::is_directory(folder_, failure)) throw Error(fmt::format("{} is not a folder", Shown(folder)));
}

ServiceAnswer TrainingRuns::Answer(std::string_view operation, std::string_view request) const {
  try {
    RequestFields fields(request.empty() ? "{}" : request);
    const std::string name = operation == "show" ? fields.Text("run") : "";
    fields.RequireNoOthers();
    return {200, (operation == "show" ? Show(name) : List()).dump(-1, ' ', false, ServiceJson::error_handler_t::replace)};
  } catch (const RequestProblem& problem) {
    return {problem.status, FormatProblem(problem)};
  } catch (const std::exception& error) {
    return {503, FormatProblem(RequestProblem(503, Message("the runs cannot be read: {}", error.what()))), 10};
  }
}

ServiceJson TrainingRuns::List() const {
  std::vector<std::pair<double, ServiceJson>> runs;
  std::error_code failure;
  fs::recursive_directory_iterator entries(folder_, fs::directory_options::skip_permission_denied, failure);
  for (; !failure && entries != fs::recursive_directory_iterator() && runs.size() < kMostRuns; entries.increment(failure)) {
    if (entries.depth() >= kDeepest) entries.disable_recursion_pending();
    std::error_code ignored;
    if (entries->path().filename() != kMetrics || !entries->is_regular_file(ignored)) continue;
    const fs::path run = entries->path().parent_path();
    const double age = SecondsSince(run);
    ServiceJson about{{"run", run.lexically_relative(folder_).generic_string()}, {"age", age}};
    const ServiceJson progress = ReadProgress(run);
    for (const char* const name : {"domain", "running", "step", "seconds", "validation_success", "best_validation"}) {
      if (progress.contains(name)) about[name] = progress[name];
    }
    runs.emplace_back(age, std::move(about));
  }
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ServiceJson list = ServiceJson::array();
  for (auto& [age, about] : runs) list.push_back(std::move(about));
  return {{"runs", std::move(list)}};
}

// Only what is listed can be asked for, so that no path leads elsewhere.
ServiceJson TrainingRuns::Show(const std::string& name) const {
  const ServiceJson list = List();
  for (const ServiceJson& about : list["runs"]) {
    if (about["run"] != name) continue;
    const fs::path run = fs::path(folder_) / name;
    return {{"run", name}, {"age", about["age"]}, {"progress", ReadProgress(run)}, {"curve", ReadCurve(run)}};
  }
  throw RequestProblem(404, "there is no such run", "run");
}

}  // namespace conpole
