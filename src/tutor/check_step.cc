#include "tutor/check_step.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "language/catalogue.h"
#include "language/signs.h"
#include "subjects/free_notation.h"
#include "util/text.h"

namespace conpole {
namespace {

bool IsSuccessor(const Domain& domain, std::string_view current, std::string_view next) {
  Successors successors;
  if (domain.Expand(current, Labels::kOff, successors) != Status::kOpen) return false;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    if (successors.state(i) == next) return true;
  }
  return false;
}

// Whether two texts of one state differ in blanks and brackets at the most.
bool SameText(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& text) {
    constexpr std::string_view kSkipped = "\n\r()";
    while (!text.empty() && (IsBlank(text.front()) || kSkipped.find(text.front()) != std::string_view::npos))
      text.remove_prefix(1);
    return !text.empty();
  };
  for (;;) {
    const bool more = next(a);
    if (next(b) != more) return false;
    if (!more) return true;
    if (a.front() != b.front()) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

// What is said of a right line.
struct Judgement {
  StepCheck::Kind kind;
  std::string_view sentence;
  StepCheck::Help help = StepCheck::Help::kNotKnown;
};
using Help = StepCheck::Help;
constexpr Judgement kAnswer{StepCheck::Kind::kSolved, "check.solved", Help::kCloser};
constexpr Judgement kCloser{StepCheck::Kind::kProgress, "check.progress", Help::kCloser};
constexpr Judgement kNotCloser{StepCheck::Kind::kNotCloser, "check.not_closer", Help::kNoNearer};
constexpr Judgement kNoNearer{StepCheck::Kind::kNotCloser, "check.no_nearer", Help::kNoNearer};
constexpr Judgement kAway{StepCheck::Kind::kNotCloser, "check.away", Help::kAway};
constexpr Judgement kRepeats{StepCheck::Kind::kNotCloser, "check.repeats", Help::kNoNearer};
constexpr Judgement kReorders{StepCheck::Kind::kCorrect, "check.reordered", Help::kNoNearer};
constexpr Judgement kStillToDo{StepCheck::Kind::kCorrect, "check.still_to_do"};
constexpr Judgement kCorrect{StepCheck::Kind::kCorrect, "check.correct"};

Judgement JudgeProgress(const Domain& domain, const Subject& subject, const Problem& current, const Problem& next,
                        const Distance& distance) {
  const Advance advance = subject.FindAdvance(current, next);
  switch (advance) {
    case Advance::kAnswer:
      return kAnswer;
    case Advance::kCloser:
      return kCloser;
    case Advance::kReorders:
      return kReorders;
    case Advance::kRepeats:
      return kRepeats;
    case Advance::kStillToDo:
      return kStillToDo;
    case Advance::kTrueOnly:
      return kCorrect;
    case Advance::kNotKnown:
    case Advance::kFine:
    case Advance::kNoNearer:
    case Advance::kAway:
      break;
  }
  if (advance == Advance::kNoNearer) return kNoNearer;
  if (advance == Advance::kAway) {
    // Only if a search does not find a way that is as short.
    const std::optional<double> before = distance ? distance(current) : std::nullopt;
    const std::optional<double> after = before ? distance(next) : std::nullopt;
    return after && *after <= *before ? kNoNearer : kAway;
  }
  const Judgement not_closer = advance == Advance::kFine ? kStillToDo : kNotCloser;
  if (domain.Solved(next.line.state)) return kAnswer;
  if (current.line.state == next.line.state) return kRepeats;
  if (!distance) return kCorrect;
  const std::optional<double> before = distance(current);
  const std::optional<double> after = distance(next);
  if (!after) return before ? not_closer : kCorrect;
  return !before || *after < *before ? kCloser : not_closer;
}

// The numbers in a text, as they are written.
std::set<std::string, std::less<>> NumbersIn(std::string_view text) {
  std::set<std::string, std::less<>> numbers;
  std::string number;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool digit = i < text.size() && IsDigit(text[i]);
    const bool point = i + 1 < text.size() && (text[i] == '.' || text[i] == ',') && !number.empty() && IsDigit(text[i + 1]);
    if (digit || point) {
      number += text[i] == ',' ? '.' : text[i];
    } else if (!number.empty()) {
      numbers.insert(std::move(number));
      number.clear();
    }
  }
  return numbers;
}

// Says what was done, that it does not help, and what to think of instead.
std::string DetourMessage(const Catalogue& catalogue, const Judgement& judgement,
                          const std::optional<LearnerOperation>& operation,
                          const std::function<bool(std::string_view)>& gives_away) {
  Catalogue::Slots slots;
  if (operation && !operation->operand.empty()) {
    std::string did = catalogue.Sentence("check.did." + operation->name, {{"operand", operation->operand}});
    if (!gives_away(did)) slots["did"] = std::move(did);
  }
  if (operation) {
    std::string advice = catalogue.Sentence("check.detour." + operation->detour, operation->slots);
    if (!gives_away(advice)) slots["advice"] = std::move(advice);
  }
  return catalogue.Sentence(judgement.sentence, slots);
}

// Whether an answer is none of the numbers that came in by steps that change the solutions.
bool SolvesProblem(const Domain& domain, std::string_view problem, const std::string& answer) {
  const Subject& subject = SubjectOf(domain);
  const std::unique_ptr<Problem> first = subject.Analyse(domain, subject.Understand(std::string(problem)));
  const std::unique_ptr<Problem> last = subject.Analyse(domain, subject.Understand(answer));
  return !subject.Compare(*first, *last).adds_roots;
}

// Sentences that are reasons themselves: what follows "check." is the name of the mistake.
bool IsReason(std::string_view sentence) {
  constexpr std::array<std::string_view, 7> kReasons{
      "check.missing_solutions", "check.missing_root",    "check.divided_by_unknown", "check.no_solution_left",
      "check.extra_solutions",   "check.not_an_equation", "check.not_a_number"};
  return std::find(kReasons.begin(), kReasons.end(), sentence) != kReasons.end();
}

// What a rule in text says: in its own file, else in the catalogue, else in English. Null if it says nothing.
const std::string* OfRule(const Catalogue::Slots& by_language, std::string_view language, std::string_view rule,
                          std::string_view what) {
  if (by_language.empty()) return nullptr;
  if (const auto own = by_language.find(language); own != by_language.end()) return &own->second;
  const std::string* const known = Catalogue::Find(language).Pattern("mistake." + std::string(rule) + std::string(what));
  return known != nullptr ? known : &by_language.begin()->second;
}

}  // namespace

