#include "experiments/cube_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "experiments/gnuplot.h"
#include "experiments/markdown.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

using Row = std::vector<std::string>;

// 262144 as 262,144.
std::string Grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

// 4407.3 as 4.4k, 730791 as 731k, 2616386 as 2.62M.
std::string Rounded(double number) {
  if (number < 1e3) return fmt::format("{:.0f}", number);
  if (number < 1e4) return fmt::format("{:.1f}k", number / 1e3);
  if (number < 999.5e3) return fmt::format("{:.0f}k", number / 1e3);
  return fmt::format("{:.2f}M", number / 1e6);
}

std::string TrainedOn(const CubeRecord& record) {
  const auto number = static_cast<double>(record.trained_on);
  if (record.trained_on == 0) return "";
  const std::string amount = number >= 1e9 ? fmt::format("{:.1f}e9", number / 1e9) : Rounded(number);
  std::string text = fmt::format("{} {}", amount, record.agent == "walks" ? "states" : "steps");
  if (record.trained_seconds > 0) text += fmt::format(", {:.0f} s", record.trained_seconds);
  return text;
}

std::string MethodOf(const CubeRecord& record) {
  const std::string weight =
      record.search == "bwas" && record.step_weight != 1 ? fmt::format(" of weight {:g}", record.step_weight) : "";
  return fmt::format("{}, {}{}", record.model, record.search, weight);
}

std::string SecondsOf(const CubeRecord& record) {
  return fmt::format("{:.2f}{}", record.SecondsPerCube(), record.device.starts_with("cuda") ? " GPU" : " CPU");
}

// What stands in both halves of the table only once.
std::vector<CubeRecord> FirstsOf(const std::vector<CubeRecord>& records) {
  std::vector<CubeRecord> firsts;
  for (const CubeRecord& record : records) {
    if (firsts.empty() || firsts.back().model != record.model) firsts.push_back(record);
  }
  return firsts;
}

std::string Notes(const std::vector<CubeRecord>& records) {
  std::string notes =
      "\nMoves are quarter turns. States are those that the network was asked about, or as the source counts them. Seconds are "
      "the\nprogram's own, without its start. Solved are those whose solution was replayed and verified.\n";
  for (const CubeRecord& record : FirstsOf(records)) {
    notes += fmt::format("{}: {}; {:.1f}M weights.\n", record.model, record.network, static_cast<double>(record.weights) / 1e6);
  }
  std::vector<std::string> lists;
  for (const CubeRecord& record : records) {
    const std::optional<double> optimum = KnownOptimum(record.cubes_id);
    const std::string of_optimum =
        optimum ? fmt::format("the {} cubes of DeepCubeA's, whose optimum is {} on average", record.cubes, *optimum)
                : fmt::format("{} cubes (list {})", record.cubes, record.cubes_id);
    if (std::find(lists.begin(), lists.end(), of_optimum) == lists.end()) lists.push_back(of_optimum);
  }
  return notes +
         fmt::format("Measured here on {}.\nThe others' figures are theirs, on cubes of the same source.\n", Join(lists));
}

}  // namespace

std::string CubeMarkdown(const std::vector<CubeRecord>& records) {
  std::vector<Row> rows{{"method", "width", "moves", "longest", "states per cube", "seconds per cube", "solved", "trained on"}};
  for (const PublishedCubes& published : PublishedCubeResults()) {
    rows.push_back({std::string(published.method), std::string(published.width),
                    fmt::format("{:.{}f}", published.moves, published.decimals), "", std::string(published.states), "", "",
                    std::string(published.trained_on)});
  }
  for (const CubeRecord& record : records) {
    rows.push_back({MethodOf(record), Grouped(record.width), fmt::format("{:.2f}", record.MeanMoves()),
                    std::to_string(record.longest), Rounded(record.StatesPerCube()), SecondsOf(record),
                    fmt::format("{} of {}", record.verified, record.cubes), TrainedOn(record)});
  }
  return MarkdownTable(rows) + Notes(records);
}

