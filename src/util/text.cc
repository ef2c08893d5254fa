#include "util/text.h"

#include <fmt/format.h>

namespace conpole {

std::string Quoted(char c) {
  if (c >= ' ' && c <= '~') return fmt::format("'{}'", c);
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
}

std::string Shown(std::string_view text) {
  constexpr std::size_t kMaxShown = 60;
  std::string shown = "'";
  for (const char c : text.substr(0, kMaxShown)) {
    if (c >= ' ' && c <= '~') {
      shown += c;
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return shown + (text.size() > kMaxShown ? "...'" : "'");
}

std::string Join(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); }

}  // namespace conpole
