#include "cli/arguments.h"

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

CLI::App* FindCommand(CLI::App& app, const std::string& name) {
  const std::vector<CLI::App*> found = app.get_subcommands([&](const CLI::App* command) { return command->check_name(name); });
  return found.empty() ? nullptr : found.front();
}

bool IsOption(std::string_view argument) { return argument == "-h" || (argument.size() > 2 && argument.starts_with("--")); }

// How many of the arguments that follow belong to the option.
std::size_t CountValues(const CLI::App& app, const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const CLI::Option* const option = app.get_option_no_throw(argument.substr(0, equals));
  if (option == nullptr) {
    const std::string where = app.get_parent() == nullptr ? "conpole" : fmt::format("conpole {}", app.get_name());
    throw Error(fmt::format("there is no option {}; {} --help lists those that there are", Shown(argument), where));
  }
  return equals == std::string::npos ? static_cast<std::size_t>(option->get_items_expected_min()) : 0;
}

}  // namespace

std::vector<std::string> SortArguments(CLI::App& program, const std::vector<std::string>& arguments) {
  CLI::App* app = &program;
  std::vector<std::string> options;
  std::vector<std::string> texts;
  auto next = arguments.begin();
  for (; next != arguments.end() && *next != "--"; ++next) {
    if (IsOption(*next)) {
      options.push_back(*next);
      for (std::size_t values = CountValues(*app, *next); values > 0 && next + 1 != arguments.end(); --values) {
        options.push_back(*++next);
      }
    } else if (app->get_subcommands({}).empty()) {
      texts.push_back(*next);
    } else if (CLI::App* const command = FindCommand(*app, *next)) {
      options.push_back(*next);
      app = command;
    } else {
      throw Error(NoSuchCommand(*next));
    }
  }
  if (next != arguments.end()) texts.insert(texts.end(), next + 1, arguments.end());
  if (texts.empty()) return options;
  options.push_back("--");
  options.insert(options.end(), texts.begin(), texts.end());
  return options;
}

std::string NoSuchCommand(std::string_view name) {
  return fmt::format("there is no command {}; conpole help lists those that there are", Shown(name));
}

}  // namespace conpole::cli
