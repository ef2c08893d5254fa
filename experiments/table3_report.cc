#include "experiments/table3_report.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/markdown.h"
#include "util/statistics.h"

namespace conpole::cli {
namespace {

using Row = std::vector<std::string>;

// Runs that differ in their seed alone.
struct Runs {
  std::string domain;
  std::string representation;
  std::string variant;
  std::vector<const Table3Record*> records;

  std::string title() const {
    const std::string name = TitleOf(representation, variant);
    return records.size() > 1 ? fmt::format("{} ({} runs)", name, records.size()) : name;
  }
};

std::vector<Runs> RunsOf(const std::vector<Table3Record>& records) {
  std::vector<Runs> all;
  for (const Table3Record& record : records) {
    const auto is_same = [&](const Runs& runs) {
      return runs.domain == record.domain && runs.representation == record.representation && runs.variant == record.variant;
    };
    auto found = std::find_if(all.begin(), all.end(), is_same);
    if (found == all.end()) found = all.insert(all.end(), {record.domain, record.representation, record.variant, {}});
    found->records.push_back(&record);
  }
  return all;
}

// The layers that any of the runs has, the vector first, the others from the highest down.
std::vector<std::string> LayersOf(const Runs& runs) {
  std::vector<std::string> layers;
  for (const Table3Record* const record : runs.records) {
    for (const LayerScores& scores : record->layers) {
      if (std::find(layers.begin(), layers.end(), scores.layer) == layers.end()) layers.push_back(scores.layer);
    }
  }
  return layers;
}

// The scores of a layer in all runs that have it.
std::vector<const LayerScores*> ScoresOf(const Runs& runs, std::string_view layer) {
  std::vector<const LayerScores*> scores;
  for (const Table3Record* const record : runs.records) {
    for (const LayerScores& of_layer : record->layers) {
      if (of_layer.layer == layer) scores.push_back(&of_layer);
    }
  }
  return scores;
}

// A mean over runs, with the range over them or, of a single run, its interval.
struct Summary {
  double mean = 0;
  double low = 0;
  double high = 0;
  bool is_range = false;
};

Summary RangeOf(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {Mean(values), *low, *high, true};
}

double Share(const SectionScore& score) {
  return static_cast<double>(score.right) / static_cast<double>(std::max<std::size_t>(1, score.exercises));
}

struct SectionSummary {
  Summary right;
  double shared = 0;
};

std::optional<SectionSummary> SectionsOf(const Runs& runs, std::string_view layer) {
  std::vector<double> right;
  std::vector<double> shared;
  const SectionScore* last = nullptr;
  for (const LayerScores* const scores : ScoresOf(runs, layer)) {
    if (!scores->sections) continue;
    last = &*scores->sections;
    right.push_back(Share(*last));
    shared.push_back(last->shared);
  }
  if (last == nullptr) return std::nullopt;
  if (right.size() > 1) return SectionSummary{RangeOf(right), Mean(shared)};
  const Interval interval = RateInterval(last->right, last->exercises);
  return SectionSummary{{right.front(), interval.low, interval.high}, shared.front()};
}

// Which of the tests on generated problems.
struct Test {
  std::string labels;
  std::string candidates;
  std::string measure;
};

// Better than every distance of texts, worse than one of them, or neither, as far as the intervals tell.
enum class Standing : std::uint8_t { kBetter, kWorse, kNeither };

Standing StandingOf(const NeighbourScore& score) {
  if (score.gains.empty()) return Standing::kNeither;
  const auto is_better = [](const auto& gain) { return gain.second.low > 0; };
  const auto is_worse = [](const auto& gain) { return gain.second.high < 0; };
  if (std::all_of(score.gains.begin(), score.gains.end(), is_better)) return Standing::kBetter;
  return std::any_of(score.gains.begin(), score.gains.end(), is_worse) ? Standing::kWorse : Standing::kNeither;
}

struct NeighbourSummary {
  Summary score;
  std::size_t problems = 0;
  Standing standing = Standing::kNeither;  // if all runs agree
};

std::optional<NeighbourSummary> NeighboursOf(const Runs& runs, std::string_view layer, const Test& test) {
  std::vector<const NeighbourScore*> found;
  for (const LayerScores* const scores : ScoresOf(runs, layer)) {
    for (const NeighbourScore& score : scores->neighbours) {
      if (score.labels == test.labels && score.candidates == test.candidates && score.measure == test.measure) {
        found.push_back(&score);
      }
    }
  }
  if (found.empty()) return std::nullopt;
  NeighbourSummary summary{{found.front()->score.mean, found.front()->score.low, found.front()->score.high},
                           found.front()->problems,
                           StandingOf(*found.front())};
  std::vector<double> means;
  for (const NeighbourScore* const score : found) {
    means.push_back(score->score.mean);
    if (StandingOf(*score) != summary.standing) summary.standing = Standing::kNeither;
  }
  if (means.size() > 1) summary.score = RangeOf(means);
  return summary;
}

std::string Figure(double value, std::string_view measure) {
  return measure == "length" ? fmt::format("{:.2f}", value) : fmt::format("{:.3f}", value);
}

std::string CellOf(const std::optional<NeighbourSummary>& summary, std::string_view measure) {
  if (!summary) return "";
  std::string cell = fmt::format("{} ({} to {})", Figure(summary->score.mean, measure), Figure(summary->score.low, measure),
                                 Figure(summary->score.high, measure));
  if (summary->standing == Standing::kBetter) cell += " +";
  if (summary->standing == Standing::kWorse) cell += " -";
  return cell;
}

// 1. Sections.

std::string SectionTable(const std::vector<Runs>& all) {
  std::vector<Row> rows{{"representation", "layer", "right", "interval or range", "ties shared", "the paper"}};
  std::size_t exercises = 0;
  for (const Runs& runs : all) {
    bool is_first = true;
    for (const std::string& layer : LayersOf(runs)) {
      const std::optional<SectionSummary> sections = SectionsOf(runs, layer);
      if (!sections) continue;
      exercises = ScoresOf(runs, layer).front()->sections->exercises;
      const std::optional<double> paper = is_first ? PaperSections(runs.representation) : std::nullopt;
      rows.push_back({is_first ? runs.title() : "", layer, fmt::format("{:.3f}", sections->right.mean),
                      fmt::format("{:.3f} to {:.3f}", sections->right.low, sections->right.high),
                      fmt::format("{:.3f}", sections->shared), paper ? fmt::format("{:.3f}", *paper) : ""});
      is_first = false;
    }
  }
  if (rows.size() == 1) return "";
  return fmt::format("Sections of {} exercises, by the nearest other exercise:\n\n", exercises) + MarkdownTable(rows) +
         "\nThe interval is Wilson's, at 95%, and the range that over runs. Column right: of equally near exercises the first "
         "in the file\n"
         "counts, as in the paper; ties shared: all of them, equally.\n";
}

// 2. Generated problems.

constexpr std::string_view kMeasures[] = {"length", "first", "axioms"};
constexpr std::string_view kCandidates[] = {"all", "alike"};

std::vector<std::string> LabelsIn(const std::vector<Runs>& all, std::string_view domain) {
  std::vector<std::string> labels;
  for (const Runs& runs : all) {
    if (runs.domain != domain) continue;
    for (const Table3Record* const record : runs.records) {
      for (const LayerScores& layer : record->layers) {
        for (const NeighbourScore& score : layer.neighbours) {
          if (std::find(labels.begin(), labels.end(), score.labels) == labels.end()) labels.push_back(score.labels);
        }
      }
    }
  }
  return labels;
}

std::string NameOfLabels(std::string_view labels) {
  return labels == "school" ? "solutions of school algebra, without a network" : "solutions of the shipped policy";
}

std::string NeighbourTable(const std::vector<Runs>& all, std::string_view domain, const std::string& labels) {
  std::vector<Row> rows{{"representation", "length, all", "first step, all", "axioms, all", "length, alike",
                         "first step, alike", "axioms, alike"}};
  std::size_t problems[2] = {0, 0};
  const Table3Record* measured = nullptr;
  for (const Runs& runs : all) {
    const std::vector<std::string> layers = LayersOf(runs);
    if (runs.domain != domain || layers.empty()) continue;
    Row row{runs.title()};
    bool has_any = false;
    for (std::size_t c = 0; c < 2; ++c) {
      for (const std::string_view measure : kMeasures) {
        const auto summary = NeighboursOf(runs, layers.front(), {labels, std::string(kCandidates[c]), std::string(measure)});
        row.push_back(CellOf(summary, measure));
        if (!summary) continue;
        has_any = true;
        problems[c] = summary->problems;
      }
    }
    if (!has_any) continue;
    rows.push_back(std::move(row));
    measured = runs.records.front();
  }
  if (measured == nullptr) return "";
  return fmt::format(
             "\n**{}**, {}: {} problems of seeds {}, {} of them with others that are alike; candidates of seeds {}:\n\n",
             domain, NameOfLabels(labels), problems[0], measured->queries, problems[1], measured->references) +
         MarkdownTable(rows);
}

// 3. Layers, of the shipped models and of untrained networks.

std::string LayerTable(const std::vector<Runs>& all) {
  std::vector<std::string> layers;  // the lowest first
  std::vector<Row> rows;
  const auto has_layers = [](const Runs& runs) { return runs.variant == kShipped || runs.representation == kUntrained; };
  for (const Runs& runs : all) {
    if (!has_layers(runs)) continue;
    for (const std::string& layer : LayersOf(runs)) {
      if (std::find(layers.begin(), layers.end(), layer) == layers.end()) layers.push_back(layer);
    }
  }
  if (layers.size() < 2) return "";
  std::reverse(layers.begin(), layers.end());
  rows.push_back({"domain", "representation", "alike"});
  rows.front().insert(rows.front().end(), layers.begin(), layers.end());
  for (const Runs& runs : all) {
    if (!has_layers(runs)) continue;
    for (const std::string_view measure : kMeasures) {
      Row row{measure == kMeasures[0] ? runs.domain : "", measure == kMeasures[0] ? runs.title() : "",
              measure == "first" ? "first step" : std::string(measure)};
      bool has_any = false;
      for (const std::string& layer : layers) {
        const auto summary = NeighboursOf(runs, layer, {"policy", "alike", std::string(measure)});
        has_any |= summary.has_value();
        row.push_back(summary ? Figure(summary->score.mean, measure) : "");
      }
      if (has_any) rows.push_back(std::move(row));
    }
  }
  if (rows.size() == 1) return "";
  return "\nLayers below the vector, among problems that are alike, solutions of the shipped policy:\n\n" + MarkdownTable(rows);
}

constexpr std::string_view kNeighbourNotes = R"(
Length: the mean difference of the solutions' lengths in steps; less is better. First step: how often the first axiom is the same.
Axioms: what the multisets of axioms share, intersection over union. All: every candidate may be nearest. Alike: only those with the
same three counts and of another shape, where counting is chance. In parentheses the 95% interval (bootstrap over the problems) or, of
several runs, the range over them. A plus marks what is better than every distance of texts, a minus what is worse than one of them,
where the 95% intervals of the differences on the same problems (in the records) do not contain zero; of several runs, if that holds
for each.
)";

Json JsonOf(const Summary& summary) {
  return {{"mean", summary.mean}, {summary.is_range ? "range" : "interval_95", {summary.low, summary.high}}};
}

}  // namespace

