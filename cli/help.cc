// conpole help: what there is, or how a command is used.
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

// Prints what `conpole COMMAND... --help` prints.
int Help(const CLI::App& program, const std::vector<std::string>& names) {
  const CLI::App* described = &program;
  std::string called = program.get_name();
  for (const std::string& name : names) {
    const auto found = described->get_subcommands([&](const CLI::App* command) { return command->check_name(name); });
    if (found.empty()) throw Error(NoSuchCommand(name));
    described = found.front();
    called += " " + name;
  }
  // The formatter is asked, as App::help would describe the command that is running, which is this one.
  PrintText(program.get_formatter()->make_help(described, called, CLI::AppFormatMode::Normal));
  return kOk;
}

}  // namespace

void AddHelp(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("help", "Say what commands there are, or how one is used");
  const auto names = std::make_shared<std::vector<std::string>>();
  constexpr std::size_t kDeepest = 2;  // reproduce table1
  AddTexts(*command, "command", *names, 0, kDeepest, "The command, for example solve");
  command->callback([names, &program, &action] { action = [names, &program] { return Help(program, *names); }; });
}

}  // namespace conpole::cli
