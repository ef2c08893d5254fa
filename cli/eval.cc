// conpole eval: how many generated problems a search solves, and at what cost.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/problem_list.h"
#include "cli/ranks.h"
#include "cli/search_options.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "domains/axioms/abstract_domain.h"
#include "subjects/classify.h"
#include "subjects/verify.h"
#include "util/progress.h"
#include "util/seed_range.h"
#include "util/statistics.h"
#include "util/stopwatch.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

struct EvalOptions {
  std::string domain;
  std::string seeds = "0:200";
  std::string problems;   // a file; empty: those of the seeds
  std::string unseen_by;  // seeds whose problems are left out; empty: none
  bool json = false;
  bool failures = false;
  std::size_t max_axioms = 0;  // of a solution with abstractions opened; 0 for no limit
  SearchArguments search;
};

struct Report {
  std::size_t problems = 0;  // searched to the end
  std::size_t solved = 0;
  // Of those that are solved: whether the answer is right, by other means than the axioms.
  std::size_t right = 0;
  std::size_t wrong = 0;
  std::size_t cannot_tell = 0;
  // Of which it is not known that no steps lead to an answer, as of an equation that no number solves.
  std::size_t solvable = 0;
  std::vector<double> lengths;  // of the solutions
  std::vector<double> axioms;   // the same, with abstractions opened; none if the domain has no abstractions
  std::uint64_t expanded = 0;
  std::uint64_t edges = 0;
  std::vector<std::size_t> failures;  // indices of problems
  std::size_t unfinished = 0;         // interrupted; they count as neither solved nor unsolved
  double seconds = 0;

  // Whether of some answer it is known that it is right or wrong; if nothing is solved, there is nothing to be known.
  bool anything_verified() const { return cannot_tell == 0 || right + wrong > 0; }
};

struct ProblemSet {
  std::vector<std::string> problems;
  std::vector<std::uint64_t> numbers = {};  // of the problems
  std::string numbered_by = "seed";
  std::size_t not_made = 0;  // interrupted
  std::size_t seen = 0;      // left out, since seeds of --unseen-by generate them
};

ProblemSet ProblemsOf(const EvalOptions& options, const Domain& domain, const StopToken& stop) {
  ProblemSet set;
  if (!options.problems.empty()) {
    set.problems = ReadProblemList(domain, options.problems);
    set.numbers.resize(set.problems.size());
    std::iota(set.numbers.begin(), set.numbers.end(), 1);
    set.numbered_by = "problem";
    return set;
  }
  const SeedRange seeds = ParseSeedRange("--seeds", options.seeds);
  constexpr std::uint64_t kMaxProblems = 100'000'000;
  if (seeds.size() > kMaxProblems) throw Error(fmt::format("--seeds {}: more than {} problems", options.seeds, kMaxProblems));
  for (std::uint64_t seed = seeds.first; seed != seeds.end && !stop.StopRequested(); ++seed) {
    set.problems.push_back(domain.Generate(seed));
    set.numbers.push_back(seed);
  }
  set.not_made = seeds.size() - set.problems.size();
  return set;
}

// Leaves out the problems that seeds of the range generate, too: a policy trained on those may have seen them.
void LeaveOutSeen(const Domain& domain, const SeedRange& seeds, const StopToken& stop, ThreadPool& pool, ProblemSet& set) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < set.problems.size(); ++i) places[set.problems[i]].push_back(i);
  std::vector<std::atomic<bool>> is_seen(set.problems.size());
  Progress progress("seeds", seeds.size());
  constexpr std::uint64_t kPiece = 1024;
  // In rounds, as one thread shows the progress.
  const std::uint64_t round = kPiece * 16 * pool.size();
  for (std::uint64_t first = seeds.first; first < seeds.end && !stop.StopRequested();) {
    const std::uint64_t count = std::min(round, seeds.end - first);
    pool.For((count + kPiece - 1) / kPiece, [&](std::size_t piece) {
      for (std::uint64_t i = piece * kPiece; i < std::min((piece + 1) * kPiece, count) && !stop.StopRequested(); ++i) {
        const auto found = places.find(domain.Generate(first + i));
        if (found == places.end()) continue;
        for (const std::size_t place : found->second) is_seen[place] = true;
      }
    });
    first += count;
    progress.Advance(first - seeds.first, "compared");
  }
  ProblemSet rest;
  for (std::size_t i = 0; i < set.problems.size(); ++i) {
    if (is_seen[i]) continue;
    rest.problems.push_back(std::move(set.problems[i]));
    rest.numbers.push_back(set.numbers[i]);
  }
  set.seen = set.problems.size() - rest.problems.size();
  set.problems = std::move(rest.problems);
  set.numbers = std::move(rest.numbers);
}

