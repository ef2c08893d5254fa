#include "train/run/config_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {
namespace {

bool IsNameByte(char c) { return IsLetter(c) || IsDigit(c) || c == '-' || c == '_'; }
bool IsControl(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

// The escapes of one letter, and what they stand for.
constexpr std::string_view kEscapes = "btnfr\"\\";
constexpr std::string_view kEscaped = "\b\t\n\f\r\"\\";

void AppendUtf8(std::uint32_t code, std::string& out) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
  } else {
    add(0xF0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3F));
    add(0x80 | (code >> 6 & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

class ConfigReader {
 public:
  std::vector<ConfigSection> Read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      rest_ = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (rest_.ends_with('\r')) rest_.remove_suffix(1);
      ++line_;
      ReadLine();
    }
    return std::move(sections_);
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const { throw Error(fmt::format("line {}: {}", line_, what)); }

  void SkipBlanks() {
    while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
  }

  // Whether the next character is this one, which is then passed.
  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void ReadLine() {
    SkipBlanks();
    if (Take('[')) {
      ReadSection();
    } else if (!rest_.empty() && rest_.front() != '#') {
      ReadEntry();
    }
    SkipBlanks();
    if (!rest_.empty() && rest_.front() != '#') Fail(fmt::format("{} is too much", Shown(rest_)));
  }

  void ReadSection() {
    std::string name = ReadName();
    if (!Take(']')) Fail("a section is a name in brackets");
    for (const ConfigSection& section : sections_) {
      if (section.name == name) Fail(fmt::format("there is a section {} already", name));
    }
    sections_.push_back({std::move(name), line_, {}});
  }

  void ReadEntry() {
    std::string name = ReadName();
    if (!Take('=')) Fail(fmt::format("{} must be followed by = and its value", name));
    SkipBlanks();
    std::vector<ConfigEntry>& entries = sections_.back().entries;
    for (const ConfigEntry& entry : entries) {
      if (entry.name == name) Fail(fmt::format("{} is set already, in line {}", name, entry.line));
    }
    const bool is_text = rest_.starts_with('"') || rest_.starts_with('\'');
    std::string value = Take('\'') ? ReadLiteral() : Take('"') ? ReadEscaped() : ReadNumberOf(name);
    entries.push_back({std::move(name), std::move(value), is_text, line_});
  }

  // A name and the blanks around it.
  std::string ReadName() {
    SkipBlanks();
    std::string name;
    for (; !rest_.empty() && IsNameByte(rest_.front()); rest_.remove_prefix(1)) name += rest_.front();
    if (name.empty()) Fail(fmt::format("there must be a name, not {}", Shown(rest_)));
    SkipBlanks();
    return name;
  }

  char NextOfText() {
    if (rest_.empty()) Fail("a text must end with its quote in the same line");
    const char c = rest_.front();
    if (IsControl(c)) Fail(fmt::format("{} cannot stand in a text", Quoted(c)));
    rest_.remove_prefix(1);
    return c;
  }

  std::string ReadLiteral() {
    std::string text;
    for (char c = NextOfText(); c != '\''; c = NextOfText()) text += c;
    return text;
  }

  std::string ReadEscaped() {
    std::string text;
    for (char c = NextOfText(); c != '"'; c = NextOfText()) {
      if (c != '\\') {
        text += c;
        continue;
      }
      const char escape = NextOfText();
      const std::size_t known = kEscapes.find(escape);
      if (known != std::string_view::npos) {
        text += kEscaped[known];
      } else if (escape == 'u' || escape == 'U') {
        AppendUtf8(ReadCode(escape == 'u' ? 4 : 8), text);
      } else {
        Fail(fmt::format("there is no escape \\ with {}", Quoted(escape)));
      }
    }
    return text;
  }

  std::uint32_t ReadCode(std::size_t digits) {
    std::uint32_t code = 0;
    const std::string_view text = rest_.substr(0, digits);
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    if (failure != std::errc() || static_cast<std::size_t>(end - text.data()) != digits || code > 0x10FFFF || is_surrogate) {
      Fail(fmt::format("{} is not the code of a character, in {} digits", Shown(text), digits));
    }
    rest_.remove_prefix(digits);
    return code;
  }

  // Digits may be grouped by single underscores.
  std::string ReadNumberOf(const std::string& name) {
    const std::string_view written = rest_.substr(0, rest_.find_first_of(" \t#"));
    std::string number;
    bool is_number = true;
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (written[i] != '_') {
        number += written[i];
      } else if (i == 0 || i + 1 == written.size() || !IsDigit(written[i - 1]) || !IsDigit(written[i + 1])) {
        is_number = false;
      }
    }
    if (number.starts_with('+') && number.size() > 1 && IsDigit(number[1])) number.erase(0, 1);
    const std::optional<std::int64_t> whole = ReadNumber<std::int64_t>(number);
    const std::optional<double> real = ReadNumber<double>(number);
    if (!is_number || !real) Fail(fmt::format("{} must be a number or text", name));
    rest_.remove_prefix(written.size());
    return whole ? std::to_string(*whole) : fmt::format("{}", *real + 0.0);  // -0 becomes 0
  }

  std::string_view rest_;  // of the line
  std::size_t line_ = 0;
  std::vector<ConfigSection> sections_{1};
};

}  // namespace

std::vector<ConfigSection> ReadConfigText(std::string_view text) { return ConfigReader().Read(text); }

std::string QuotedForConfig(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), [](char c) { return c == '\'' || IsControl(c); }))
    return fmt::format("'{}'", text);
  std::string quoted = "\"";
  for (const char c : text) {
    const std::size_t known = kEscaped.find(c);
    if (known != std::string_view::npos) {
      quoted += {'\\', kEscapes[known]};
    } else if (IsControl(c)) {
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace conpole
