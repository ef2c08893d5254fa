// conpole solve: solves one problem and prints the steps, each with its reason.
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/tutor_options.h"

namespace conpole::cli {
namespace {

// `limited` says whether the time of the budget counts.
int Solve(const TutorArguments& arguments, bool one_search, bool limited) {
  TutorSession session(arguments, 1);
  const SearchOptions search = arguments.search.Resolve();
  const std::optional<std::string> problem = session.ReadProblem();
  if (!problem) return kBadInput;
  TutorBudget budget = session.budget();
  if (!limited) budget.milliseconds = kNoTimeLimit;
  const TutorSolution solution = session.tutor().Solve(*problem, budget, one_search ? &search : nullptr);
  session.PrintAnswer(FormatSolution(session.domain(), solution, {session.format(), session.detail(), session.is_coloured()}));
  if (solution.outcome == SearchOutcome::kInterrupted) return kInterrupted;
  return solution.status == SolveStatus::kUnsolved ? kSomeFailed : kOk;
}

}  // namespace

void AddSolve(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("solve", "Solve a problem and print the steps");
  const auto arguments = std::make_shared<TutorArguments>();
  arguments->AddTo(*command, 1, "a problem");
  arguments->search.AddSearchTo(*command);
  command->add_option("--detail", arguments->detail, "Of the steps: school, axioms, or both")->capture_default_str();
  arguments->AddMovesTo(*command);
  arguments->AddColorTo(*command);
  command->footer(
      "The policy is followed greedily, then by beams that grow until the budget is spent; with an option of a search "
      "(--search to\n"
      "--max-expanded), by that search alone, which takes its time unless --milliseconds is given. What is shown as an answer "
      "was verified, or it says that it was not.\n"
      "Exit status: 0 answered, 1 no answer found, 2 bad input, 130 interrupted.");
  command->callback([arguments, command, &action] {
    const bool one_search = SearchArguments::AnyGiven(*command);
    const bool limited = !one_search || command->get_option("--milliseconds")->count() != 0;
    action = [arguments, one_search, limited] { return Solve(*arguments, one_search, limited); };
  });
}

}  // namespace conpole::cli
