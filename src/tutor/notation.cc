#include "tutor/notation.h"

#include <utility>

#include "tutor/subject.h"

namespace conpole {
namespace {

std::string Write(const Domain& domain, Script script, std::string_view state) {
  const Subject& subject = SubjectOf(domain);
  return subject.Write(script, subject.Understand(std::string(state)));
}

}  // namespace

NotationResult ReadNotation(const Domain& domain, std::string_view text) { return ReadNextLine(domain, {}, text); }

NotationResult ReadNextLine(const Domain& domain, std::string_view current, std::string_view text) {
  NotationResult result;
  if (std::optional<Malformed> too_long = CheckLength(text)) {
    result.error = {NotationError::Kind::kUnreadable, too_long->position, std::move(too_long->message)};
    return result;
  }
  result = SubjectOf(domain).Read(domain, current, text);
  if (!result.error) result.reading = WriteNotation(domain, result.state);
  return result;
}

std::string WriteNotation(const Domain& domain, std::string_view state) { return Write(domain, Script::kPlain, state); }

std::string WriteLatex(const Domain& domain, std::string_view state) { return Write(domain, Script::kLatex, state); }

std::string EscapeLatex(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      default:
        if (std::string_view("{}_&%$#").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
  }
  return escaped;
}

std::string_view GuessDomain(std::string_view text) {
  const Clues clues(text);
  const Subject* guess = nullptr;
  Clue most_telling = Clue::kNone;
  for (const Subject* const subject : Subjects()) {
    const Clue clue = subject->Guess(clues);
    if (guess != nullptr && clue <= most_telling) continue;
    guess = subject;
    most_telling = clue;
  }
  return guess->type()->name;
}

}  // namespace conpole