// Solutions of more than max_axioms axioms do not count; 0 for no limit.
Report Summarise(const Domain& domain, const std::vector<std::string>& problems, const std::vector<SearchResult>& results,
                 std::size_t max_axioms) {
  Report report;
  const AbstractDomain* const abstract = AsAbstractDomain(domain);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const SearchResult& result = results[i];
    report.expanded += result.expanded;
    report.edges += result.edges;
    if (result.outcome == SearchOutcome::kInterrupted) {
      ++report.unfinished;
      continue;
    }
    ++report.problems;
    bool is_right = false;
    std::size_t axioms = 0;
    if (result.solved()) axioms = abstract == nullptr ? result.steps() : abstract->OpenPath(result.path).size();
    if (result.solved() && (max_axioms == 0 || axioms <= max_axioms)) {
      ++report.solved;
      switch (VerifyPath(domain, result.path)) {
        case Verdict::kRight:
          ++report.right;
          is_right = true;
          break;
        case Verdict::kWrong:
          ++report.wrong;
          break;
        case Verdict::kCannotTell:
          ++report.cannot_tell;
          break;
      }
      report.lengths.push_back(static_cast<double>(result.steps()));
      if (abstract != nullptr) report.axioms.push_back(static_cast<double>(axioms));
    } else {
      report.failures.push_back(i);
    }
    // What is answered right was analysed already.
    if (is_right || ClassifyProblem(domain, problems[i]).solvable) ++report.solvable;
  }
  return report;
}

std::string VerificationLine(const Report& report, double share) {
  if (!report.anything_verified()) return "verified: cannot tell, there is no other way to know whether an answer is right";
  std::string line = fmt::format("verified {} of {}: {:.1f}%", report.right, report.problems, 100 * share);
  std::vector<std::string> others;
  if (report.wrong > 0) others.push_back(fmt::format("{} wrong", report.wrong));
  if (report.cannot_tell > 0) others.push_back(fmt::format("of {} it cannot be told", report.cannot_tell));
  return others.empty() ? line : line + " (" + Join(others) + ")";
}

