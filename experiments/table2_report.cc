#include "experiments/table2_report.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/curves.h"
#include "experiments/markdown.h"
#include "util/statistics.h"

namespace conpole::cli {
namespace {

using CellRuns = std::vector<const RunRecord*>;

// The runs of one agent in one domain.
CellRuns RunsOf(const std::vector<RunRecord>& records, const TableAgent& agent, std::string_view domain) {
  CellRuns runs;
  for (const RunRecord& record : records) {
    if (record.agent == agent.name && record.variant == agent.variant && record.domain == domain) runs.push_back(&record);
  }
  return runs;
}

std::vector<std::string> DomainsOf(const std::vector<RunRecord>& records) {
  std::vector<std::string> domains;
  const auto add = [&](std::string_view domain) {
    const bool is_there = std::any_of(records.begin(), records.end(), [&](const RunRecord& r) { return r.domain == domain; });
    if (is_there && std::find(domains.begin(), domains.end(), domain) == domains.end()) domains.emplace_back(domain);
  };
  for (const std::string_view domain : TableDomains()) add(domain);
  for (const RunRecord& record : records) add(record.domain);
  return domains;
}

// A measure of several runs.
struct CellSummary {
  double mean = 0;
  double low = 0;
  double high = 0;
};

std::optional<CellSummary> Summarise(const CellRuns& runs,
                                     const std::function<std::optional<double>(const RunRecord&)>& measure) {
  std::vector<double> values;
  for (const RunRecord* const run : runs) {
    if (const std::optional<double> value = measure(*run)) values.push_back(*value);
  }
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return CellSummary{Mean(values), *low, *high};
}

std::optional<double> ShareOf(const std::optional<TestScore>& score) {
  if (!score || score->problems == 0) return {};
  return static_cast<double>(score->solved) / static_cast<double>(score->problems);
}

// As in the paper: the best of all evaluations counts. What was evaluated once only counts as that.
std::optional<double> TestOf(const RunRecord& run) {
  const std::optional<double> best = run.BestTest();
  return best ? best : ShareOf(run.test);
}
std::optional<double> FreshOf(const RunRecord& run) { return ShareOf(run.fresh); }

// All problems of all runs together.
std::optional<Interval> IntervalOf(const CellRuns& runs) {
  std::size_t problems = 0;
  std::size_t solved = 0;
  for (const RunRecord* const run : runs) {
    if (!run->fresh) continue;
    problems += run->fresh->problems;
    solved += run->fresh->solved;
  }
  if (problems == 0) return {};
  return RateInterval(solved, problems);
}

std::string Percent(double share) { return fmt::format("{:.1f}", 100 * share); }

std::string StepsInWords(std::uint64_t steps) {
  const auto number = static_cast<double>(steps);
  return steps >= 1'000'000 ? fmt::format("{:.1f}M", number / 1e6) : fmt::format("{:.0f}k", number / 1e3);
}

std::string StepsOf(const CellRuns& runs) {
  if (runs.empty() || runs.front()->steps == 0) return "";
  const auto fewest = *std::min_element(runs.begin(), runs.end(), [](auto a, auto b) { return a->steps < b->steps; });
  const bool are_done = std::all_of(runs.begin(), runs.end(), [](const RunRecord* run) { return run->is_done; });
  return fmt::format("{}{}{}", runs.size() > 1 ? fmt::format("{} x ", runs.size()) : "", StepsInWords(fewest->steps),
                     are_done ? "" : " *");
}

using Row = std::vector<std::string>;

std::string Notes(const std::vector<RunRecord>& records) {
  std::string notes = fmt::format(
      "\nGreedy success in percent. Row {}..{}: the best of all evaluations, as in the paper; of several runs that of the best "
      "one "
      "and the\n"
      "mean of all. Row {}..{}: the models that did best on the validation problems (seeds 200..399), the mean of the runs "
      "with "
      "the\n95% interval (Wilson).",
      kTestSeeds.first, kTestSeeds.end - 1, kFreshSeeds.first, kFreshSeeds.end - 1);
  const auto any = [&](const auto& is_one) { return std::any_of(records.begin(), records.end(), is_one); };
  if (any([](const RunRecord& r) { return r.steps != 0 && !r.is_done; })) {
    notes += " A star marks runs that were\nstopped before all their steps were done.";
  }
  return notes + '\n';
}

}  // namespace

std::string Table2Markdown(const std::vector<RunRecord>& records) {
  const std::vector<std::string> domains = DomainsOf(records);
  std::vector<Row> rows{{"agent", ""}};
  rows.front().insert(rows.front().end(), domains.begin(), domains.end());
  for (const TableAgent& agent : TableAgents()) {
    Row paper{std::string(agent.title), "the paper"};
    Row test{"", fmt::format("{}..{}", kTestSeeds.first, kTestSeeds.end - 1)};
    Row fresh{"", fmt::format("{}..{}", kFreshSeeds.first, kFreshSeeds.end - 1)};
    Row range{"", "range over runs"};
    Row steps{"", "steps"};
    bool has_any = false;
    for (const std::string& domain : domains) {
      const CellRuns runs = RunsOf(records, agent, domain);
      has_any |= !runs.empty();
      const std::optional<double> of_paper = PaperPercent(agent.name, domain);
      paper.push_back(of_paper ? fmt::format("{:.1f}", *of_paper) : "");
      const std::optional<CellSummary> on_test = Summarise(runs, TestOf);
      test.push_back(!on_test          ? ""
                     : runs.size() > 1 ? fmt::format("{}, mean {}", Percent(on_test->high), Percent(on_test->mean))
                                       : Percent(on_test->mean));
      const std::optional<CellSummary> on_fresh = Summarise(runs, FreshOf);
      const std::optional<Interval> interval = IntervalOf(runs);
      fresh.push_back(
          interval ? fmt::format("{} ({} to {})", Percent(on_fresh->mean), Percent(interval->low), Percent(interval->high))
                   : "");
      const std::optional<CellSummary>& widest = on_fresh ? on_fresh : on_test;
      range.push_back(runs.size() > 1 && widest ? fmt::format("{} to {}", Percent(widest->low), Percent(widest->high)) : "");
      steps.push_back(StepsOf(runs));
    }
    if (!has_any) continue;
    for (const Row* const row : {&paper, &test, &fresh, &range, &steps}) {
      const bool says_nothing = std::all_of(row->begin() + 2, row->end(), [](const std::string& cell) { return cell.empty(); });
      if (!says_nothing || !row->front().empty()) rows.push_back(*row);
    }
  }
  return MarkdownTable(rows) + Notes(records);
}

Json Table2Json(const std::vector<RunRecord>& records) {
  const auto summary = [](const std::optional<CellSummary>& of) -> Json {
    if (!of) return nullptr;
    return {{"mean", of->mean}, {"low", of->low}, {"high", of->high}};
  };
  Json cells = Json::array();
  for (const TableAgent& agent : TableAgents()) {
    for (const std::string& domain : DomainsOf(records)) {
      const CellRuns runs = RunsOf(records, agent, domain);
      if (runs.empty()) continue;
      const std::optional<double> paper = PaperPercent(agent.name, domain);
      const std::optional<Interval> interval = IntervalOf(runs);
      Json cell{{"agent", agent.name},
                {"variant", agent.variant},
                {"domain", domain},
                {"paper", paper ? Json(*paper / 100) : Json()},
                {"test", summary(Summarise(runs, TestOf))},
                {"fresh", summary(Summarise(runs, FreshOf))},
                {"fresh_95", interval ? Json{interval->low, interval->high} : Json()},
                {"runs", Json::array()}};
      for (const RunRecord* const run : runs) {
        cell["runs"].push_back({{"seed", run->seed}, {"steps", run->steps}, {"done", run->is_done}, {"seconds", run->seconds}});
      }
      cells.push_back(std::move(cell));
    }
  }
  return {{"test_seeds", {kTestSeeds.first, kTestSeeds.end}},
          {"fresh_seeds", {kFreshSeeds.first, kFreshSeeds.end}},
          {"cells", cells}};
}

namespace {

// The success of a run at a step, between two evaluations along a line; nothing after its last.
std::optional<double> At(const RunRecord& run, std::uint64_t step) {
  const auto next = std::lower_bound(run.evaluations.begin(), run.evaluations.end(), step,
                                     [](const RunRecord::Evaluation& e, std::uint64_t s) { return e.step < s; });
  if (next == run.evaluations.end()) return {};
  if (next == run.evaluations.begin() || next->step == step) return next->test;
  const auto before = std::prev(next);
  const double part = static_cast<double>(step - before->step) / static_cast<double>(next->step - before->step);
  return before->test + part * (next->test - before->test);
}

Curve MeanCurve(const CellRuns& runs) {
  // At the evaluations of the run that came furthest.
  const RunRecord& longest = **std::max_element(runs.begin(), runs.end(),
                                                [](auto a, auto b) { return a->evaluations.size() < b->evaluations.size(); });
  Curve curve;
  for (const RunRecord::Evaluation& evaluation : longest.evaluations) {
    const std::optional<CellSummary> mean = Summarise(runs, [&](const RunRecord& run) { return At(run, evaluation.step); });
    if (mean) curve.push_back({static_cast<double>(evaluation.step), mean->mean});
  }
  return curve;
}

}  // namespace

std::vector<std::string> DomainsWithCurves(const std::vector<RunRecord>& records) {
  std::vector<std::string> domains = DomainsOf(records);
  std::erase_if(domains, [&](const std::string& domain) {
    return std::none_of(records.begin(), records.end(),
                        [&](const RunRecord& record) { return record.domain == domain && !record.evaluations.empty(); });
  });
  return domains;
}

std::string Table2Curves(const std::vector<RunRecord>& records, const std::string& domain) {
  std::vector<LabelledCurve> curves;
  for (const TableAgent& agent : TableAgents()) {
    CellRuns runs = RunsOf(records, agent, domain);
    std::erase_if(runs, [](const RunRecord* run) { return run->evaluations.empty(); });
    if (!runs.empty()) curves.push_back({std::string(agent.title), MeanCurve(runs)});
  }
  Chart chart;
  chart.title = domain;
  return DrawCurves(chart, curves);
}

}  // namespace conpole::cli
