// The text of a domain file: its statements, places in it as people count them, and what is wrong there. Plain data and
// functions; any thread may use them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/error.h"

namespace conpole::files {

// What is wrong with a file. The message begins with FILE:LINE:COLUMN.
class FileError : public Error {
 public:
  FileError(const std::string& file, std::size_t line_, std::size_t column_, const std::string& reason);

  std::size_t line;    // counted from 1
  std::size_t column;  // counted from 1, in characters
  std::string message;
};

// A file with what is not read in it (comments, line breaks inside statements) as blanks, so that positions stay.
class Source {
 public:
  // Longer files are refused.
  static constexpr std::size_t kMaxBytes = 1 << 20;

  // Throws FileError if the text is too long, is no UTF-8, begins with an indented line or has an open string.
  Source(std::string name, std::string text);

  struct Statement {
    std::size_t begin;
    std::size_t end;
  };

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  const std::string& clean() const { return clean_; }
  const std::vector<Statement>& statements() const { return statements_; }

  [[noreturn]] void Fail(std::size_t position, const std::string& message) const;
  std::size_t LineOf(std::size_t position) const;
  std::size_t ColumnOf(std::size_t position) const;

 private:
  // Lines end in \n, \r\n or \r.
  bool IsLineEnd(std::size_t at) const {
    return text_[at] == '\n' || (text_[at] == '\r' && (at + 1 == text_.size() || text_[at + 1] != '\n'));
  }

  std::string name_;
  std::string text_;
  std::string clean_;
  std::vector<Statement> statements_;
};

// The statements without comments and with single blanks: equal for files that say the same in the same order.
std::vector<std::string> EssentialStatements(const Source& source);

// Insertions, deletions, changes, and neighbours that change places.
std::size_t EditDistance(std::string_view a, std::string_view b);
// "; did you mean 'rule'?", or a list of what there is if nothing is near.
std::string Suggestion(std::string_view unknown, const std::vector<std::string>& known);
// Without those at its ends.
std::string_view WithoutBlanks(std::string_view text);
// The beginning of a long text, for messages.
std::string Clipped(std::string text);

// How many bytes the character has that begins with this byte.
inline std::size_t BytesOfCharacter(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}
// Whether it is well-formed UTF-8 without control characters but tabs and line breaks; if not, `bad` is where.
bool IsPlainText(std::string_view text, std::size_t& bad);

// Where a text begins with this character, as far as the text goes.
inline std::string_view CharacterAt(std::string_view text, std::size_t at) {
  return text.substr(at, BytesOfCharacter(text[at]));
}

}  // namespace conpole::files
