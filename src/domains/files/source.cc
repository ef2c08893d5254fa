#include "domains/files/source.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "util/text.h"

namespace conpole::files {

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        least[i][j] = i + j;
        continue;
      }
      least[i][j] =
          std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool are_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (are_swapped) least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
    }
  }
  return least[a.size()][b.size()];
}

FileError::FileError(const std::string& file, std::size_t line_, std::size_t column_, const std::string& reason)
    : Error(fmt::format("{}:{}:{}: {}", file, line_, column_, reason)), line(line_), column(column_), message(reason) {}

bool IsPlainText(std::string_view text, std::size_t& bad) {
  for (std::size_t i = 0; i < text.size();) {
    bad = i;
    const auto first = static_cast<unsigned char>(text[i]);
    if (first < 0x80) {
      if ((first < 0x20 && !IsSpace(text[i])) || first == 0x7F) return false;
      ++i;
      continue;
    }
    const std::size_t bytes = BytesOfCharacter(text[i]);
    if (first < 0xC2 || first > 0xF4 || i + bytes > text.size()) return false;
    for (std::size_t k = 1; k < bytes; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
    }
    const auto second = static_cast<unsigned char>(text[i + 1]);
    // Longer than needed, halves of pairs, and beyond the last character.
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F)) {
      return false;
    }
    i += bytes;
  }
  return true;
}

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  if (text_.size() > kMaxBytes) Fail(0, fmt::format("the file is longer than {} bytes", kMaxBytes));
  if (std::size_t bad = 0; !IsPlainText(text_, bad)) {
    const auto byte = static_cast<unsigned char>(text_[bad]);
    Fail(bad, byte < 0x80 ? fmt::format("this is no text: a control character, {}", byte) : "this is no text in UTF-8");
  }
  clean_ = text_;
  bool in_string = false;
  bool in_comment = false;
  bool at_margin = true;
  std::size_t string_begin = 0;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::size_t begin = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::size_t i = begin; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\n' || c == '\r') {
      if (in_string) Fail(string_begin, "this string has no end; expected a closing '\"' on the same line");
      in_comment = false;
      at_margin = true;
      clean_[i] = ' ';
      continue;
    }
    if (in_comment) {
      clean_[i] = ' ';
      continue;
    }
    if (!in_string && c == '#') {
      in_comment = true;
      clean_[i] = ' ';
      at_margin = false;
      continue;
    }
    if (at_margin && !IsBlank(c)) {
      if (!statements_.empty()) statements_.back().end = i;
      statements_.push_back({i, text_.size()});
    } else if (statements_.empty() && !IsBlank(c)) {
      Fail(i, "the first statement is indented; expected 'domain NAME' at the left margin");
    }
    at_margin = false;
    if (c == '"') {
      in_string = !in_string;
      string_begin = i;
    }
    if (c == '\t' && !in_string) clean_[i] = ' ';
  }
  if (in_string) Fail(string_begin, "this string has no end; expected a closing '\"' on the same line");
}

void Source::Fail(std::size_t position, const std::string& message) const {
  throw FileError(name_, LineOf(position), ColumnOf(position), message);
}

std::size_t Source::LineOf(std::size_t position) const {
  std::size_t line = 1;
  for (std::size_t i = 0; i < std::min(position, text_.size()); ++i) line += IsLineEnd(i) ? 1U : 0U;
  return line;
}

std::size_t Source::ColumnOf(std::size_t position) const {
  position = std::min(position, text_.size());
  std::size_t begin = position;
  while (begin > 0 && !IsLineEnd(begin - 1)) --begin;
  // Bytes that continue a character are not counted.
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return 1 + static_cast<std::size_t>(std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    text_.begin() + static_cast<std::ptrdiff_t>(position), starts));
}

std::vector<std::string> EssentialStatements(const Source& source) {
  std::vector<std::string> statements;
  for (const Source::Statement& statement : source.statements()) {
    std::string& text = statements.emplace_back();
    bool in_string = false;
    for (std::size_t i = statement.begin; i < statement.end; ++i) {
      const char c = source.clean()[i];
      if (c == '"') in_string = !in_string;
      if (c != ' ' || in_string || (!text.empty() && text.back() != ' ')) text += c;
    }
    while (text.ends_with(' ')) text.pop_back();
  }
  return statements;
}

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::string Clipped(std::string text) {
  constexpr std::size_t kShownBytes = 100;
  if (text.size() <= kShownBytes) return text;
  std::size_t end = kShownBytes;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string Suggestion(std::string_view unknown, const std::vector<std::string>& known) {
  unknown = unknown.substr(0, 40);  // no word is longer
  const std::string* nearest = nullptr;
  std::size_t least = unknown.size() < 4 ? 2 : unknown.size() < 7 ? 3 : 4;
  for (const std::string& word : known) {
    const std::size_t distance = EditDistance(unknown, word);
    if (distance >= least || distance >= std::max(unknown.size(), word.size())) continue;
    least = distance;
    nearest = &word;
  }
  // One is short for the other: "variable" for "var", "int" for "integer".
  constexpr std::size_t kShort = 3;
  for (const std::string& word : known) {
    const std::size_t shorter = std::min(word.size(), unknown.size());
    if (nearest == nullptr && shorter >= kShort && word.substr(0, shorter) == unknown.substr(0, shorter)) nearest = &word;
  }
  if (nearest != nullptr) return fmt::format("; did you mean '{}'?", *nearest);
  return known.empty() ? std::string() : fmt::format("; expected one of: {}", Join(known));
}

}  // namespace conpole::files
