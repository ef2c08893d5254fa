#include "subjects/term_subject.h"

#include <optional>
#include <utility>

#include "domains/school/algebra_text.h"
#include "explain/mistakes.h"
#include "notation/learner_notation.h"
#include "notation/reading.h"
#include "verify/algebra_meaning.h"
#include "verify/exact.h"

namespace conpole {

NotationResult TermSubject::Read(const Domain& domain, std::string_view, std::string_view text) const {
  TermReading read = ReadTerm(kind_, text);
  if (read.error) return {{}, {}, std::move(read.error)};
  Parsed parsed = domain.Parse(read.text);
  // What can still be wrong concerns the whole: a fraction over 0, or too much text once all parentheses are there.
  if (parsed.error) return Unreadable(0, std::move(parsed.error->message));
  return {std::move(parsed.state), {}, std::nullopt};
}

Line TermSubject::Understand(std::string state) const {
  std::optional<Expression> term = ReadCanonical(state);
  return {std::move(state), term ? std::make_shared<const Expression>(std::move(*term)) : nullptr};
}

std::string TermSubject::Write(Script script, const Line& line) const {
  return line.term ? WriteState(kind_, script, line.state, *line.term) : line.state;
}

Formula TermSubject::MakeFormula(const Line& line) const {
  return line.term ? DrawState(kind_, line.state, *line.term) : TextFormula(line.state);
}

std::string TermSubject::Shown(Script script, const std::string& part) const {
  const std::optional<Expression> term = ReadCanonical(part);
  return Math(script, term ? WriteExpression(kind_, script, *term) : part);
}

Catalogue::Slots TermSubject::TermAndResult(const Action& action, const Line& before, const Line& after, Script script,
                                            bool results) const {
  Catalogue::Slots slots;
  if (!before.term || !after.term || !action.position) return slots;
  const std::optional<std::size_t> from = NodeAtPosition(*before.term, *action.position);
  if (!from) return slots;
  const Expression term = Subexpression(*before.term, *from);
  slots["term"] = Math(script, WriteExpression(kind_, script, term));
  const std::optional<std::size_t> to = NodeAtPosition(*after.term, *action.position);
  if (!to || !results) return slots;
  // A result next to a sign may have become one with it. Then the position holds something else, which the comparison notices.
  const Expression result = Subexpression(*after.term, *to);
  if (SameFunction(term, result).value_or(false)) slots["result"] = Math(script, WriteExpression(kind_, script, result));
  return slots;
}

std::vector<std::string> TermSubject::SplitLines(std::string_view current, std::string_view text) const {
  return SplitLearnerLines(current, text);
}

Advance TermSubject::FindAdvance(const Problem& before, const Problem& after) const {
  const bool repeats = before.line.state == after.line.state;
  // Nobody asks a solved line for more.
  return repeats ? Advance::kNotKnown : Advance::kFine;
}

std::string TermSubject::InAlgebra(const Line& line) const {
  if (!line.term) return {};
  const algebra::ReadResult read = algebra::Read(Write(Script::kPlain, line));
  if (read.error) return {};
  std::string text = algebra::TextOf(read.state);
  // The two notations differ in what 2/3x means.
  const AlgebraMeaning meaning = ReadAlgebra(text);
  switch (meaning.kind) {
    case AlgebraMeaning::Kind::kValue:
      return EvaluateTerm(*line.term, 0) == meaning.value ? text : std::string();
    case AlgebraMeaning::Kind::kSolutions:
      return SameSolutions(SolveExactly(*line.term), meaning.solutions).value_or(false) ? text : std::string();
    case AlgebraMeaning::Kind::kNotKnown:
      break;
  }
  return {};
}

void TermSubject::NameMistake(const Line& before, const Line& after, Comparison& comparison) const {
  const std::string old_line = InAlgebra(before);
  const std::string new_line = InAlgebra(after);
  if (old_line.empty() || new_line.empty()) return;
  if (std::optional<Mistake> mistake = FindMistake(old_line, new_line)) Name(std::move(*mistake), comparison);
}

std::vector<MadeMistake> TermSubject::MakeMistakes(const Domain& domain, const Line& line, std::size_t count,
                                                   Random& random) const {
  const std::string in_algebra = InAlgebra(line);
  if (in_algebra.empty()) return {};
  std::vector<MadeMistake> made;
  for (MadeMistake& mistake : conpole::MakeMistakes(in_algebra, count, random)) {
    NotationResult read = Read(domain, line.state, mistake.line);
    if (!read.error && read.state != line.state) made.push_back({std::move(mistake.rule), std::move(read.state)});
  }
  return made;
}

Verdict ValueSubject::Verify(const Problem& problem, const Line& answer) const {
  if (!problem.line.term || !answer.term) return Verdict::kCannotTell;
  const std::optional<bool> equal = SameFunction(*problem.line.term, *answer.term);
  if (!equal) return Verdict::kCannotTell;
  return *equal ? Verdict::kRight : Verdict::kWrong;
}

LineJudgement ValueSubject::Judge(const Domain&, const Line& before, const Line& after) const {
  if (!before.term || !after.term) return {};
  const std::optional<bool> same = SameFunction(*before.term, *after.term);
  if (!same || (!*same && !EvaluateTerm(*before.term, 0))) return {};
  return {*same, true};
}

Comparison ValueSubject::Compare(const Problem& before, const Problem& after) const {
  if (!before.line.term || !after.line.term) return {};
  const std::optional<bool> same = SameFunction(*before.line.term, *after.line.term);
  if (!same) return {};
  if (*same) return Comparison::Same();
  const std::optional<Exact> old_value = EvaluateTerm(*before.line.term, 0);
  const std::optional<Exact> new_value = EvaluateTerm(*after.line.term, 0);
  if (!old_value) return {};
  if (!new_value) return Comparison::Different("check.undefined_value");
  Comparison comparison = Comparison::Different("check.value");
  NameMistake(before.line, after.line, comparison);
  return comparison;
}

}  // namespace conpole
