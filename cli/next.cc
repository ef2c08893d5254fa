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
  session.PrintAnswer(FormatNextSteps(session.domain(), *state, tutor.Write(*state), steps, session.answer_format()));
  return kOk;
}

}  // namespace

void AddNext(Command& program) {
  Command& command = program.Add("next", "List all next steps of a line and how likely the policy would take each");
  const auto arguments = std::make_shared<TutorArguments>();
  arguments->AddTo(command, 1, "a line");
  command.action = [arguments] { return Next(*arguments); };
}

}  // namespace conpole::cli