Json CubeJson(const std::vector<CubeRecord>& records) {
  Json published = Json::array();
  for (const PublishedCubes& row : PublishedCubeResults()) {
    published.push_back({{"method", row.method},
                         {"width", row.width},
                         {"moves", row.moves},
                         {"states_per_cube", row.states_per_cube > 0 ? Json(row.states_per_cube) : Json()},
                         {"trained_on", row.trained_on}});
  }
  Json ours = Json::array();
  for (const CubeRecord& record : records) {
    const std::optional<double> optimum = KnownOptimum(record.cubes_id);
    ours.push_back({{"model", record.model},
                    {"network", record.network},
                    {"weights", record.weights},
                    {"agent", record.agent},
                    {"trained_on", record.trained_on},
                    {"search", record.search},
                    {"width", record.width},
                    {"step_weight", record.search == "bwas" ? Json(record.step_weight) : Json()},
                    {"device", record.device},
                    {"cubes", record.cubes},
                    {"cubes_id", record.cubes_id},
                    {"optimum", optimum ? Json(*optimum) : Json()},
                    {"solved", record.solved},
                    {"verified", record.verified},
                    {"moves", record.MeanMoves()},
                    {"longest", record.longest},
                    {"states_per_cube", record.StatesPerCube()},
                    {"seconds_per_cube", record.SecondsPerCube()}});
  }
  return {{"published", published}, {"ours", ours}};
}

namespace {

struct Series {
  std::string label;
  std::vector<std::pair<double, double>> points;  // states and moves
};

Series& SeriesOf(std::vector<Series>& all, const std::string& label) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Series& series) { return series.label == label; });
  return found != all.end() ? *found : all.emplace_back(Series{label, {}});
}

}  // namespace

std::string CubeCurves(const std::vector<CubeRecord>& records) {
  std::vector<Series> all;
  double most_moves = 0;
  for (const CubeRecord& record : records) {
    if (record.solved == 0 || record.states == 0) continue;
    SeriesOf(all, MethodOf(record)).points.emplace_back(record.StatesPerCube(), record.MeanMoves());
    most_moves = std::max(most_moves, record.MeanMoves());
  }
  if (all.empty()) throw Error("no record has a solved cube");
  const std::size_t ours = all.size();
  for (const PublishedCubes& published : PublishedCubeResults()) {
    // What is far above all others would press them together.
    constexpr double kRoom = 1;
    if (published.states_per_cube == 0 || published.moves > std::max(most_moves, 22.0) + kRoom) continue;
    SeriesOf(all, std::string(published.method)).points.emplace_back(published.states_per_cube, published.moves);
  }
  std::string script =
      "set encoding utf8\n"
      "set terminal svg size 960,600 noenhanced rounded background '#ffffff' font 'DejaVu Sans,Verdana,sans-serif,14'\n"
      "set border 3 linecolor '#666666'\n"
      "set tics nomirror out scale 0.5 textcolor '#333333'\n"
      "set grid linetype 1 linewidth 1 linecolor '#dddddd'\n"
      "set rmargin 4\n"
      "set key above left horizontal Left reverse samplen 2.5 spacing 1.4\n"
      "set logscale x 10\n"
      "set xtics ('1k' 1000, '10k' 10000, '100k' 100000, '1M' 1000000, '10M' 10000000)\n"
      "set xlabel 'states evaluated per cube'\n"
      "set ylabel 'mean quarter turns'\n";
  const auto [fewest, most] = [&] {
    std::pair<double, double> range{all.front().points.front()};
    range.second = range.first;
    for (const Series& series : all) {
      for (const auto& [states, moves] : series.points) {
        range.first = std::min(range.first, states);
        range.second = std::max(range.second, states);
      }
    }
    return range;
  }();
  script += fmt::format("set xrange [{}:{}]\n", fewest / 1.5, most * 1.5);
  if (const std::optional<double> optimum = KnownOptimum(records.front().cubes_id)) {
    script += fmt::format(
        "set arrow from graph 0, first {0} to graph 1, first {0} nohead linecolor '#999999' dashtype 3\n"
        "set label 'optimum {0}' at graph 0.01, first {0} offset 0,0.6 textcolor '#666666'\n"
        "set yrange [{1}:]\n",
        *optimum, *optimum - 0.3);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    script += fmt::format("$series{} << end_of_data\n", i);
    std::sort(all[i].points.begin(), all[i].points.end());
    for (const auto& [states, moves] : all[i].points) script += fmt::format("{} {}\n", states, moves);
    script += "end_of_data\n";
  }
  // The colours of Okabe and Ito, which the colour-blind can tell apart too. What others published has open points.
  constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#e69f00", "#56b4e9", "#000000"};
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < all.size(); ++i) {
    plots.push_back(
        fmt::format("$series{} using 1:2 with linespoints pointtype {} pointsize 0.8 linewidth {} dashtype {} "
                    "linecolor '{}' title {}",
                    i, i < ours ? 7 : 6, i < ours ? 2.5 : 1.5, i < ours ? 1 : 2, kColours[i % kColours.size()],
                    GnuplotQuoted(all[i].label)));
  }
  return RunGnuplot(script + "plot " + Join(plots) + "\n");
}

}  // namespace conpole::cli
