// Numbers that people write, in options and in files of settings: read in one way everywhere. Any thread may call these.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace conpole {

// The number that the whole text is, in decimal; nothing if it is anything else: too large for the type, not finite, with
// blanks or a plus sign.
template <class Number>
std::optional<Number> ReadNumber(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [past, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || past != end) return {};
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return {};
  }
  return value;
}

}  // namespace conpole
