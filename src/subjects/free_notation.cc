#include "subjects/free_notation.h"

#include <algorithm>
#include <utility>

#include "language/catalogue.h"
#include "notation/line_words.h"
#include "notation/prose.h"
#include "subjects/own_subject.h"
#include "subjects/subject.h"
#include "util/text.h"

namespace conpole {
namespace {

std::string Write(const Domain& domain, Script script, std::string_view state) {
  const Subject& subject = SubjectOf(domain);
  return subject.Write(script, subject.Understand(std::string(state)));
}

// With points in place of decimal commas: 2,5, but not 3,1,2 and not the lists in brackets.
std::string WithDecimalPoints(std::string text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && IsDigit(text[at]); };
  if (text.find('[') != std::string::npos) return text;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] != ',' || !digit(at - 1) || !digit(at + 1)) continue;
    std::size_t before = at - 1;
    while (before > 0 && digit(before - 1)) --before;
    std::size_t after = at + 1;
    while (digit(after)) ++after;
    const auto separates = [&](std::size_t place) { return place < text.size() && (text[place] == ',' || text[place] == '.'); };
    if ((before > 0 && separates(before - 1)) || (separates(after) && digit(after + 1))) continue;
    text[at] = '.';
  }
  return text;
}

// The text without words around it and, where the language has it so, with decimal points. Positions stay as they are.
std::string Prepared(std::string_view text, std::string_view language) {
  std::string prepared = WithoutProse(text);
  return HasDecimalComma(language) ? WithDecimalPoints(std::move(prepared)) : prepared;
}

// The first line of several, without blanks around it; empty if there is only one.
std::string_view FirstOfSeveralLines(std::string_view text) {
  std::string_view first;
  while (!text.empty()) {
    // Lines end with their character, or as LaTeX ends them.
    const std::size_t end = std::min(text.find('\n'), text.find("\\\\"));
    const std::string_view line = Trimmed(text.substr(0, end));
    if (!line.empty() && !first.empty()) return first;
    if (!line.empty()) first = line;
    if (end == std::string_view::npos) break;
    text.remove_prefix(std::min(text.size(), end + (text[end] == '\n' ? 1 : 2)));
  }
  return {};
}

std::size_t WordsIn(std::string_view text) {
  constexpr std::size_t kWord = 3;
  std::size_t words = 0;
  std::size_t length = 0;
  for (const char c : text) {
    length = IsLetter(c) ? length + 1 : 0;
    if (length == kWord) ++words;
  }
  return words;
}

bool LooksLikeSentence(std::string_view text) {
  constexpr std::size_t kSeveral = 4;
  return WordsIn(text) >= kSeveral;
}

// "Evaluate when x = 3: x^2 + 1": a colon that ends a part of a sentence, and divides nothing.
bool EndsWordsWithColon(std::string_view text) {
  for (std::size_t at = text.find(": "); at != std::string_view::npos; at = text.find(": ", at + 1)) {
    if (at > 0 && IsDigit(text[at - 1])) return WordsIn(text.substr(0, at)) > 0;
  }
  return false;
}

// "What fraction of 20 is 5" is no statement that 20 = 5.
bool IsQuestionAsStatement(std::string_view text, std::string_view prepared, std::string_view state) {
  return WordsIn(prepared) < WordsIn(text) && text.find_first_of("=<>") == std::string_view::npos &&
         state.find('=') != std::string_view::npos && std::none_of(state.begin(), state.end(), IsLetter);
}

// Where x = 2,3 has its comma: as an answer to a problem it can be told what is meant, alone it cannot.
std::size_t CommaOfTwoAnswers(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return comma;
  const auto blank = [](char c) { return c == ' '; };
  std::string plain(text);
  std::erase_if(plain, blank);
  const std::size_t sign = plain.find(',');
  const bool digits = plain.find_first_not_of("0123456789,", 2) == std::string::npos && plain.find(',', sign + 1) == plain.npos;
  const std::size_t after = plain.size() - sign - 1;
  return digits && sign > 2 && IsLetter(plain[0]) && plain[1] == '=' && (after == 1 || after == 2) ? comma : text.npos;
}

