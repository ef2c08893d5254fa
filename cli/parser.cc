// The one file that knows the parser of options, CLI11, which takes the compiler long.
#include "cli/parser.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/version.h"
#include "conpole/error.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

constexpr std::string_view kTextsMark = "--";  // before texts only

// How many letters have to be changed, left out, added or exchanged with their neighbours to make one word of the other.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  std::iota(rows[0].begin(), rows[0].end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    rows[i][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows.back().back();
}

// "; did you mean solve?" if one of the names is near to the word, else what is given.
Message Guess(std::string_view word, const std::vector<std::string>& names, const Message& otherwise) {
  constexpr std::size_t kLongest = 40;
  if (word.size() > kLongest) return otherwise;
  std::size_t most = std::clamp<std::size_t>(word.size() / 3, 1, 3);  // more differences make another word
  Message guess = otherwise;
  for (const std::string& name : names) {
    const std::size_t distance = Distance(word, name);
    if (distance > most) continue;
    guess = Message("; did you mean {}?", name);
    most = distance - 1;  // only a nearer one is better
  }
  return guess;
}

template <class Commands>
auto* FindCommand(Commands& commands, std::string_view name) {
  for (auto& command : commands) {
    if (command.name == name) return &command;
  }
  if (std::find(kLeftOut.begin(), kLeftOut.end(), name) != kLeftOut.end()) {
    throw Error(
        fmt::format("this build of conpole has no {0}; in a clone of its source, ./run {0} builds the program with it, and "
                    "CONPOLE_PROGRAM tells Python where that is",
                    name));
  }
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  throw Error(
      Message("there is no command {}{}", Shown(name), Guess(name, names, "; conpole help lists those that there are")));
}

// The arguments, sorted.
struct Sorted {
  Command* command = nullptr;
  std::vector<std::string> path;     // the names of the commands down to it
  std::vector<std::string> options;  // with their values
  std::vector<std::string> texts;
  bool wants_help = false;
  bool wants_all_help = false;
  bool wants_version = false;
};

Option* FindOption(Command& command, std::string_view name) {
  for (Option& option : command.options) {
    const std::vector<std::string> names = SplitAtCommas(option.names);
    if (std::find(names.begin(), names.end(), name) != names.end()) return &option;
  }
  return nullptr;
}

[[noreturn]] void RefuseOption(const Sorted& sorted, const std::string& argument) {
  std::vector<std::string> names{"--help"};
  for (const Option& option : sorted.command->options) {
    for (std::string& name : SplitAtCommas(option.names)) names.push_back(std::move(name));
  }
  std::string called = "conpole";
  for (const std::string& name : sorted.path) called += " " + name;
  const bool has_minor = std::any_of(sorted.command->options.begin(), sorted.command->options.end(),
                                     [](const Option& option) { return option.is_minor; });
  const Message otherwise("; {} --help{} lists those that there are", called, has_minor ? "-all" : "");
  throw Error(
      Message("there is no option {}{}", Shown(argument), Guess(argument.substr(0, argument.find('=')), names, otherwise)));
}

Sorted Sort(Command& program, const std::vector<std::string>& arguments) {
  Sorted sorted;
  sorted.command = &program;
  auto next = arguments.begin();
  for (; next != arguments.end() && *next != kTextsMark; ++next) {
    const std::string& argument = *next;
    if (sorted.command->takes_all) {
      sorted.texts.push_back(argument);
    } else if (argument == "-h" || argument == "--help" || argument == "--help-all") {
      (argument == "--help-all" ? sorted.wants_all_help : sorted.wants_help) = true;
    } else if (argument == "--version" && sorted.command == &program) {
      sorted.wants_version = true;
    } else if (argument.size() > kTextsMark.size() && argument.starts_with(kTextsMark)) {
      const std::size_t equals = argument.find('=');
      const Option* const option = FindOption(*sorted.command, argument.substr(0, equals));
      if (option == nullptr) RefuseOption(sorted, argument);
      if (option->value.empty()) {
        sorted.options.push_back(argument);
        continue;
      }
      if (equals == std::string::npos && next + 1 == arguments.end()) throw Error(Message("{} needs a value", argument));
      sorted.options.push_back(argument.substr(0, equals));
      sorted.options.push_back(equals == std::string::npos ? *++next : argument.substr(equals + 1));
    } else if (sorted.command->commands.empty()) {
      sorted.texts.push_back(argument);
    } else {
      sorted.command = FindCommand(sorted.command->commands, argument);
      sorted.path.push_back(argument);
    }
  }
  if (next != arguments.end()) sorted.texts.insert(sorted.texts.end(), next + 1, arguments.end());
  return sorted;
}

// Lines of at most `width` characters, broken at blanks; line ends in the text stay.
std::string Wrapped(const std::string& text, std::size_t width) {
  std::string lines = text;
  std::size_t begin = 0;
  std::size_t blank = std::string::npos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] == '\n') {
      begin = i + 1;
      blank = std::string::npos;
    } else if (lines[i] == ' ') {
      blank = i;
    }
    if (i - begin < width || i < begin || blank == std::string::npos) continue;
    lines[blank] = '\n';
    begin = blank + 1;
    blank = std::string::npos;
  }
  return lines;
}