void PrintReport(const Report& report, const EvalOptions& options, const Domain& domain, const ProblemSet& set) {
  const auto share = [&](std::size_t count) {
    return report.problems == 0 ? 0 : static_cast<double>(count) / static_cast<double>(report.problems);
  };
  const double rate = share(report.solved);
  const Interval interval = RateInterval(report.solved, report.problems);
  const double p50 = Percentile(report.lengths, 0.5);
  const double p95 = Percentile(report.lengths, 0.95);
  const double longest = Percentile(report.lengths, 1);
  if (options.json) {
    Json object{{"domain", domain.Spec()},
                {"search", options.search.search},
                {"scorer", options.search.ScorerName(domain)},
                {"abstractions", options.search.AbstractionsName(domain)},
                {"problems", report.problems},
                {"unseen_by", options.unseen_by.empty() ? Json() : Json(options.unseen_by)},
                {"seen", set.seen},
                {"solved", report.solved},
                {"success_rate", rate},
                {"success_rate_95", {interval.low, interval.high}},
                {"verified", report.right},
                {"verified_rate", report.anything_verified() ? Json(share(report.right)) : Json()},
                {"wrong", report.wrong},
                {"cannot_tell", report.cannot_tell},
                {"solvable", report.solvable},
                {"verified_of_solvable", report.anything_verified() && report.solvable > 0
                                             ? Json(static_cast<double>(report.right) / static_cast<double>(report.solvable))
                                             : Json()},
                {"mean_length", Mean(report.lengths)},
                {"length_p50", p50},
                {"length_p95", p95},
                {"length_max", longest},
                {"expanded", report.expanded},
                {"edges", report.edges},
                {"seconds", report.seconds},
                {"interrupted", report.unfinished != 0},
                {"unfinished", report.unfinished}};
    if (!report.axioms.empty()) {
      object["mean_axioms"] = Mean(report.axioms);
      object["axioms_max"] = Percentile(report.axioms, 1);
    }
    if (options.failures) {
      object["failures"] = Json::array();
      for (const std::size_t i : report.failures)
        object["failures"].push_back({{set.numbered_by, set.numbers[i]}, {"problem", set.problems[i]}});
    }
    return PrintJsonLine(object);
  }
  PrintLine(fmt::format("{}, {} with scorer {}, {}{}", domain.Spec(), options.search.search, options.search.ScorerName(domain),
                        options.search.AbstractionsName(domain),
                        report.unfinished == 0 ? ""
                                               : fmt::format(" (interrupted: {} problems were not finished and do not count)",
                                                             report.unfinished)));
  if (!options.unseen_by.empty()) {
    PrintLine(fmt::format("{} problems were left out, since seeds {} generate them, too; {} are left", set.seen,
                          options.unseen_by, set.problems.size()));
  }
  PrintLine(fmt::format("solved {} of {}: {:.1f}% (95% interval {:.1f}% to {:.1f}%)", report.solved, report.problems,
                        100 * rate, 100 * interval.low, 100 * interval.high));
  PrintLine(VerificationLine(report, share(report.right)));
  if (report.solvable < report.problems && report.solvable > 0) {
    PrintLine(fmt::format("{} of {} can be solved, and of these {} are solved and verified: {:.1f}%", report.solvable,
                          report.problems, report.right,
                          100 * static_cast<double>(report.right) / static_cast<double>(report.solvable)));
  }
  PrintLine(fmt::format("solution length: mean {:.2f}, median {:.0f}, 95th percentile {:.0f}, longest {:.0f}",
                        Mean(report.lengths), p50, p95, longest));
  if (!report.axioms.empty()) {
    PrintLine(fmt::format("in axioms: mean {:.2f}, median {:.0f}, 95th percentile {:.0f}, longest {:.0f}", Mean(report.axioms),
                          Percentile(report.axioms, 0.5), Percentile(report.axioms, 0.95), Percentile(report.axioms, 1)));
  }
  PrintLine(fmt::format("{} states expanded, {} edges, {:.3f} s", report.expanded, report.edges, report.seconds));
  if (!options.failures) return;
  for (const std::size_t i : report.failures) {
    PrintLine(fmt::format("unsolved: {} {}: {}", set.numbered_by, set.numbers[i], set.problems[i]));
  }
}

// What ranks found out about their problems, as one report.
Report Merge(Ranks& ranks, const Report& mine) {
  const auto counts = [](auto& report) {
    return std::array{&report.problems, &report.solvable,    &report.solved,    &report.right,
                      &report.wrong,    &report.cannot_tell, &report.unfinished};
  };
  Json object{{"counts", Json::array()}, {"lengths", mine.lengths},   {"axioms", mine.axioms},  {"expanded", mine.expanded},
              {"edges", mine.edges},     {"failures", mine.failures}, {"seconds", mine.seconds}};
  for (const std::size_t* const count : counts(mine)) object["counts"].push_back(*count);
  Report merged;
  for (const std::string& text : ranks.GatherTexts(object.dump())) {
    const Json other = Json::parse(text);
    std::size_t next = 0;
    for (std::size_t* const count : counts(merged)) *count += other.at("counts").at(next++).get<std::size_t>();
    for (const Json& length : other.at("lengths")) merged.lengths.push_back(length);
    for (const Json& length : other.at("axioms")) merged.axioms.push_back(length);
    for (const Json& failure : other.at("failures")) merged.failures.push_back(failure);
    merged.expanded += other.at("expanded").get<std::uint64_t>();
    merged.edges += other.at("edges").get<std::uint64_t>();
    merged.seconds = std::max(merged.seconds, other.at("seconds").get<double>());
  }
  std::sort(merged.failures.begin(), merged.failures.end());
  return merged;
}

