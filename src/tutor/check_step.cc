#include "tutor/check_step.h"

#include <array>
#include <memory>
#include <utility>

#include "tutor/catalogue.h"

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

StepCheck::Kind JudgeProgress(const Domain& domain, const Problem& current, const Problem& next, const Distance& distance) {
  if (domain.Solved(next.line.state)) return StepCheck::Kind::kSolved;
  if (current.line.state == next.line.state) return StepCheck::Kind::kNotCloser;
  if (!distance) return StepCheck::Kind::kCorrect;
  const std::optional<double> before = distance(current);
  const std::optional<double> after = distance(next);
  if (!after) return before ? StepCheck::Kind::kNotCloser : StepCheck::Kind::kCorrect;
  return !before || *after < *before ? StepCheck::Kind::kProgress : StepCheck::Kind::kNotCloser;
}

std::string_view SentenceOf(StepCheck::Kind kind) {
  switch (kind) {
    case StepCheck::Kind::kSolved:
      return "check.solved";
    case StepCheck::Kind::kProgress:
      return "check.progress";
    case StepCheck::Kind::kNotCloser:
      return "check.not_closer";
    case StepCheck::Kind::kCorrect:
      return "check.correct";
    default:
      return "check.cannot_tell";
  }
}

}  // namespace

StepCheck CheckStep(const Domain& domain, std::string_view current, std::string_view line, const Distance& distance,
                    std::string_view language) {
  const Catalogue& catalogue = Catalogue::Find(language);
  StepCheck check;
  NotationResult read = ReadNextLine(domain, current, line, language);
  if (read.error) {
    check.kind = StepCheck::Kind::kUnreadable;
    check.message = catalogue.Sentence("check.unreadable",
                                       {{"position", std::to_string(read.error->position)}, {"reason", read.error->message}});
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
  // What an axiom allows is accepted even where it changes the solutions or is too large to compare.
  if (!same && !IsSuccessor(domain, current, check.state)) {
    const bool different = comparison.outcome == Comparison::Outcome::kDifferent;
    check.kind = different ? StepCheck::Kind::kNotEquivalent : StepCheck::Kind::kCannotTell;
    check.side = comparison.side;
    check.message = catalogue.Sentence(comparison.sentence, comparison.slots);
    return check;
  }
  check.kind = JudgeProgress(domain, *before, *after, distance);
  check.changes_solutions = comparison.outcome == Comparison::Outcome::kDifferent;
  if (check.changes_solutions) {
    // It may look solved and still be wrong.
    if (check.kind == StepCheck::Kind::kSolved) check.kind = StepCheck::Kind::kNotCloser;
    check.message = catalogue.Sentence(comparison.caution, comparison.slots);
  } else {
    check.message = catalogue.Sentence(SentenceOf(check.kind), {});
  }
  return check;
}

std::string_view NameOf(StepCheck::Kind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"solved",         "progress",   "not_closer", "correct",
                                                      "not_equivalent", "unreadable", "cannot_tell"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace conpole
