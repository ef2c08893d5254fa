// conpole solve: searches for the solution of one problem and prints it step by step.
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/search_options.h"
#include "cli/stopwatch.h"
#include "conpole/domain.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

struct Options {
  std::string domain;
  std::string problem;
  bool json = false;
  SearchArguments search;
};

struct Answer {
  std::string problem;
  SearchResult result;
  std::vector<std::string> labels;
  double seconds = 0;
};

void PrintAnswer(const Answer& answer) {
  const SearchResult& result = answer.result;
  PrintLine(answer.problem);
  for (std::size_t i = 0; i < answer.labels.size(); ++i)
    PrintLine(fmt::format("{} | {}", result.path[i + 1], answer.labels[i]));
  const std::string verdict = result.solved()
                                  ? fmt::format("solved in {} step{}", result.steps(), result.steps() == 1 ? "" : "s")
                                  : fmt::format("no solution found ({})", NameOf(result.outcome));
  PrintLine(
      fmt::format("-- {}: {} states expanded, {} edges, {:.3f} s", verdict, result.expanded, result.edges, answer.seconds));
}

void PrintAnswerAsJson(const Answer& answer, const std::string& domain) {
  const SearchResult& result = answer.result;
  Json steps = Json::array();
  for (std::size_t i = 0; i < answer.labels.size(); ++i)
    steps.push_back({{"state", result.path[i + 1]}, {"label", answer.labels[i]}});
  PrintJsonLine({{"domain", domain},
                 {"problem", answer.problem},
                 {"solved", result.solved()},
                 {"outcome", NameOf(result.outcome)},
                 {"steps", steps},
                 {"expanded", result.expanded},
                 {"edges", result.edges},
                 {"seconds", answer.seconds}});
}

int Solve(const Options& options) {
  const std::unique_ptr<Domain> domain = MakeDomain(options.domain);
  const SearchOptions search = options.search.Resolve();
  ThreadPool pool(options.search.threads);
  const std::unique_ptr<Scorer> scorer = options.search.MakeScorer(*domain, pool);
  Parsed parsed = domain->Parse(options.problem);
  if (parsed.error) {
    throw Error(fmt::format("'{}' is not a problem of {}: position {}: {}", options.problem, domain->type().name,
                            parsed.error->position, parsed.error->message));
  }
  Answer answer;
  answer.problem = std::move(parsed.state);
  const Stopwatch watch;
  answer.result = RunSearch(*domain, *scorer, std::span(&answer.problem, 1), search, pool).front();
  answer.seconds = watch.Seconds();
  answer.labels = LabelsOfPath(*domain, answer.result.path);
  if (options.json) {
    PrintAnswerAsJson(answer, domain->Spec());
  } else {
    PrintAnswer(answer);
  }
  if (answer.result.outcome == SearchOutcome::kInterrupted) return kInterrupted;
  return answer.result.solved() ? kOk : kSomeFailed;
}

}  // namespace

void AddSolve(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("solve", "Search for a solution and print it, a line per step: state | axiom");
  const auto options = std::make_shared<Options>();
  command->add_option("domain", options->domain, "A domain, for example equations")->required();
  command->add_option("problem", options->problem, "A problem in the domain's notation, for example \"2x + 3 = 7\"")
      ->required();
  command->add_flag("--json", options->json, "One JSON object");
  options->search.AddTo(*command);
  command->footer("Exit status: 0 solved, 1 no solution found, 2 bad input, 130 interrupted.");
  command->callback([options, &action] { action = [options] { return Solve(*options); }; });
}

}  // namespace conpole::cli
