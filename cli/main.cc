// The program conpole: a table of commands. Errors end here, as one line on standard error and exit status 2.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>

#include "cli/command.h"
#include "cli/torch_engine.h"
#include "cli/version.h"
#include "conpole/error.h"

namespace conpole::cli {
namespace {

constexpr AddCommand kCommands[] = {AddDomains, AddGenerate, AddStep,  AddWalk, AddSolve,
                                    AddEval,    AddEmbed,    AddTrain, AddPlot, AddReproduce};

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
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help or --version
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    return Fail(error.what());
  }
  if (action) return action();
  std::cout << program.help();
  return kOk;
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
