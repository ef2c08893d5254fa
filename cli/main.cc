// The program conpole: it finds the command in a table and runs it. Errors end here, as one line on standard error and exit
// status 2.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/torch_engine.h"
#include "cli/version.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

int Fail(std::string_view message) {
  // It may quote what the user wrote, and is one line all the same.
  std::cerr << "conpole: " << Printable(message) << '\n';
  return kBadInput;
}

int Run(int argc, char** argv) {
  CLI::App program("conpole learns to solve symbolic problems step by step.", "conpole");
  program.set_version_flag("--version", kVersion);
  program.require_subcommand(0, 1);
  program.get_formatter()->label("SUBCOMMAND", "COMMAND");
  program.get_formatter()->label("Subcommands", "Commands");
  Action action;
  for (const AddCommand add : kCommands) add(program, action);
  std::vector<std::string> arguments = SortArguments(program, {argv + 1, argv + argc});
  std::reverse(arguments.begin(), arguments.end());  // as the parser takes them
  try {
    program.parse(std::move(arguments));
  } catch (const CLI::Success& request) {  // --help or --version
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    return Fail(error.what());
  }
  return action ? action() : Tour();
}

}  // namespace
}  // namespace conpole::cli

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  conpole::cli::RememberArguments(argv);
  try {
    const int status = conpole::cli::Run(argc, argv);
    if (!std::cout.flush()) throw conpole::Error("cannot write to standard output");
    return status;
  } catch (const std::exception& error) {
    return conpole::cli::Fail(error.what());
  }
}