constexpr std::size_t kColumn = 30;  // where the parser's help has the meanings
constexpr std::size_t kWidth = 120;

// The options of a command as the parser knows them, in the order of the command.
std::vector<CLI::Option*> AddOptions(const Command& command, CLI::App& app) {
  std::vector<CLI::Option*> added;
  for (const Option& option : command.options) {
    const std::string help = Wrapped(option.help, kWidth - kColumn);
    CLI::Option* const one = option.value.empty() ? app.add_flag(option.names, help)
                                                  : app.add_option_function<std::string>(
                                                        option.names, [](const std::string&) {}, help);
    one->group(option.group)->required(option.is_required);
    if (!option.value.empty()) one->type_name(option.value)->default_str(option.by_default);
    if (option.is_repeatable) one->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (!option.excludes.empty()) one->excludes(option.excludes);
    added.push_back(one);
  }
  return added;
}

void ReadOptions(Command& command, std::vector<std::string> arguments) {
  CLI::App app;
  app.set_help_flag();
  const std::vector<CLI::Option*> added = AddOptions(command, app);
  std::reverse(arguments.begin(), arguments.end());  // as the parser takes them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    throw Error(error.what());
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    Option& option = command.options[i];
    option.is_given = added[i]->count() != 0;
    if (option.value.empty() && option.is_given && !added[i]->as<bool>()) continue;
    for (const std::string& value : added[i]->results()) {
      if (value.empty() && !option.may_be_empty) {
        throw Error(Message("{}: its value is empty; leave the option out for what is usual", option.names));
      }
      option.read(value);
    }
  }
}

void ReadTexts(const Texts& expected, std::vector<std::string>& texts) {
  if (texts.size() < expected.min) {
    throw Error(texts.empty() ? Message("{} is required: {}", expected.name, expected.help)
                              : Message("{}: {} texts are needed, and there is only {}", expected.name, expected.min,
                                        Shown(texts.back())));
  }
  if (texts.size() > expected.max) {
    throw Error(expected.max == 0
                    ? Message("{} was not expected", Shown(texts.front()))
                    : Message("{} was not expected after {}", Shown(texts[expected.max]), Shown(texts[expected.max - 1])));
  }
  if (expected.read) expected.read(texts);
}

std::string Help(const Command& command, const std::string& called, bool all) {
  CLI::App app(command.description, called);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Subcommands", "Commands");
  app.get_formatter()->label("Positionals", "What it takes");
  Command shown = command;
  const std::size_t every = shown.options.size();
  if (!all) std::erase_if(shown.options, [](const Option& option) { return option.is_minor; });
  AddOptions(shown, app);
  app.set_help_flag("-h,--help", "Print this help and end.");
  if (every != shown.options.size() || all) app.set_help_all_flag("--help-all", "Print the help of all options and end.");
  if (command.name == "conpole") app.set_version_flag("--version", kVersion, "Print the version and end.");
  if (const Texts& texts = command.texts; texts.max > 0) {
    app.add_option_function<std::string>(
           texts.name, [](const std::string&) {}, Wrapped(texts.help, kWidth - kColumn))
        ->required(texts.min > 0)
        ->expected(1, texts.max > 1 ? -1 : 1);
  }
  for (const Command& one : command.commands) app.add_subcommand(one.name, one.description);
  std::string footer = Wrapped(command.footer, kWidth);
  if (const std::size_t hidden = every - shown.options.size(); hidden > 0) {
    footer = fmt::format("{} more options: {} --help-all\n{}", hidden, called, footer);
  }
  if (command.name == "conpole" && !kLeftOut.empty()) {
    footer = fmt::format("Not in this build: {}. In a clone, ./run followed by such a name builds the program with it.\n{}",
                         fmt::join(kLeftOut, ", "), footer);
  }
  app.footer(footer);
  return app.get_formatter()->make_help(&app, called, CLI::AppFormatMode::Normal);
}

}  // namespace

int RunCommand(Command& program, const std::vector<std::string>& arguments) {
  Sorted sorted = Sort(program, arguments);
  Command& command = *sorted.command;
  if (sorted.wants_version) {
    PrintLine(kVersion);
    return kOk;
  }
  if (sorted.wants_help || sorted.wants_all_help) {
    std::string called = program.name;
    for (const std::string& name : sorted.path) called += " " + name;
    PrintText(Help(command, called, sorted.wants_all_help));
    return kOk;
  }
  if (!command.action) throw Error(Message("{} needs one of its commands; see conpole help {}", command.name, command.name));
  ReadTexts(command.texts, sorted.texts);
  ReadOptions(command, std::move(sorted.options));
  return command.action();
}

int PrintHelpOf(Command& program, const std::vector<std::string>& names) {
  Command* command = &program;
  std::string called = program.name;
  for (const std::string& name : names) {
    command = FindCommand(command->commands, name);
    called += " " + name;
  }
  if (command->takes_all) {  // only what it calls knows its options
    std::vector<std::string> asks{"--help"};
    ReadTexts(command->texts, asks);
    return command->action();
  }
  PrintText(Help(*command, called, false));
  return kOk;
}

}  // namespace conpole::cli