NotationResult ReadPrepared(const Domain& domain, std::string_view current, std::string_view text, std::string_view language) {
  const Subject& subject = SubjectOf(domain);
  const bool has_own_subject = dynamic_cast<const HasOwnSubject*>(&domain) != nullptr;
  if (subject.type() == nullptr || subject.type()->file != nullptr || has_own_subject) {
    return subject.Read(domain, current, text);
  }
  if (current.empty() && EndsWordsWithColon(text)) {
    if (std::optional<NotationResult> exercise = subject.ReadWords(domain, text)) return *std::move(exercise);
  }
  const std::string prepared = Prepared(text, language);
  if (const std::size_t comma = CommaOfTwoAnswers(prepared); current.empty() && comma != std::string::npos) {
    NotationResult unclear;
    unclear.error = {NotationError::Kind::kUnreadable, comma,
                     Message("a comma may be a decimal sign or stand between two answers; write 2.3, or x = 2 or x = 3")};
    return unclear;
  }
  NotationResult result = subject.Read(domain, current, prepared);
  if (!result.error && current.empty() && IsQuestionAsStatement(text, prepared, result.state)) {
    if (std::optional<NotationResult> exercise = subject.ReadWords(domain, text)) return *std::move(exercise);
  }
  if (!result.error) {
    result.ambiguous = result.ambiguous || LeavesOutMore(text, prepared);
    return result;
  }
  if (current.empty()) {
    std::optional<NotationResult> exercise = subject.ReadWords(domain, text);
    if (exercise && !exercise->error) return *std::move(exercise);
    // Of two errors the one that knows more of words, or of letters.
    const std::string_view what = result.error->message.english();
    if (exercise && what.starts_with("an unknown is one letter")) {
      result.error->message = std::move(exercise->error->message);
    } else if (exercise && LooksLikeSentence(text)) {
      result.error = std::move(exercise->error);
    }
  }
  const std::string_view first = FirstOfSeveralLines(text);
  if (!first.empty() && !subject.Read(domain, current, Prepared(first, language)).error) {
    const auto position = static_cast<std::size_t>(first.data() - text.data()) + first.size();
    result.error = {NotationError::Kind::kUnreadable, position,
                    Message("this is more than one line; the first one alone would be a problem: '{}'", first)};
  }
  return result;
}

}  // namespace

NotationResult ReadNotation(const Domain& domain, std::string_view text, std::string_view language) {
  return ReadNextLine(domain, {}, text, language);
}

NotationResult ReadToCheck(const Domain& domain, std::string_view text, std::string_view language) {
  NotationResult result = ReadNotation(domain, text, language);
  if (!result.error) return result;
  const Subject& subject = SubjectOf(domain);
  std::optional<NotationResult> open = subject.ReadToCheck(domain, Prepared(text, language));
  if (!open || open->error) return result;
  open->reading = subject.WriteReading(subject.Understand(open->state));
  return *std::move(open);
}

NotationResult ReadNextLine(const Domain& domain, std::string_view current, std::string_view text, std::string_view language) {
  NotationResult result;
  if (std::optional<Malformed> too_long = CheckLength(text)) {
    result.error = {NotationError::Kind::kUnreadable, too_long->position, std::move(too_long->message)};
  } else {
    result = ReadPrepared(domain, current, text, language);
  }
  if (!result.error) {
    const Subject& subject = SubjectOf(domain);
    result.reading = subject.WriteReading(subject.Understand(result.state));
  } else {
    result.error->message = SayIn(language, result.error->message);
  }
  return result;
}

std::string WriteNotation(const Domain& domain, std::string_view state) { return Write(domain, Script::kPlain, state); }

std::string WriteLatex(const Domain& domain, std::string_view state) { return Write(domain, Script::kLatex, state); }

std::string_view GuessDomain(std::string_view text, std::string_view language) {
  const std::string prepared = Prepared(text, language);
  const Clues clues(prepared, text);
  const Subject* guess = nullptr;
  Clue most_telling = Clue::kNone;
  for (const Subject* const subject : Subjects()) {
    const Clue clue = subject->Guess(clues);
    if (guess != nullptr && clue <= most_telling) continue;
    guess = subject;
    most_telling = clue;
  }
  // Letters may look like turns of a cube or like digits and still be those of an expression: 9w^2 - 7w.
  constexpr std::string_view kAlgebra = "algebra";
  if (guess->type()->name != kAlgebra && !ReadNotation(*MakeDomain(guess->type()->name), text, language).error) {
    return guess->type()->name;
  }
  // A sentence that nobody understands is about no digits or turns, either.
  const bool no_algebra = !LooksLikeSentence(text) && ReadNotation(*MakeDomain(kAlgebra), text, language).error;
  return no_algebra ? guess->type()->name : kAlgebra;
}

}  // namespace conpole