bool GivesAway(std::string_view sentence, const std::string& answer, std::string_view before_text,
               std::string_view after_text) {
  // Sentences have the signs that people write.
  const std::string text = WithSigns(sentence);
  const std::string current = WithSigns(before_text);
  const std::string next = WithSigns(after_text);
  const std::string shown_answer = WithSigns(answer);
  const std::set<std::string, std::less<>> said = NumbersIn(text);
  const std::set<std::string, std::less<>> before = NumbersIn(current);
  const std::set<std::string, std::less<>> after = NumbersIn(next);
  for (const std::string& number : NumbersIn(answer)) {
    if (said.contains(number) && !before.contains(number) && !after.contains(number)) return true;
  }
  const auto stands_in = [](std::string_view part, std::string_view whole) {
    for (std::size_t at = whole.find(part); at != std::string_view::npos; at = whole.find(part, at + 1)) {
      const auto joins = [](char c) { return IsDigit(c) || c == '.' || c == ',' || c == '/'; };
      const std::size_t end = at + part.size();
      const bool stop = end < whole.size() && (whole[end] == '.' || whole[end] == ',');
      const bool ends =
          end == whole.size() || !joins(whole[end]) || (stop && (end + 1 == whole.size() || !IsDigit(whole[end + 1])));
      if ((at == 0 || !joins(whole[at - 1])) && ends) return true;
    }
    return false;
  };
  for (std::string_view value : Split(shown_answer, " or ")) {
    if (const std::size_t sign = value.find("= "); sign != std::string_view::npos) value.remove_prefix(sign + 2);
    if (!value.empty() && stands_in(value, text) && !stands_in(value, current) && !stands_in(value, next)) return true;
  }
  return false;
}

