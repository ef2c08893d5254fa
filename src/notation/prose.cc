#include "notation/prose.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "util/text.h"

namespace conpole {
namespace {

// In the order of their bytes, as all lists here.
constexpr std::array<std::string_view, 97> kProse{
    "auf",       "aufgabe",     "aus",      "ausdruck", "be",        "berechne", "berechnen", "bestimme",  "bitte",
    "calculate", "can",         "compute",  "das",      "den",       "der",      "determine", "die",       "do",
    "does",      "eine",        "equal",    "equation", "equations", "ergebnis", "ergibt",    "ermittle",  "evaluate",
    "exercise",  "expression",  "falls",    "find",     "finde",     "folgende", "folgenden", "following", "for",
    "fraction",  "für",         "gegeben",  "get",      "give",      "given",    "gleichung", "help",      "hilfe",
    "how",       "if",          "in",       "is",       "ist",       "let",      "list",      "liste",     "löse",
    "lösen",     "many",        "me",       "mit",      "much",      "nach",     "now",       "numbers",   "of",
    "order",     "ordne",       "out",      "please",   "problem",   "rechne",   "result",    "sei",       "simplify",
    "solve",     "sort",        "sortiere", "such",     "terms",     "that",     "the",       "then",      "to",
    "value",     "vereinfache", "viel",     "von",      "was",       "wenn",     "wert",      "what",      "what's",
    "whats",     "when",        "where",    "wie",      "wieviel",   "work",     "zahlen"};

// After these a letter is the name of the unknown, and not a part of the problem.
constexpr std::array<std::string_view, 5> kBeforeUnknown{"find", "finde", "for", "für", "nach"};
// Before these it is.
constexpr std::array<std::string_view, 9> kAfterUnknown{"falls", "given", "if", "in", "mit", "such", "wenn", "when", "where"};

template <class Words>
bool Contains(const Words& words, std::string_view word) {
  return std::binary_search(words.begin(), words.end(), word);
}

std::string Lowered(std::string_view word) {
  std::string lowered(word);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lowered;
}

bool IsPunctuation(char c) { return std::string_view(":,.;!?\"").find(c) != std::string_view::npos; }

struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string lowered;

  bool IsLetterAlone() const { return end - begin == 1; }
};

// The word at a place; an apostrophe may stand inside one.
Word WordAt(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (IsWordByte(text[end]) || (text[end] == '\'' && end > begin && end + 1 < text.size() &&
                                                         IsLetter(text[end + 1]) && end - begin > 1))) {
    ++end;
  }
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
      const bool named = Contains(kBeforeUnknown, before) && (next_at == text.size() || text[next_at] != '=');
      if (!punctuation && !named && !Contains(kAfterUnknown, next.lowered)) break;
    } else if (!Contains(kProse, word.lowered)) {
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
    const bool named = word.IsLetterAlone() && i > 0 && Contains(kBeforeUnknown, words[i - 1].lowered);
    if (!named && !Contains(kProse, word.lowered)) break;
    begin = word.begin;
  }
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

bool IsProse(std::string_view word) { return Contains(kProse, Lowered(word)); }

std::string WithoutProse(std::string_view text) {
  std::string rest(text);
  const std::size_t numbering = EndOfNumbering(text);
  std::fill_n(rest.begin(), numbering, ' ');
  const std::size_t end = EndOfLeadingProse(rest);
  std::fill_n(rest.begin(), end, ' ');
  std::size_t begin = BeginOfTrailingProse(rest, std::max(end, numbering));
  // A sentence ends with its sign.
  constexpr std::string_view kEnds = ".!?";
  if (end > 0 || begin < text.size()) {
    while (begin > end && (IsSpace(rest[begin - 1]) || kEnds.find(rest[begin - 1]) != std::string_view::npos)) --begin;
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
