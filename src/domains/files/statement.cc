#include "domains/files/statement.h"

#include <charconv>

#include <fmt/format.h>

#include "util/text.h"

namespace conpole::files {
namespace {

constexpr std::size_t kMaxNameBytes = 40;

bool IsWordByteOfFile(char c, bool is_first) { return IsLetter(c) || c == '_' || (!is_first && IsDigit(c)); }

}  // namespace

void StatementReader::Begin(const Source::Statement& statement) {
  at_ = statement.begin;
  end_ = statement.end;
  const std::string& text = source_.clean();
  while (end_ > at_ && text[end_ - 1] == ' ') --end_;
  statement_end_ = end_;
}

void StatementReader::MoveTo(std::size_t position) {
  at_ = position;
  Skip();
}

std::size_t StatementReader::SkipBlanks(std::size_t at) const {
  while (at < end_ && source_.clean()[at] == ' ') ++at;
  return at;
}

std::string StatementReader::Found() const {
  if (AtEnd()) {
    const std::size_t next = source_.text().find_first_not_of(" \t", at_);
    const bool is_comment = next != std::string::npos && source_.text()[next] == '#';
    return is_comment ? "the end of the statement ('#' begins a comment)" : "the end of the statement";
  }
  if (NextIs("\xC2\xA0")) return "a blank that must not break a line (U+00A0); write a plain one";
  const std::string word = PeekWord();
  return fmt::format("'{}'", word.empty() ? std::string(CharacterAt(source_.clean(), at_)) : word);
}

bool StatementReader::NextIsDigit() const { return !AtEnd() && IsDigit(source_.clean()[at_]); }

bool StatementReader::NextIsCall(std::string_view word) const {
  if (word.empty() || PeekWord() != word) return false;
  const std::size_t after = SkipBlanks(at_ + word.size());
  return after < end_ && source_.clean()[after] == '(';
}

bool StatementReader::NextIsIn() const {
  const std::string word = PeekWord();
  if (word != "not") return word == "in";
  StatementReader ahead = *this;
  ahead.MoveTo(at_ + word.size());
  return ahead.PeekWord() == "in";
}

bool StatementReader::NextIsLanguage() const {
  const std::string word = PeekWord();
  if (word.size() != 2) return false;
  const std::size_t after = SkipBlanks(at_ + 2);
  return after < end_ && source_.clean()[after] == '"';
}

bool StatementReader::NextIsClause() const {
  const std::string word = PeekWord();
  return word == "if" || word == "where" || word == "assuming" || word == "for" || word == "label" || word == "hint" ||
         word == "rule" || NextIsLanguage();
}

std::string StatementReader::PeekWord() const {
  const std::string& text = source_.clean();
  std::size_t end = at_;
  while (end < end_ && IsWordByteOfFile(text[end], end == at_)) ++end;
  return text.substr(at_, end - at_);
}

bool StatementReader::TryWord(std::string_view word) {
  if (PeekWord() != word) return false;
  MoveTo(at_ + word.size());
  return true;
}

bool StatementReader::TrySign(std::string_view sign) {
  if (!NextIs(sign)) return false;
  // Not the beginning of a longer sign.
  const std::string_view after = rest().substr(sign.size());
  if ((sign == "<" || sign == ">" || sign == "=") && after.starts_with("=")) return false;
  if (sign == "-" && after.starts_with(">")) return false;
  if (sign == "<" && after.starts_with("->")) return false;
  MoveTo(at_ + sign.size());
  return true;
}

bool StatementReader::TryCommaBefore(std::string_view sign) {
  if (!NextIs(",")) return false;
  const std::size_t after = SkipBlanks(at_ + 1);
  if (!statement_text().substr(after).starts_with(sign)) return false;
  at_ = after;
  return true;
}

bool StatementReader::TryCommaBeforeNumber() {
  if (!NextIs(",")) return false;
  const std::size_t after = SkipBlanks(at_ + 1);
  if (after >= end_ || (!IsDigit(source_.clean()[after]) && source_.clean()[after] != '-')) return false;
  at_ = after;
  return true;
}

void StatementReader::Expect(std::string_view sign) {
  if (!TrySign(sign)) Fail(fmt::format("expected '{}', found {}", sign, Found()));
}

void StatementReader::ExpectWord(std::string_view word) {
  if (!TryWord(word)) Fail(fmt::format("expected '{}', found {}", word, Found()));
}

std::string StatementReader::ReadWord(std::string_view what) {
  std::string word = PeekWord();
  if (word.empty()) Fail(fmt::format("expected {}, found {}", what, Found()));
  if (word.size() > kMaxNameBytes) Fail(fmt::format("a name has at most {} characters", kMaxNameBytes));
  MoveTo(at_ + word.size());
  return word;
}

std::string StatementReader::ReadName(std::string_view what) {
  const std::string& text = source_.clean();
  std::size_t end = at_;
  const auto fits = [](char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '-' || c == '\'' || c == '+'; };
  while (end < end_ && fits(text[end]) && !statement_text().substr(end).starts_with("->")) ++end;
  if (end == at_) Fail(fmt::format("expected {}, found {}", what, Found()));
  if (end - at_ > kMaxNameBytes) Fail(fmt::format("a name has at most {} characters", kMaxNameBytes));
  std::string name = text.substr(at_, end - at_);
  MoveTo(end);
  return name;
}

std::string StatementReader::ReadUntilBlank(std::string_view what) {
  const std::string& text = source_.clean();
  std::size_t end = at_;
  while (end < end_ && text[end] != ' ') ++end;
  if (end == at_) Fail(fmt::format("expected {}, found {}", what, Found()));
  std::string read = text.substr(at_, end - at_);
  MoveTo(end);
  return read;
}

std::string StatementReader::ReadString(std::string_view what) {
  if (!NextIs("\"")) Fail(fmt::format("expected {} in quotes, found {}", what, Found()));
  const std::size_t close = source_.clean().find('"', at_ + 1);
  std::string text = source_.clean().substr(at_ + 1, close - at_ - 1);
  MoveTo(close + 1);
  return text;
}

std::string StatementReader::ReadLanguage() {
  const std::string word = PeekWord();
  if (word.size() != 2) Fail(fmt::format("expected a language such as 'en', found {}", Found()));
  return ReadWord("a language");
}

std::int64_t StatementReader::ReadInteger() {
  if (!NextIsDigit()) Fail(fmt::format("expected a whole number, found {}", Found()));
  std::int64_t value = 0;
  const std::string_view text = rest();
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc()) Fail("the number is too large");
  MoveTo(at_ + static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace conpole::files
