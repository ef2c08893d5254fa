// conpole plot: learning curves of training runs, drawn by gnuplot.
#include <algorithm>
#include <array>
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
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/gnuplot.h"
#include "cli/output.h"
#include "conpole/error.h"
#include "train/metrics.h"
#include "util/atomic_file.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

struct Options {
  std::vector<std::string> runs;
  std::string out;
  std::string metric = "eval_success";
  std::string x = "steps";
  std::string title;
  std::string size = "960x600";
};

struct Size {
  int width = 0;
  int height = 0;
};

Size ParseSize(std::string_view text) {
  Size size;
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

enum class Format { kPng, kSvg };

Format FormatOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension == ".png") return Format::kPng;
  if (extension == ".svg") return Format::kSvg;
  throw Error(fmt::format("--out must end in .png or .svg, not '{}'", path));
}

struct Run {
  std::string folder;
  std::string label;
};

// RUN or RUN=LABEL, where the folder may have a = in its name too.
Run ParseRun(const std::string& argument) {
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
void CompleteLabels(std::vector<Run>& runs) {
  const auto name = [](const Run& run) {
    std::string path = std::filesystem::absolute(run.folder).lexically_normal();
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return std::filesystem::path(path).filename().string();
  };
  std::multiset<std::string> names;
  for (const Run& run : runs) {
    if (run.label.empty()) names.insert(name(run));
  }
  for (Run& run : runs) {
    if (run.label.empty()) run.label = names.count(name(run)) > 1 ? run.folder : name(run);
  }
}

struct Point {
  double x;
  double y;  // NaN is a gap
};
using Curve = std::vector<Point>;

// Steps or seconds, as the run has them.
Curve ReadCurve(const Run& run, const Options& options) {
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

// Learning rates are no share of anything.
bool IsShare(std::string_view metric) {
  return metric.ends_with("_success") || metric.ends_with("_verified") || metric == "solved_rate";
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Range RangeOf(const std::vector<Curve>& curves, double Point::*coordinate) {
  Range range;
  for (const Curve& curve : curves) {
    for (const Point& point : curve) {
      if (std::isnan(point.*coordinate)) continue;
      range.low = std::min(range.low, point.*coordinate);
      range.high = std::max(range.high, point.*coordinate);
    }
  }
  return range;
}

void Scale(std::vector<Curve>& curves, double Point::*coordinate, double factor) {
  for (Curve& curve : curves) {
    for (Point& point : curve) point.*coordinate *= factor;
  }
}

// 1500000 as 1.5M.
std::string WithPrefix(double value) {
  constexpr std::array<std::pair<double, char>, 3> kPrefixes{{{1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}}};
  for (const auto& [factor, prefix] : kPrefixes) {
    if (value >= factor) return fmt::format("{:g}{}", value / factor, prefix);
  }
  return fmt::format("{:g}", value);
}

// Gnuplot's own numbers are either long or rounded.
std::string StepTics(double high) {
  constexpr double kMostTics = 8;
  double distance = std::pow(10, std::floor(std::log10(high / kMostTics)));
  for (const double factor : {2.0, 2.5, 2.0}) {  // 1, 2, 5, 10 times the power of ten
    if (high / distance > kMostTics) distance *= factor;
  }
  std::vector<std::string> tics;
  for (int i = 0; i * distance <= high; ++i) tics.push_back(fmt::format("'{}' {}", WithPrefix(i * distance), i * distance));
  return fmt::format("set xtics ({})\n", Join(tics));
}

std::string XAxis(std::vector<Curve>& curves, bool steps) {
  if (steps) {
    const double high = std::max(RangeOf(curves, &Point::x).high, 1.0);
    return fmt::format("set xlabel 'environment steps'\nset xrange [0:{}]\n{}", high, StepTics(high));
  }
  const double seconds = RangeOf(curves, &Point::x).high;
  const auto [unit, name] = seconds > 3 * 3600 ? std::pair(3600, "hours")
                            : seconds > 3 * 60 ? std::pair(60, "minutes")
                                               : std::pair(1, "seconds");
  Scale(curves, &Point::x, 1.0 / unit);
  return fmt::format("set xlabel '{}'\nset xrange [0:{}]\n", name, std::max(seconds, 1.0) / unit);
}

std::string YAxis(std::vector<Curve>& curves, const std::string& metric) {
  std::string name = metric;
  std::replace(name.begin(), name.end(), '_', ' ');
  std::string axis = fmt::format("set ylabel {}\n", GnuplotQuoted(name));
  const Range range = RangeOf(curves, &Point::y);
  // Whatever has such a name but is no share is drawn as it is.
  if (!IsShare(metric) || range.low < 0 || range.high > 1) return axis;
  Scale(curves, &Point::y, 100);
  // With room for a line along 100%.
  return axis + "set yrange [0:102]\nset ytics 0, 20, 100\nset format y '%g%%'\n";
}

std::string Terminal(Format format, Size size) {
  const std::string rest = fmt::format("size {},{} noenhanced rounded background '#ffffff'", size.width, size.height);
  return format == Format::kPng ? fmt::format("set terminal pngcairo {} font 'DejaVu Sans,12'\n", rest)
                                : fmt::format("set terminal svg {} font 'DejaVu Sans,Verdana,sans-serif,14'\n", rest);
}

std::string Script(const Options& options, Format format, const std::vector<Run>& runs, std::vector<Curve> curves) {
  std::string script = "set encoding utf8\n" + Terminal(format, ParseSize(options.size));
  script +=
      "set border 3 linecolor '#666666'\n"
      "set tics nomirror out scale 0.5 textcolor '#333333'\n"
      "set grid linetype 1 linewidth 1 linecolor '#dddddd'\n"
      "set format '%g'\n"
      "set rmargin 4\n"
      "set key above left horizontal Left reverse samplen 2.5 spacing 1.4\n";
  // A title of the plot would stand below the key.
  if (!options.title.empty()) script += fmt::format("set key title {} left font ',15'\n", GnuplotQuoted(options.title));
  script += XAxis(curves, options.x == "steps");
  script += YAxis(curves, options.metric);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    script += fmt::format("$run{} << end_of_data\n", i);
    for (const Point& point : curves[i]) script += fmt::format("{} {}\n", point.x, point.y);
    script += "end_of_data\n";
  }
  // The colours of Okabe and Ito, which the colour-blind can tell apart too; the yellow is too pale for a line.
  constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#e69f00", "#56b4e9", "#000000"};
  constexpr std::size_t kManyPoints = 60;
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    plots.push_back(fmt::format("$run{} using 1:2 with {} linewidth 2.5 dashtype {} linecolor '{}' title {}", i,
                                curves[i].size() > kManyPoints ? "lines" : "linespoints pointtype 7 pointsize 0.6",
                                i / kColours.size() + 1, kColours[i % kColours.size()], GnuplotQuoted(runs[i].label)));
  }
  return script + "plot " + Join(plots) + "\n";
}

int Plot(const Options& options) {
  const std::string out = options.out.empty() ? options.metric + ".png" : options.out;
  const Format format = FormatOf(out);
  std::vector<Run> runs;
  for (const std::string& argument : options.runs) runs.push_back(ParseRun(argument));
  CompleteLabels(runs);
  std::vector<Curve> curves;
  for (const Run& run : runs) curves.push_back(ReadCurve(run, options));
  WriteFileAtomically(out, RunGnuplot(Script(options, format, runs, std::move(curves))));
  PrintLine(
      fmt::format("{}: {} of {} run{}", Printable(out), Printable(options.metric), runs.size(), runs.size() == 1 ? "" : "s"));
  return kOk;
}

}  // namespace

void AddPlot(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("plot", "Draw learning curves of training runs (needs gnuplot)");
  const auto options = std::make_shared<Options>();
  constexpr std::size_t kMaxRuns = 1000;
  AddTexts(*command, "runs", options->runs, 1, kMaxRuns, "Folders of runs; RUN=LABEL to name one in the legend");
  command->add_option("--out", options->out, "The picture, .png or .svg; METRIC.png if not given");
  command->add_option("--metric", options->metric, "What to draw, by its name in metrics.jsonl")->capture_default_str();
  command->add_option("--x", options->x, "Against what: steps or seconds")
      ->check(CLI::IsMember({"steps", "seconds"}))
      ->capture_default_str();
  command->add_option("--title", options->title, "Above the picture");
  command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  command->footer("Exit status: 0 done, 2 bad input.");
  command->callback([options, &action] { action = [options] { return Plot(*options); }; });
}

}  // namespace conpole::cli
