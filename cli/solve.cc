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
  session.PrintAnswer(FormatSolution(session.domain(), solution, session.answer_format()));
  if (solution.outcome == SearchOutcome::kInterrupted) return kInterrupted;
  return solution.status == SolveStatus::kUnsolved ? kSomeFailed : kOk;
}

}  // namespace

void AddSolve(Command& program) {
  Command& command = program.Add("solve", "Solve a problem and print the steps");
  const auto arguments = std::make_shared<TutorArguments>();
  arguments->AddTo(command, 1, "a problem");
  command.Text("--detail", arguments->detail, "Which steps to show: school, axioms, or both.");
  arguments->AddMovesTo(command);
  arguments->AddColorTo(command);
  arguments->search.AddSearchTo(command);
  command.footer =
      "The policy is followed greedily, then by beams that grow until the budget is spent. With an option of how to search, "
      "that search alone is made, and it takes its time unless --milliseconds is given. An answer that is shown was verified, "
      "or it says that it was not.\n"
      "Exit status: 0 answered, 1 no answer found, 2 bad input, 130 interrupted.";
  command.action = [arguments, &command] {
    const bool one_search = SearchArguments::AnyGiven(command);
    return Solve(*arguments, one_search, !one_search || arguments->milliseconds->is_given);
  };
}

}  // namespace conpole::cli