int EvaluateOn(Ranks& ranks, EvalOptions options) {
  options.search.device = OwnDevice(options.search.device);
  const std::shared_ptr<const Domain> domain = options.search.WithAbstractionsOfModel(MakeAnyDomain(options.domain));
  const SearchOptions search = options.search.Resolve();
  ThreadPool pool(options.search.threads);
  const std::unique_ptr<Scorer> scorer = options.search.MakeScorer(*domain, pool);
  ProblemSet set = ProblemsOf(options, *domain, search.stop);
  if (!options.unseen_by.empty()) {
    LeaveOutSeen(*domain, ParseSeedRange("--unseen-by", options.unseen_by), search.stop, pool, set);
  }
  const std::vector<std::size_t> own = OwnShare(ranks, set.problems.size());
  std::vector<std::string> problems;
  for (const std::size_t i : own) problems.push_back(set.problems[i]);

  const Stopwatch watch;
  std::vector<SearchResult> results;
  {
    Progress progress(domain->type().name, problems.size());
    std::size_t done = 0;
    std::size_t solved = 0;
    results = RunSearch(*domain, *scorer, problems, search, pool, [&](std::size_t, const SearchResult& result) {
      if (result.solved()) ++solved;
      progress.Advance(++done, fmt::format("solved {}", solved));
    });
  }
  const double seconds = watch.Seconds();
  Report report = Summarise(*domain, problems, results, options.max_axioms);
  for (std::size_t& failure : report.failures) failure = own[failure];
  if (ranks.is_first()) report.unfinished += set.not_made;
  report.seconds = seconds;
  if (!ranks.is_alone()) report = Merge(ranks, report);
  if (ranks.is_first()) PrintReport(report, options, *domain, set);
  return report.unfinished != 0 ? kInterrupted : kOk;
}

int Evaluate(const EvalOptions& options) {
  return WithRanks([&](Ranks& ranks) { return EvaluateOn(ranks, options); });
}

}  // namespace

void AddEval(Command& program) {
  Command& command = program.Add("eval", "Solve many generated problems and report the success rate and the cost");
  const auto options = std::make_shared<EvalOptions>();
  command.Takes("domain", options->domain, "The domain, for example sorting, or python:MODULE.CLASS.");
  command.Text("--seeds", options->seeds, "The seeds of the problems, FIRST:END without END.");
  command
      .Text("--problems,--cubes", options->problems,
            "Solve the problems of this file instead: a JSON list of texts, or one per line.")
      .excludes = "--seeds";
  command.Text("--unseen-by", options->unseen_by,
               "Leave out problems that the seeds FIRST:END generate, too, as those that a model was trained on.");
  command.Flag("--json", options->json, "Print one JSON object.");
  command.Flag("--failures", options->failures, "Also list the unsolved problems.");
  command.Number("--max-axioms", options->max_axioms,
                 "A solution of more axioms than this, with abstractions opened, does not count; 0 is no limit.");
  options->search.AddScorerTo(command);
  options->search.AddSearchTo(command);
  command.footer = "Exit status: 0 done, 2 bad input, 130 interrupted (the report is about what was done until then).";
  command.action = [options] { return Evaluate(*options); };
}

}  // namespace conpole::cli