StepCheck CheckStep(const Domain& domain, std::string_view current, std::string_view line, const Distance& distance,
                    std::string_view language) {
  const Catalogue& catalogue = Catalogue::Find(language);
  StepCheck check;
  NotationResult read = ReadNextLine(domain, current, line, language);
  if (read.error) {
    check.kind = StepCheck::Kind::kUnreadable;
    check.message = catalogue.Sentence(
        "check.unreadable", {{"position", std::to_string(read.error->position)}, {"reason", read.error->message.english()}});
    check.error = std::move(read.error);
    return check;
  }
  check.state = std::move(read.state);
  check.reading = std::move(read.reading);

  const Subject& subject = SubjectOf(domain);
  const std::unique_ptr<Problem> before = subject.Analyse(domain, subject.Understand(std::string(current)));
  const std::unique_ptr<Problem> after = subject.Analyse(domain, subject.Understand(check.state));
  Comparison comparison = subject.Compare(*before, *after);
  for (auto& [name, text] : comparison.slots) text = subject.Localise(language, Script::kPlain, std::move(text));
  const bool same = comparison.outcome == Comparison::Outcome::kSame;
  const auto gives_away = [&](std::string_view text) {
    return GivesAway(text, subject.AnswerFrom(*before), current, check.state);
  };
  if (comparison.outcome != Comparison::Outcome::kCannotTell) {
    check.is_true = same || comparison.same_solutions;
    check.is_step = same;
  }
  // What an axiom allows is accepted even where it changes the solutions or is too large to compare, and so is a line that only
  // lacks a condition. An answer must solve the line before in any case.
  const bool allowed = same || !comparison.with_condition.empty() || IsSuccessor(domain, current, check.state);
  Judgement judgement = allowed ? JudgeProgress(domain, subject, *before, *after, distance) : kCorrect;
  if (!allowed || (judgement.kind == StepCheck::Kind::kSolved && comparison.adds_roots)) {
    const bool different = comparison.outcome == Comparison::Outcome::kDifferent;
    check.kind = different ? StepCheck::Kind::kNotEquivalent : StepCheck::Kind::kCannotTell;
    check.side = comparison.side;
    check.mistake = comparison.mistake;
    if (check.mistake.empty() && IsReason(comparison.sentence))
      check.mistake = comparison.sentence.substr(std::string_view("check.").size());
    Catalogue::Slots slots = comparison.slots;
    if (check.side != StepCheck::Side::kNone) {
      slots["side"] = catalogue.Sentence(check.side == StepCheck::Side::kLeft ? "check.side.left" : "check.side.right", {});
    }
    const auto own = comparison.own_sentences.find(language);
    if (const std::string* const pattern = OfRule(comparison.patterns, language, comparison.mistake, "")) {
      check.message = Catalogue::Filled(*pattern, slots).value_or(catalogue.Sentence("check.look_again", slots));
    } else {
      check.message = own != comparison.own_sentences.end() ? own->second : catalogue.Sentence(comparison.sentence, slots);
    }
    if (gives_away(check.message) && !comparison.instead.empty()) check.message = catalogue.Sentence(comparison.instead, slots);
    if (gives_away(check.message)) check.message = catalogue.Sentence("check.look_again", slots);
    if (!comparison.also.empty()) {
      check.also = comparison.also;
      for (auto& [name, text] : comparison.also_slots) text = subject.Localise(language, Script::kPlain, std::move(text));
      const std::string* const more = OfRule(comparison.also_patterns, language, comparison.also, "");
      const std::optional<std::string> second =
          more == nullptr ? std::nullopt : Catalogue::Filled(*more, comparison.also_slots);
      if (second && *second != check.message && !gives_away(*second)) check.message += ' ' + *second;
    }
    if (const std::string* const reminder = OfRule(comparison.reminders, language, comparison.mistake, ".hint"))
      check.reminder = *reminder;
    return check;
  }
  // A learner who writes 30/100 x after 30% x does not repeat it.
  if (judgement.sentence == kRepeats.sentence && !SameText(line, current) && !SameText(line, WriteNotation(domain, current))) {
    judgement = kReorders;
  }
  check.kind = judgement.kind;
  check.help = judgement.help;
  check.is_step = true;
  std::optional<LearnerOperation> operation = subject.FindOperation(*before, *after);
  if (operation) {
    operation->operand = subject.Localise(language, Script::kPlain, std::move(operation->operand));
    for (auto& [name, text] : operation->slots) text = subject.Localise(language, Script::kPlain, std::move(text));
    check.operation = operation->name;
    check.operand = operation->operand;
  }
  check.changes_solutions = !same && comparison.outcome == Comparison::Outcome::kDifferent;
  if (check.changes_solutions) {
    // It may look solved and still be wrong.
    if (check.kind == StepCheck::Kind::kSolved) check.kind = StepCheck::Kind::kCorrect;
    check.message = catalogue.Sentence(comparison.caution, comparison.slots);
    if (!comparison.with_condition.empty()) check.state = comparison.with_condition;
  } else if (judgement.sentence == kNoNearer.sentence || judgement.sentence == kAway.sentence) {
    if (operation) check.detour = operation->detour;
    check.message = DetourMessage(catalogue, judgement, operation, gives_away);
  } else {
    if (judgement.sentence == kRepeats.sentence) check.detour = "repeats";
    check.message = catalogue.Sentence(judgement.sentence, {});
  }
  check.step = subject.NameStep(before->line, after->line);
  if (!check.step.empty()) {
    check.message = catalogue.Sentence("check.step", {{"step", check.step}, {"verdict", check.message}});
  }
  return check;
}

