#include "notation/prose.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "language/catalogue.h"
#include "util/text.h"

namespace conpole {
namespace {

// An entry of the words that are read.
class WordList {
 public:
  explicit WordList(std::string_view entry) : words_(WordsOfAllLanguages(entry).begin(), WordsOfAllLanguages(entry).end()) {}
  bool Has(std::string_view word) const { return words_.contains(word); }

 private:
  std::set<std::string, std::less<>> words_;
};

const WordList& Prose() {
  static const WordList words("prose");
  return words;
}
// After these a letter is the name of the unknown, and not a part of the problem.
const WordList& BeforeUnknown() {
  static const WordList words("prose.before_unknown");
  return words;
}
// Before these it is.
const WordList& AfterUnknown() {
  static const WordList words("prose.after_unknown");
  return words;
}

bool IsPunctuation(char c) { return std::string_view(":,.;!?\"").find(c) != std::string_view::npos; }

struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string lowered;

  bool IsLetterAlone() const { return end - begin == 1; }
};

// Whether the apostrophe at a place is inside a word: "what's", "l'équation". That of f'(x) and R' is not.
bool JoinsWord(std::string_view text, std::size_t begin, std::size_t at) {
  std::size_t after = at + 1;
  while (after < text.size() && IsWordByte(text[after])) ++after;
  constexpr std::size_t kWord = 2;
  return at > begin && after > at + 1 && (at - begin > 1 || after - at > kWord);
}

// The word at a place; an apostrophe may stand inside one.
Word WordAt(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (IsWordByte(text[end]) || (text[end] == '\'' && JoinsWord(text, begin, end)))) ++end;
  return {begin, end, Lowered(text.substr(begin, end - begin))};
}

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

// Where the prose at the beginning ends.
std::size_t EndOfLeadingProse(std::string_view text) {
  std::size_t end = 0;
  std::string before;  // the word before
  for (std::size_t at = SkipSpace(text, 0); at < text.size(); at = SkipSpace(text, end)) {
    if (end > 0 && IsPunctuation(text[at])) {
      // A number can begin with a point.
      if (text[at] == '.' && at + 1 < text.size() && IsDigit(text[at + 1])) break;
      end = at + 1;
      continue;
    }
    const Word word = WordAt(text, at);
    if (word.begin == word.end) break;
    if (word.IsLetterAlone()) {
      const std::size_t next_at = SkipSpace(text, word.end);
      const Word next = WordAt(text, next_at);
      const bool punctuation = end > 0 && next_at < text.size() && (text[next_at] == ':' || text[next_at] == ',');
      const bool named = BeforeUnknown().Has(before) && (next_at == text.size() || text[next_at] != '=');
      if (!punctuation && !named && !AfterUnknown().Has(next.lowered)) break;
    } else if (!Prose().Has(word.lowered)) {
      break;
    } else if (word.lowered == "fraction" && end == 0 && word.end < text.size() && text[word.end] == ':') {
      break;  // "fraction: 0.75" says what to do
    }
    end = word.end;
    before = word.lowered;
  }
  return end;
}

// Where the prose at the end begins, at `first` at the earliest.
std::size_t BeginOfTrailingProse(std::string_view text, std::size_t first) {
  std::vector<Word> words;
  for (std::size_t at = first; at < text.size();) {
    const Word word = WordAt(text, at);
    if (word.begin == word.end) {
      ++at;
    } else {
      words.push_back(word);
      at = word.end;
    }
  }
  std::size_t begin = text.size();
  const auto only_filling = [&](std::size_t from, std::size_t to) {
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(to),
                       [](char c) { return IsSpace(c) || IsPunctuation(c); });
  };
  for (std::size_t i = words.size(); i-- > 0;) {
    const Word& word = words[i];
    if (!only_filling(word.end, begin)) break;
    const bool named = word.IsLetterAlone() && i > 0 && BeforeUnknown().Has(words[i - 1].lowered);
    if (!named && !Prose().Has(word.lowered)) break;
    begin = word.begin;
  }
  // "60% of what" goes on.
  constexpr std::string_view kOf = "of ";
  if (text.substr(begin).starts_with(kOf)) return text.size();
  // The comma before it.
  while (begin < text.size() && begin > first &&
         (IsSpace(text[begin - 1]) || text[begin - 1] == ',' || text[begin - 1] == ';')) {
    --begin;
  }
  return begin;
}

// "a)" or "12) " before the problem.
std::size_t EndOfNumbering(std::string_view text) {
  const std::size_t begin = SkipSpace(text, 0);
  std::size_t end = begin;
  if (end < text.size() && IsLetter(text[end])) {
    ++end;
  } else {
    while (end < text.size() && end - begin < 2 && IsDigit(text[end])) ++end;
    // 2)+3 is a slip, and no second problem.
    if (end + 1 < text.size() && !IsSpace(text[end + 1])) return 0;
  }
  return end > begin && end < text.size() && text[end] == ')' ? end + 1 : 0;
}

}  // namespace

bool IsProse(std::string_view word) { return Prose().Has(Lowered(word)); }

std::string WithoutProse(std::string_view text) {
  std::string rest(text);
  const std::size_t numbering = EndOfNumbering(text);
  std::fill_n(rest.begin(), numbering, ' ');
  const std::size_t end = EndOfLeadingProse(rest);
  std::fill_n(rest.begin(), end, ' ');
  std::size_t begin = BeginOfTrailingProse(rest, std::max(end, numbering));
  // A sentence ends with its sign. After an expression it may be a factorial: "Evaluate 5!".
  constexpr std::string_view kEnds = ".!?";
  const bool is_relation = text.find_first_of("=<>") != std::string_view::npos;
  const auto is_factorial = [&](std::size_t at) {
    return rest[at] == '!' && !is_relation && at > 0 &&
           (IsDigit(rest[at - 1]) || IsLetter(rest[at - 1]) || rest[at - 1] == ')');
  };
  if (end > 0 || begin < text.size()) {
    while (begin > end && !is_factorial(begin - 1) &&
           (IsSpace(rest[begin - 1]) || kEnds.find(rest[begin - 1]) != std::string_view::npos)) {
      --begin;
    }
  }
  std::fill(rest.begin() + static_cast<std::ptrdiff_t>(begin), rest.end(), ' ');
  return rest;
}

bool LeavesOutMore(std::string_view text, std::string_view rest) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (rest[at] == text[at]) continue;
    if (IsDigit(text[at])) return true;
    const Word word = WordAt(text, at);
    if (word.IsLetterAlone() && rest.find(text[at]) == std::string_view::npos) return true;
    at = std::max(at, word.end - (word.end > at ? 1 : 0));
  }
  return false;
}

}  // namespace conpole
