#include "cli/numbers.h"

#include <optional>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

template <class Number>
Number Read(std::string_view option, std::string_view text, const NumberRange<Number>& range, std::string_view kind) {
  const std::optional<Number> value = conpole::ReadNumber<Number>(text);
  if (!value || *value < range.low || *value > range.high) {
    throw Error(fmt::format("{} must be a {} from {} to {}, not {}", option, kind, NumberInHelp(range.low),
                            NumberInHelp(range.high), Shown(text)));
  }
  return *value;
}

template <class Number>
std::string InHelp(const NumberRange<Number>& range) {
  if (range.high == std::numeric_limits<Number>::max()) return "NUMBER";
  return fmt::format("NUMBER from {} to {}", NumberInHelp(range.low), NumberInHelp(range.high));
}

}  // namespace

std::uint64_t ReadNumber(std::string_view option, std::string_view text, const NumberRange<std::uint64_t>& range) {
  return Read(option, text, range, "whole number");
}

double ReadNumber(std::string_view option, std::string_view text, const NumberRange<double>& range) {
  return Read(option, text, range, "number");
}

std::string RangeInHelp(const NumberRange<std::uint64_t>& range) { return InHelp(range); }
std::string RangeInHelp(const NumberRange<double>& range) { return InHelp(range); }

std::string NumberInHelp(std::uint64_t value) { return fmt::format("{}", value); }
std::string NumberInHelp(double value) { return fmt::format("{:g}", value); }

}  // namespace conpole::cli
