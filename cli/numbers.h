// Options that take a number: the one place of the command line that reads numbers, each with its range.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include <CLI/CLI.hpp>

namespace conpole::cli {

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

// As the help shows it: "NUMBER", or with a range that is worth telling "NUMBER from 1 to 20".
std::string RangeInHelp(const NumberRange<std::uint64_t>& range);
std::string RangeInHelp(const NumberRange<double>& range);
// As people write it: 0.5, not 0.50000.
std::string NumberInHelp(std::uint64_t value);
std::string NumberInHelp(double value);

// Adds an option that reads a number into `value`, whose present content is the default. `value` must outlive the parsing.
template <class Number>
CLI::Option* AddNumber(CLI::App& command, const std::string& name, Number& value, const std::string& meaning,
                       const NumberRange<std::type_identity_t<Number>>& range = {}) {
  using Wide = std::conditional_t<std::is_floating_point_v<Number>, double, std::uint64_t>;
  static_assert(std::is_floating_point_v<Number> || std::is_unsigned_v<Number>, "counts have no sign");
  const NumberRange<Wide> wide{range.low, range.high};
  const auto read = [&value, name, wide](const std::string& text) {
    value = static_cast<Number>(ReadNumber(name, text, wide));
  };
  return command.add_option_function<std::string>(name, read, meaning)
      ->type_name(RangeInHelp(wide))
      ->default_str(NumberInHelp(static_cast<Wide>(value)));
}

// The same for an option that has no default.
template <class Number>
CLI::Option* AddRequiredNumber(CLI::App& command, const std::string& name, Number& value, const std::string& meaning,
                               const NumberRange<std::type_identity_t<Number>>& range = {}) {
  return AddNumber(command, name, value, meaning, range)->default_str("")->required();
}

// The option --threads of every command that has one.
inline constexpr std::size_t kMaxThreads = 1024;
inline CLI::Option* AddThreads(CLI::App& command, std::size_t& threads) {
  return AddNumber(command, "--threads", threads, "Threads; 0 for one per core", {0, kMaxThreads});
}

}  // namespace conpole::cli