std::vector<StepCheck> CheckLines(const Domain& domain, std::string_view problem, std::span<const std::string> lines,
                                  const Distance& distance, std::string_view language) {
  const Catalogue& catalogue = Catalogue::Find(language);
  std::vector<StepCheck> checks;
  std::string right(problem);  // the last line that is right
  std::string last(problem);   // the last line
  const auto judge = [&](const std::string& line) {
    StepCheck check = CheckStep(domain, last, line, distance, language);
    if (last != right && check.kind != StepCheck::Kind::kUnreadable) {
      StepCheck anew = CheckStep(domain, right, line, distance, language);
      if (anew.correct()) {
        check = std::move(anew);
      } else if (check.correct()) {
        check.kind = StepCheck::Kind::kCorrect;
        check.after_mistake = true;
        check.message = catalogue.Sentence("check.follows", {});
      }
    }
    if (check.kind == StepCheck::Kind::kSolved && !SolvesProblem(domain, problem, check.state)) {
      check.kind = StepCheck::Kind::kNotEquivalent;
      check.message = catalogue.Sentence("check.not_of_problem", {});
    }
    if (!check.state.empty()) last = check.state;
    if (check.correct() && !check.after_mistake) right = check.state;
    checks.push_back(std::move(check));
  };
  for (const std::string& text : lines) {
    for (const std::string& line : SubjectOf(domain).SplitLines(last, text)) judge(line);
  }
  return checks;
}

std::string_view NameOf(StepCheck::Kind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"solved",         "progress",   "not_closer", "correct",
                                                      "not_equivalent", "unreadable", "cannot_tell"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view NameOf(StepCheck::Help help) {
  constexpr std::array<std::string_view, 4> kNames = {"", "closer", "no_nearer", "away"};
  return kNames[static_cast<std::size_t>(help)];
}

}  // namespace conpole
