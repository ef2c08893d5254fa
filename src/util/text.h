// Small pieces of text handling that more than one module needs. Any thread may call these.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

// Enough room for any 64-bit integer in decimal.
inline constexpr std::size_t kMaxIntegerBytes = 20;

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool IsBlank(char c) { return c == ' ' || c == '\t'; }
inline bool IsSpace(char c) { return IsBlank(c) || c == '\n' || c == '\r'; }
// A letter, or part of one in UTF-8.
inline bool IsWordByte(char c) { return IsLetter(c) || static_cast<unsigned char>(c) >= 0x80; }

inline char Lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
// Letters beyond ASCII stay as they are.
std::string Lowered(std::string_view text);

// Without blanks and line ends around it.
std::string_view Trimmed(std::string_view text);
// With `to` wherever `from` stood. Requires that `from` is not empty.
std::string Replaced(std::string text, std::string_view from, std::string_view to);

// Writes `value` in decimal; `out` has room for kMaxIntegerBytes. Returns the end.
inline char* WriteInteger(char* out, std::int64_t value) {
  if (value >= 0 && value < 10) {
    *out = static_cast<char>('0' + value);
    return out + 1;
  }
  return std::to_chars(out, out + kMaxIntegerBytes, value).ptr;
}

inline char* WriteText(char* out, std::string_view text) {
  for (const char c : text) *out++ = c;
  return out;
}

// A character as an error message shows it: quoted, or by its code where it cannot be printed.
std::string Quoted(char c);

// Text from a file as an error message may show it: in quotes, shortened, and with what cannot be printed escaped.
std::string Shown(std::string_view text);

// What stands between the separators; the whole text if there is none.
std::vector<std::string_view> Split(std::string_view text, std::string_view separator);
// The items in one string, with the separator between them.
std::string Join(const std::vector<std::string>& items, std::string_view separator = ", ");
// The same for what `write` makes of each, which is not empty.
template <class Items, class Write>
std::string Join(const Items& items, std::string_view separator, const Write& write) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += separator;
    text += write(item);
  }
  return text;
}

}  // namespace conpole
