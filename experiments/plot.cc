// conpole plot: learning curves of training runs, drawn by gnuplot.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "conpole/error.h"
#include "experiments/curves.h"
#include "train/run/metrics.h"
#include "util/atomic_file.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

struct PlotOptions {
  std::vector<std::string> runs;
  std::string out;
  std::string metric = "eval_success";
  std::string x = "steps";
  std::string title;
  std::string size = "960x600";
};

Size ParseSize(std::string_view text) {
  Size size{0, 0};
  const char* const end = text.data() + text.size();
  const auto [past_width, bad_width] = std::from_chars(text.data(), end, size.width);
  const bool separated = bad_width == std::errc() && past_width != end && *past_width == 'x';
  const auto [past_height, bad_height] = std::from_chars(separated ? past_width + 1 : end, end, size.height);
  constexpr int kMin = 200;
  constexpr int kMax = 10'000;
  const bool good = separated && bad_height == std::errc() && past_height == end && std::min(size.width, size.height) >= kMin &&
                    std::max(size.width, size.height) <= kMax;
  if (!good) throw Error(fmt::format("--size must be WIDTHxHEIGHT, each from {} to {}, not '{}'", kMin, kMax, text));
  return size;
}

Chart::Format FormatOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension == ".png") return Chart::Format::kPng;
  if (extension == ".svg") return Chart::Format::kSvg;
  throw Error(fmt::format("--out must end in .png or .svg, not '{}'", path));
}

struct PlottedRun {
  std::string folder;
  std::string label;
};

// RUN or RUN=LABEL, where the folder may have a = in its name too.
PlottedRun ParseRun(const std::string& argument) {
  const auto is_folder = [](const std::string& path) {
    std::error_code unreachable;
    return std::filesystem::is_directory(path, unreachable);
  };
  if (is_folder(argument)) return {argument, ""};
  for (std::size_t at = argument.find('='); at != std::string::npos; at = argument.find('=', at + 1)) {
    if (is_folder(argument.substr(0, at))) return {argument.substr(0, at), argument.substr(at + 1)};
  }
  throw Error(fmt::format("there is no folder '{}'", argument.substr(0, argument.find('='))));
}

// Runs without a label get the name of their folder, or, where several have that name, the path.
void CompleteLabels(std::vector<PlottedRun>& runs) {
  const auto name = [](const PlottedRun& run) {
    std::string path = std::filesystem::absolute(run.folder).lexically_normal();
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return std::filesystem::path(path).filename().string();
  };
  std::multiset<std::string> names;
  for (const PlottedRun& run : runs) {
    if (run.label.empty()) names.insert(name(run));
  }
  for (PlottedRun& run : runs) {
    if (run.label.empty()) run.label = names.count(name(run)) > 1 ? run.folder : name(run);
  }
}

// Steps or seconds, as the run has them.
Curve ReadCurve(const PlottedRun& run, const PlotOptions& options) {
  const std::string path = MetricsPath(run.folder);
  const std::vector<MetricsLine> lines = ReadMetrics(path);
  if (lines.empty()) throw Error(fmt::format("{}: has no lines yet", path));
  Curve curve;
  std::set<std::string> names;
  for (const MetricsLine& line : lines) {
    for (const auto& [name, value] : line.values) names.insert(name);
    const std::optional<double> value = line.Find(options.metric);
    if (!value) continue;
    constexpr double kMaxDrawn = 1e300;  // gnuplot refuses larger numbers
    curve.push_back({options.x == "steps" ? static_cast<double>(line.step) : line.seconds,
                     std::abs(*value) <= kMaxDrawn ? *value : std::numeric_limits<double>::quiet_NaN()});
  }
  if (curve.empty()) {
    throw Error(fmt::format("{}: has no metric {}; it has: {}", path, Shown(options.metric),
                            names.empty() ? "none" : Join(std::vector<std::string>(names.begin(), names.end()))));
  }
  if (std::all_of(curve.begin(), curve.end(), [](const Point& point) { return std::isnan(point.y); })) {
    throw Error(fmt::format("{}: has no value of {} that can be drawn", path, Shown(options.metric)));
  }
  return curve;
}

int Plot(const PlotOptions& options) {
  if (options.x != "steps" && options.x != "seconds") {
    throw Error(fmt::format("--x must be steps or seconds, not '{}'", options.x));
  }
  const std::string out = options.out.empty() ? options.metric + ".png" : options.out;
  const Chart chart{.format = FormatOf(out),
                    .size = ParseSize(options.size),
                    .title = options.title,
                    .metric = options.metric,
                    .is_by_steps = options.x == "steps"};
  std::vector<PlottedRun> runs;
  for (const std::string& argument : options.runs) runs.push_back(ParseRun(argument));
  CompleteLabels(runs);
  RequirePlaceFor(out);
  std::vector<LabelledCurve> curves;
  for (const PlottedRun& run : runs) curves.push_back({run.label, ReadCurve(run, options)});
  WriteFileAtomically(out, DrawCurves(chart, curves));
  PrintLine(
      fmt::format("{}: {} of {} run{}", Printable(out), Printable(options.metric), runs.size(), runs.size() == 1 ? "" : "s"));
  return kOk;
}

}  // namespace

void AddPlot(Command& program) {
  Command& command = program.Add("plot", "Draw learning curves of training runs (needs gnuplot)");
  const auto options = std::make_shared<PlotOptions>();
  constexpr std::size_t kMaxRuns = 1000;
  command.Takes("runs", options->runs, 1, kMaxRuns, "The folders of the runs; RUN=LABEL names one in the legend.");
  command.Text("--out", options->out, "The file of the picture, .png or .svg; by default METRIC.png.");
  command.Text("--metric", options->metric, "Draw this metric, by its name in metrics.jsonl.");
  command.Text("--x", options->x, "What to draw it against: steps or seconds.");
  command.Text("--title", options->title, "The title above the picture.");
  command.Text("--size", options->size, "The size of the picture, WIDTHxHEIGHT in pixels.");
  command.footer = "Exit status: 0 done, 2 bad input.";
  command.action = [options] { return Plot(*options); };
}

}  // namespace conpole::cli
