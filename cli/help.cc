// conpole help: what there is, or how a command is used.
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/parser.h"

namespace conpole::cli {

void AddHelp(Command& program) {
  Command& command = program.Add("help", "Say what commands there are, or how one is used");
  const auto names = std::make_shared<std::vector<std::string>>();
  constexpr std::size_t kDeepest = 2;  // reproduce table1
  command.Takes("command", *names, 0, kDeepest, "The command, for example solve.");
  command.action = [names, &program] { return PrintHelpOf(program, *names); };
}

}  // namespace conpole::cli
