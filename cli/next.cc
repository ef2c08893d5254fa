// conpole next: everything that can be done with a line, and how likely the policy would do it.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/tutor_options.h"

namespace conpole::cli {
namespace {

int Next(const TutorArguments& arguments) {
  TutorSession session(arguments, 1);
  const std::optional<std::string> state = session.ReadProblem();
  if (!state) return kBadInput;
  Tutor& tutor = session.tutor();
  const std::vector<NextStep> steps = tutor.NextSteps(*state);
  session.PrintAnswer(FormatNextSteps(session.domain(), *state, tutor.Write(*state), steps, {session.format()}));
  return kOk;
}

}  // namespace

void AddNext(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("next", "List all next steps with the policy's probability of each");
  const auto arguments = std::make_shared<TutorArguments>();
  arguments->AddTo(*command, 1, "a line");
  command->callback([arguments, &action] { action = [arguments] { return Next(*arguments); }; });
}

}  // namespace conpole::cli
