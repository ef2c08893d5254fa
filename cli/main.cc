// The program conpole: a table of commands. Errors end here, as one line on standard error and exit status 2.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/torch_engine.h"
#include "cli/version.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

constexpr AddCommand kCommands[] = {AddTour, AddSolve, AddHint, AddCheck, AddNext,  AddPractice, AddDomains,  AddGenerate,
                                    AddStep, AddWalk,  AddEval, AddEmbed, AddTrain, AddPlot,     AddReproduce};

// A problem may begin with a minus sign, like -x = 9. A blank before it keeps it from being read as an option; no command has
// one of a single letter but -h, and numbers after an option are left alone.
std::vector<std::string> ReadArguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::string& argument : arguments) {
    const bool minus = argument.size() > 2 && argument[0] == '-' && argument[1] != '-';
    if (minus && argument.find_first_not_of("0123456789.", 1) != std::string::npos) argument.insert(0, " ");
  }
  std::reverse(arguments.begin(), arguments.end());  // as the parser takes them
  return arguments;
}

int Fail(std::string message) {
  // It may quote what the user wrote, and is one line all the same.
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "conpole: " << message << '\n';
  return kBadInput;
}

int Run(int argc, char** argv) {
  CLI::App program("conpole learns to solve symbolic problems step by step.", "conpole");
  program.set_version_flag("--version", kVersion);
  program.require_subcommand(0, 1);
  Action action;
  for (const AddCommand add : kCommands) add(program, action);
  try {
    program.parse(ReadArguments(argc, argv));
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
