#include "experiments/curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "experiments/gnuplot.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

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

std::string Terminal(Chart::Format format, Size size) {
  const std::string rest = fmt::format("size {},{} noenhanced rounded background '#ffffff'", size.width, size.height);
  return format == Chart::Format::kPng ? fmt::format("set terminal pngcairo {} font 'DejaVu Sans,12'\n", rest)
                                       : fmt::format("set terminal svg {} font 'DejaVu Sans,Verdana,sans-serif,14'\n", rest);
}

std::string Script(const Chart& chart, const std::vector<LabelledCurve>& labelled) {
  std::vector<Curve> curves;
  for (const LabelledCurve& curve : labelled) curves.push_back(curve.points);
  std::string script = "set encoding utf8\n" + Terminal(chart.format, chart.size);
  script +=
      "set border 3 linecolor '#666666'\n"
      "set tics nomirror out scale 0.5 textcolor '#333333'\n"
      "set grid linetype 1 linewidth 1 linecolor '#dddddd'\n"
      "set format '%g'\n"
      "set rmargin 4\n"
      "set key above left horizontal Left reverse samplen 2.5 spacing 1.4\n";
  // A title of the plot would stand below the key.
  if (!chart.title.empty()) script += fmt::format("set key title {} left font ',15'\n", GnuplotQuoted(chart.title));
  script += XAxis(curves, chart.is_by_steps);
  script += YAxis(curves, chart.metric);
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
                                i / kColours.size() + 1, kColours[i % kColours.size()], GnuplotQuoted(labelled[i].label)));
  }
  return script + "plot " + Join(plots) + "\n";
}

}  // namespace

std::string DrawCurves(const Chart& chart, const std::vector<LabelledCurve>& curves) {
  return RunGnuplot(Script(chart, curves));
}

}  // namespace conpole::cli
