// Reads the words, signs, names, numbers and strings of one statement of a domain file after another. All methods throw
// FileError, which says what was expected. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "domains/files/source.h"

namespace conpole::files {

class StatementReader {
 public:
  explicit StatementReader(const Source& source) : source_(source) {}

  void Begin(const Source::Statement& statement);
  // Places are those in the file; the current one is never a blank.
  std::size_t position() const { return at_; }
  void MoveTo(std::size_t position);
  // The file up to the end of the statement, for readers of terms.
  std::string_view statement_text() const { return std::string_view(source_.clean()).substr(0, end_); }
  std::string_view rest() const { return statement_text().substr(at_); }
  // For a while, the statement ends earlier.
  void EndAt(std::size_t position) { end_ = position; }
  void EndAtStatement() { end_ = statement_end_; }
  [[noreturn]] void Fail(const std::string& message) const { source_.Fail(at_, message); }
  const Source& source() const { return source_; }

  bool AtEnd() const { return at_ >= end_; }
  std::string Found() const;  // what stands here, for messages
  bool NextIs(std::string_view sign) const { return rest().starts_with(sign); }
  bool NextIsDigit() const;
  bool NextIsWord(std::string_view word) const { return PeekWord() == word; }
  bool NextIsCall(std::string_view word) const;  // the word and '('
  bool NextIsIn() const;                         // in, not in
  bool NextIsLanguage() const;                   // two letters and a string
  bool NextIsClause() const;                     // what comes after the sides of a rule
  std::string PeekWord() const;                  // empty if there is none

  bool TryWord(std::string_view word);
  bool TrySign(std::string_view sign);
  bool TryCommaBefore(std::string_view sign);
  bool TryCommaBeforeNumber();
  void Expect(std::string_view sign);
  void ExpectWord(std::string_view word);

  std::string ReadWord(std::string_view what);
  std::string ReadName(std::string_view what);  // also with hyphens and primes
  std::string ReadUntilBlank(std::string_view what);
  std::string ReadString(std::string_view what);
  std::string ReadLanguage();
  std::int64_t ReadInteger();

 private:
  std::size_t SkipBlanks(std::size_t at) const;
  void Skip() { at_ = SkipBlanks(at_); }

  const Source& source_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t statement_end_ = 0;
};

}  // namespace conpole::files
