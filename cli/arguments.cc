#include "cli/arguments.h"

#include <fmt/format.h>
#include <algorithm>

#include "cli/commands.h"
#include "conpole/error.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

constexpr std::string_view kTextsMark = "--";  // before texts only

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
  for (; next != arguments.end() && *next != kTextsMark; ++next) {
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
  options.emplace_back(kTextsMark);
  options.insert(options.end(), texts.begin(), texts.end());
  return options;
}

void AddTexts(CLI::App& command, const std::string& name, std::vector<std::string>& texts, std::size_t min, std::size_t max,
              const std::string& meaning) {
  // The first is an option for the help's sake; the rest is what the parser leaves over, after the mark before the texts.
  const CLI::Option* const first = command
                                       .add_option_function<std::string>(
                                           name, [](const std::string&) {}, meaning)
                                       ->required(min > 0)
                                       ->expected(1, max > 1 ? -1 : 1);
  command.allow_extras();
  command.parse_complete_callback([&command, &texts, first, name, min, max] {
    texts = first->results();
    const std::vector<std::string> rest = command.remaining();
    const bool marked = !rest.empty() && rest.front() == kTextsMark;
    texts.insert(texts.end(), rest.begin() + (marked ? 1 : 0), rest.end());
    if (texts.size() < min)
      throw Error(fmt::format("{}: {} texts are needed, and there is only {}", name, min, Shown(texts.back())));
    if (texts.size() > max) throw Error(fmt::format("{} was not expected after {}", Shown(texts[max]), Shown(texts[max - 1])));
  });
}

std::string NoSuchCommand(std::string_view name) {
  if (std::find(kLeftOut.begin(), kLeftOut.end(), name) != kLeftOut.end()) {
    return fmt::format(
        "this build of conpole has no {}; build the program from its source for that, and name it with CONPOLE_PROGRAM where "
        "Python is to find it",
        name);
  }
  return fmt::format("there is no command {}; conpole help lists those that there are", Shown(name));
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace conpole::cli
