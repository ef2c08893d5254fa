// conpole tour: one solved problem of each domain, and what to try next. It is what the program shows without arguments.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "subjects/subject.h"

namespace conpole::cli {
namespace {

int TourWith(const TutorArguments& options) {
  bool all = true;
  for (const Subject* const subject : Subjects()) {
    const std::string example(subject->Example());
    if (example.empty()) continue;
    TutorArguments arguments = options;
    arguments.texts = {example};
    TutorSession session(arguments, subject->type()->name);
    const std::optional<std::string> problem = session.ReadProblem();
    // The examples are easy, and are solved however slow the machine is.
    TutorBudget budget = session.budget();
    budget.milliseconds = std::max<std::uint64_t>(budget.milliseconds, 60'000);
    const TutorSolution solution = session.tutor().Solve(*problem, budget);
    if (solution.outcome == SearchOutcome::kInterrupted) return kInterrupted;
    const std::string& name = subject->type()->name;
    // What is guessed where nothing else fits need not be named.
    const std::string domain = subject == Subjects().front() ? "" : name + " ";
    PrintLine(fmt::format("$ conpole solve {}\"{}\"", domain, example));
    PrintLine(FormatSolution(session.domain(), solution, {.is_coloured = session.is_coloured()}) + "\n");
    all = all && solution.solved();
  }
  PrintLine(R"(Try next:
  conpole solve "3(x-2) = 9"             your own problem; --format latex or json
  conpole hint "2x+3=7" --level 2        what to do next, and no more
  conpole check "2x+3=7" "2x=10"         whether a line is right
  conpole next "2x+3=7"                  all that can be done, and what the policy thinks of it
  conpole practice fractions --level 1   exercises
  conpole --help                         all commands)");
  return all ? kOk : kSomeFailed;
}

}  // namespace

int Tour() { return TourWith(TutorArguments()); }

void AddTour(Command& program) {
  Command& command = program.Add("tour", "Show a solved problem of each domain; the same as no command at all");
  const auto options = std::make_shared<TutorArguments>();
  options->AddLanguageTo(command);
  command.action = [options] { return TourWith(*options); };
}

}  // namespace conpole::cli
