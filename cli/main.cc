// The program conpole: it finds the command in a table and runs it. Errors end here, as one line on standard error and exit
// status 2.
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/parser.h"
#include "cli/torch_engine.h"
#include "conpole/error.h"
#include "language/catalogue.h"

namespace conpole::cli {
namespace {

// The language that --language or --lang asks for; English if that is none. Known before the arguments are read, since that can
// fail.
std::string_view LanguageOf(const std::vector<std::string_view>& arguments) {
  std::string_view language = "en";
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    for (const std::string_view option : {"--language", "--lang"}) {
      if (!arguments[i].starts_with(option)) continue;
      const std::string_view rest = arguments[i].substr(option.size());
      if (rest.starts_with('=')) language = rest.substr(1);
      if (rest.empty() && i + 1 < arguments.size()) language = arguments[i + 1];
    }
  }
  return Catalogue::Has(language) ? language : "en";
}

int Fail(const Message& message, std::string_view language) {
  std::cerr << "conpole: " << PrintableMessage(SayIn(language, message)) << '\n';
  return kBadInput;
}

int Run(int argc, char** argv) {
  Command program{"conpole", "conpole learns to solve symbolic problems step by step."};
  program.action = [] { return Tour(); };
  for (const AddCommand add : kCommands) add(program);
  return RunCommand(program, {argv + 1, argv + argc});
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
    return conpole::cli::Fail(conpole::cli::MessageOf(error), conpole::cli::LanguageOf({argv + 1, argv + argc}));
  }
}
