// conpole check: judges a learner's next line.
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

int Check(const TutorArguments& arguments) {
  TutorSession session(arguments, 2);
  const std::optional<std::string> state = session.ReadProblem();
  if (!state) return kBadInput;
  const StepCheck check = session.tutor().Check(*state, session.text(1), session.budget());
  const bool unreadable = check.kind == StepCheck::Kind::kUnreadable;
  if (unreadable && session.format() != Format::kJson) throw Error(check.message);
  PrintLine(FormatCheck(session.domain(), *state, check, session.format()));
  if (unreadable) return kBadInput;
  return check.correct() ? kOk : kSomeFailed;
}

}  // namespace

void AddCheck(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("check", "Judge whether a line may follow another, and whether it helps");
  const auto arguments = std::make_shared<TutorArguments>();
  arguments->AddTo(*command, 2, "a line and the next one");
  command->footer("Exit status: 0 correct, 1 not correct or too large to tell, 2 bad input.");
  command->callback([arguments, &action] { action = [arguments] { return Check(*arguments); }; });
}

}  // namespace conpole::cli
