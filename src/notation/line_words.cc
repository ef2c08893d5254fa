#include "notation/line_words.h"

#include <algorithm>
#include <array>

#include "language/catalogue.h"
#include "util/text.h"

namespace conpole {
namespace {

// As the domain spells them, and the entry of the words that are read. None is the beginning of another.
struct KnownWord {
  std::string_view text;
  std::string_view entry;
};
constexpr std::array kKnownWords{KnownWord{"no solution", "line.no_solution"},
                                 KnownWord{"every number", "line.every_number"},
                                 KnownWord{"not a real number", "line.not_real"},
                                 KnownWord{"true", "line.true"},
                                 KnownWord{"false", "line.false"},
                                 KnownWord{"check", "line.check"},
                                 KnownWord{"and", "line.and"},
                                 KnownWord{"or", "line.or"}};
constexpr std::string_view kDecimalSign = "line.decimal_sign";

bool StartsWord(std::string_view text, std::size_t at) { return at == 0 || !IsWordByte(text[at - 1]); }

// With a capital at the beginning or without.
bool StartsWith(std::string_view text, std::string_view word) {
  if (word.empty() || text.size() < word.size()) return false;
  const bool first = text.front() == word.front() || Lowered(text.front()) == word.front();
  const bool ends = text.size() == word.size() || !IsWordByte(text[word.size()]);
  return first && ends && text.substr(1, word.size() - 1) == word.substr(1);
}

const std::string& WordsIn(std::string_view language, std::string_view entry) {
  return ReadingWords(language).find(entry)->second.front();
}

}  // namespace

std::string LocaliseLine(std::string_view language, Script script, std::string text) {
  if (language == "en") return text;  // as the domain writes it
  const std::string& sign = WordsIn(language, kDecimalSign);
  // Braces keep LaTeX from setting a blank after the comma.
  const std::string written_sign = script == Script::kLatex && sign != "." ? "{" + sign + "}" : sign;
  const std::string_view whole = text;
  std::string out;
  for (std::size_t at = 0; at < whole.size();) {
    const std::string_view rest = whole.substr(at);
    const auto word = std::find_if(kKnownWords.begin(), kKnownWords.end(), [&](const KnownWord& known) {
      return rest.starts_with(known.text) && StartsWord(text, at) && StartsWith(rest, known.text);
    });
    if (word != kKnownWords.end()) {
      out += WordsIn(language, word->entry);
      at += word->text.size();
    } else if (text[at] == '.' && at > 0 && IsDigit(text[at - 1]) && at + 1 < text.size() && IsDigit(text[at + 1])) {
      out += written_sign;
      ++at;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::optional<LineWords> FindLineWords(std::string_view text) {
  for (const std::string& language : Catalogue::Languages()) {
    for (const KnownWord& word : kKnownWords) {
      const std::string& local = WordsIn(language, word.entry);
      if (StartsWith(text, local)) return LineWords{local.size(), word.text};
    }
  }
  return std::nullopt;
}

bool HasDecimalComma(std::string_view language) { return Catalogue::Has(language) && WordsIn(language, kDecimalSign) == ","; }

}  // namespace conpole