std::string Table3Markdown(const std::vector<Table3Record>& records) {
  const std::vector<Runs> all = RunsOf(records);
  std::string text = SectionTable(all);
  std::vector<std::string> domains;
  for (const Runs& runs : all) {
    if (std::find(domains.begin(), domains.end(), runs.domain) == domains.end()) domains.push_back(runs.domain);
  }
  std::string neighbours;
  for (const std::string& domain : domains) {
    for (const std::string& labels : LabelsIn(all, domain)) neighbours += NeighbourTable(all, domain, labels);
  }
  if (!neighbours.empty()) text += neighbours + LayerTable(all) + std::string(kNeighbourNotes);
  // Without sections the first table would begin with an empty line.
  return text.starts_with('\n') ? text.substr(1) : text;
}

Json Table3Json(const std::vector<Table3Record>& records) {
  Json rows = Json::array();
  for (const Runs& runs : RunsOf(records)) {
    for (const std::string& layer : LayersOf(runs)) {
      Json row{{"domain", runs.domain},       {"representation", runs.representation},
               {"variant", runs.variant},     {"layer", layer},
               {"runs", runs.records.size()}, {"sections", nullptr},
               {"neighbours", Json::array()}};
      if (const std::optional<SectionSummary> sections = SectionsOf(runs, layer)) {
        row["sections"] = JsonOf(sections->right);
        row["sections"]["ties_shared"] = sections->shared;
        const std::optional<double> paper = PaperSections(runs.representation);
        row["sections"]["paper"] = paper ? Json(*paper) : Json();
      }
      for (const std::string& labels : LabelsIn({runs}, runs.domain)) {
        for (const std::string_view candidates : kCandidates) {
          for (const std::string_view measure : kMeasures) {
            const auto summary = NeighboursOf(runs, layer, {labels, std::string(candidates), std::string(measure)});
            if (!summary) continue;
            Json test{{"labels", labels}, {"candidates", candidates}, {"measure", measure}, {"problems", summary->problems}};
            test.update(JsonOf(summary->score));
            row["neighbours"].push_back(std::move(test));
          }
        }
      }
      rows.push_back(std::move(row));
    }
  }
  return {{"rows", rows}};
}

}  // namespace conpole::cli
