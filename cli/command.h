// What a command is, as data: its name, its options, the texts that it takes and what it does. The command NAME has one file,
// NAME.cc, which defines the function AddName, and one line in the list in CMakeLists.txt, from which the table that main.cc
// goes through is made. parser.h reads arguments by this description and writes the help.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace conpole::cli {

// Exit statuses. Bad usage (and every Error) is kBadInput.
inline constexpr int kOk = 0;
inline constexpr int kSomeFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;  // as shells say it for Ctrl-C

// Both ends belong to it.
template <class Number>
struct NumberRange {
  Number low = 0;
  Number high = std::numeric_limits<Number>::max();
};

// The number that the text is. Throws Error, which names the option, the range and the text, unless it is one of the range:
// "--level must be a whole number from 1 to 20, not '21'".
std::uint64_t ReadNumber(std::string_view option, std::string_view text, const NumberRange<std::uint64_t>& range);
double ReadNumber(std::string_view option, std::string_view text, const NumberRange<double>& range);

// The parts of a list that an option takes, which are between commas; empty ones are left out.
std::vector<std::string> SplitAtCommas(std::string_view text);

inline constexpr char kUsualGroup[] = "Options";

struct Option {
  std::string names;  // "--language,--lang"
  std::string help;
  std::string group = {};       // its heading in the help
  std::string value = {};       // what the help calls its value; empty for a flag, which has none
  std::string by_default = {};  // as the help shows it
  bool is_required = false;
  bool is_repeatable = false;
  bool is_minor = false;      // only --help-all shows it
  bool may_be_empty = false;  // whether it says itself what is wrong with an empty value, or nothing is
  std::string excludes = {};  // an option that must not be given beside it
  std::function<void(const std::string& text)> read = {};
  bool is_given = false;  // once the arguments are read
};

// What a command takes besides options.
struct Texts {
  std::string name;
  std::string help;
  std::size_t min = 0;
  std::size_t max = 0;
  std::function<void(std::vector<std::string>& texts)> read = {};
};

struct Command {
  std::string name;
  std::string description;          // one sentence, without its full stop
  std::string footer = {};          // below the options in the help
  std::string group = kUsualGroup;  // of the options that are added next
  Texts texts = {};
  std::deque<Option> options = {};
  std::deque<Command> commands = {};  // of which one must be chosen, if there are any and there is no action
  std::function<int()> action = {};   // returns the exit status
  bool takes_all = false;             // whether everything behind its name is its texts, also what looks like an option

  Command& Add(std::string command, std::string meaning) {
    return commands.emplace_back(Command{std::move(command), std::move(meaning)});
  }

  // Each of these adds an option to the present `group`, which reads into `value`. What that contains is the default; it must
  // outlive the parsing.
  Option& Flag(std::string names, bool& value, std::string help);
  Option& Text(std::string names, std::string& value, std::string help);
  Option& List(std::string names, std::vector<std::string>& values, std::string help);  // can be repeated
  template <class Value>
    requires std::is_floating_point_v<Value> || std::is_unsigned_v<Value>  // counts have no sign
  Option& Number(const std::string& names, Value& value, std::string help,
                 const NumberRange<std::type_identity_t<Value>>& range = {}) {
    using Wide = std::conditional_t<std::is_floating_point_v<Value>, double, std::uint64_t>;
    const NumberRange<Wide> wide{range.low, range.high};
    Option& option = NumberOption(names, std::move(help), wide, static_cast<Wide>(value));
    option.read = [&value, names, wide](const std::string& text) { value = static_cast<Value>(ReadNumber(names, text, wide)); };
    return option;
  }
  Option& Number(const std::string& names, std::optional<std::uint64_t>& value, std::string help,
                 const NumberRange<std::uint64_t>& range = {});
  // The same for one that must be given.
  void RequiredNumber(const std::string& names, std::uint64_t& value, std::string help) {
    Option& option = Number(names, value, std::move(help));
    option.by_default = "";
    option.is_required = true;
  }
  // --threads, which means the same wherever it is.
  Option& Threads(std::size_t& threads);

  // What the command takes: one text, or from `min` to `max`. Each stays as it was written.
  void Takes(std::string text_name, std::string& text, std::string help, std::size_t min = 1);
  void Takes(std::string texts_name, std::vector<std::string>& all, std::size_t min, std::size_t max, std::string help);

  // Whether an option of the group was given.
  bool AnyGivenOf(std::string_view group_name) const;

 private:
  Option& NumberOption(std::string names, std::string help, const NumberRange<std::uint64_t>& range, std::uint64_t by_default);
  Option& NumberOption(std::string names, std::string help, const NumberRange<double>& range, double by_default);
};

// Adds a command with its options to the program.
using AddCommand = void (*)(Command& program);

// What the program does without a command.
int Tour();

}  // namespace conpole::cli
