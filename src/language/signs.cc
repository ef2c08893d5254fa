#include "language/signs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "util/text.h"

namespace conpole {

std::string WithSigns(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSigns{
      {{" * ", " · "}, {" != ", " ≠ "}, {" <= ", " ≤ "}, {" >= ", " ≥ "}, {"sqrt(", "√("}, {"cbrt(", "∛("}}};
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto* const sign =
        std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& known) { return rest.starts_with(known.first); });
    // LaTeX has roots of its own, and a star between other signs is a part of a picture.
    const auto is_operand = [](char c) {
      return IsWordByte(c) || IsDigit(c) || std::string_view("()-|").find(c) != std::string_view::npos;
    };
    const bool stands_alone =
        rest.starts_with(" * ") && (at == 0 || !is_operand(text[at - 1]) || rest.size() == 3 || !is_operand(rest[3]));
    if (sign == kSigns.end() || shown.ends_with('\\') || stands_alone) {
      shown += text[at++];
      continue;
    }
    shown += sign->second;
    at += sign->first.size();
    if (sign->first.back() == ' ') {
      --at;  // it may begin the next sign
      shown.pop_back();
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    if (end == at || end == text.size() || text[end] != ')') continue;
    shown.pop_back();
    shown += text.substr(at, end - at);
    at = end + 1;
    if (at < text.size() && IsLetter(text[at])) shown += " · ";  // the letter is not below the root
  }
  return shown;
}

}  // namespace conpole
