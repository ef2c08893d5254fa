#include "cli/command.h"

#include <algorithm>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxThreads = 1024;

// As people write it: 0.5, not 0.50000.
std::string InHelp(std::uint64_t value) { return std::to_string(value); }
std::string InHelp(double value) { return fmt::format("{:g}", value); }

template <class Number>
Number Read(std::string_view option, std::string_view text, const NumberRange<Number>& range, std::string_view kind) {
  const std::optional<Number> value = conpole::ReadNumber<Number>(text);
  if (!value || *value < range.low || *value > range.high) {
    throw Error(
        Message("{} must be {} from {} to {}, not {}", option, kind, InHelp(range.low), InHelp(range.high), Shown(text)));
  }
  return *value;
}

// "NUMBER", or with a range that is worth telling "NUMBER from 1 to 20".
template <class Number>
std::string RangeInHelp(const NumberRange<Number>& range) {
  if (range.high == std::numeric_limits<Number>::max()) return "NUMBER";
  return fmt::format("NUMBER from {} to {}", InHelp(range.low), InHelp(range.high));
}

}  // namespace

std::uint64_t ReadNumber(std::string_view option, std::string_view text, const NumberRange<std::uint64_t>& range) {
  return Read(option, text, range, "a whole number");
}

double ReadNumber(std::string_view option, std::string_view text, const NumberRange<double>& range) {
  return Read(option, text, range, "a number");
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string_view part : Split(text, ",")) {
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

Option& Command::Flag(std::string names, bool& value, std::string help) {
  Option& option = options.emplace_back(Option{std::move(names), std::move(help), group});
  option.read = [&value](const std::string& /*text*/) { value = true; };
  return option;
}

Option& Command::Text(std::string names, std::string& value, std::string help) {
  Option& option = options.emplace_back(Option{std::move(names), std::move(help), group, "TEXT", value});
  option.read = [&value](const std::string& text) { value = text; };
  return option;
}

Option& Command::List(std::string names, std::vector<std::string>& values, std::string help) {
  Option& option = options.emplace_back(Option{std::move(names), std::move(help), group, "TEXT"});
  option.is_repeatable = true;
  option.read = [&values](const std::string& text) { values.push_back(text); };
  return option;
}

Option& Command::NumberOption(std::string names, std::string help, const NumberRange<std::uint64_t>& range,
                              std::uint64_t by_default) {
  Option option{std::move(names), std::move(help), group, RangeInHelp(range), InHelp(by_default)};
  option.may_be_empty = true;
  return options.emplace_back(std::move(option));
}

Option& Command::NumberOption(std::string names, std::string help, const NumberRange<double>& range, double by_default) {
  Option option{std::move(names), std::move(help), group, RangeInHelp(range), InHelp(by_default)};
  option.may_be_empty = true;
  return options.emplace_back(std::move(option));
}

Option& Command::Number(const std::string& names, std::optional<std::uint64_t>& value, std::string help,
                        const NumberRange<std::uint64_t>& range) {
  Option& option = NumberOption(names, std::move(help), range, 0);
  option.by_default = value ? InHelp(*value) : "";
  option.read = [&value, names, range](const std::string& text) { value = ReadNumber(names, text, range); };
  return option;
}

Option& Command::Threads(std::size_t& threads) {
  return Number("--threads", threads, "The number of threads; 0 is one per core", {0, kMaxThreads});
}

void Command::Takes(std::string text_name, std::string& text, std::string help, std::size_t min) {
  texts = {std::move(text_name), std::move(help), min, 1};
  texts.read = [&text](std::vector<std::string>& all) {
    if (!all.empty()) text = std::move(all.front());
  };
}

void Command::Takes(std::string texts_name, std::vector<std::string>& all, std::size_t min, std::size_t max, std::string help) {
  texts = {std::move(texts_name), std::move(help), min, max};
  texts.read = [&all](std::vector<std::string>& given) { all = std::move(given); };
}

bool Command::AnyGivenOf(std::string_view group_name) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const Option& option) { return option.group == group_name && option.is_given; });
}

}  // namespace conpole::cli
