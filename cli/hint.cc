// conpole hint: what to do next, in one sentence.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/tutor_options.h"
#include "util/interrupt.h"

namespace conpole::cli {
namespace {

struct HintOptions {
  TutorArguments tutor;
  std::uint64_t level = 1;
  std::string tried;
};

int Hint(const HintOptions& options) {
  TutorSession session(options.tutor, 1);
  const std::optional<std::string> state = session.ReadProblem();
  if (!state) return kBadInput;
  const int level = static_cast<int>(options.level);
  const TutorHint hint = session.tutor().HintAfter(*state, options.tried, level, session.budget());
  session.PrintAnswer(FormatHint(session.domain(), *state, level, hint, session.answer_format()));
  if (hint.status != SolveStatus::kUnsolved) return kOk;
  return InterruptFlag() ? kInterrupted : kSomeFailed;
}

}  // namespace

void AddHint(Command& program) {
  Command& command = program.Add("hint", "Say what to do next, from any line of a solution");
  const auto options = std::make_shared<HintOptions>();
  options->tutor.AddTo(command, 1, "a line");
  command.Number("--level", options->level,
                 "How much the hint tells: 1 the kind of step, 2 which step and where, 3 the line that it gives.",
                 {1, Tutor::kHintLevels});
  command.Text(
      "--tried", options->tried,
      "What you wrote after that line: if it is right, the hint goes on from there; if not, it reminds of the mistake.");
  options->tutor.AddMethodTo(command);
  options->tutor.AddMovesTo(command);
  command.footer = "Exit status: 0 given, 1 no solution found to take it from, 2 bad input, 130 interrupted.";
  command.action = [options] { return Hint(*options); };
}

}  // namespace conpole::cli
