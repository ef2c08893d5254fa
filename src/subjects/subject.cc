#include "subjects/subject.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "notation/speech.h"
#include "subjects/own_subject.h"
#include "subjects/subjects.h"
#include "util/random.h"
#include "util/text.h"
#include "verify/exact.h"

namespace conpole {
namespace {

// Requires a polynomial that is not 0.
std::string PolynomialText(const Polynomial& p, char unknown) {
  std::string text;
  for (std::size_t power = p.size(); power-- > 0;) {
    if (p[power] == 0) continue;
    text += text.empty() ? (p[power] < 0 ? "-" : "") : (p[power] < 0 ? " - " : " + ");
    const Integer size = abs(p[power]);
    if (size != 1 || power == 0) text += size.str();
    if (power > 0) text += unknown;
    if (power > 1) text += fmt::format("^{}", power);
  }
  return text;
}

}  // namespace

NotationResult Subject::Read(const Domain& domain, std::string_view, std::string_view text) const {
  NotationResult result;
  Parsed parsed = domain.Parse(text);
  if (parsed.error) {
    result.error = {NotationError::Kind::kUnreadable, parsed.error->position, std::move(parsed.error->message)};
  } else {
    result.state = std::move(parsed.state);
  }
  return result;
}

std::vector<std::string> Subject::SplitLines(std::string_view, std::string_view text) const {
  std::vector<std::string> lines;
  for (const std::string_view line : Split(text, "\n")) {
    if (!Trimmed(line).empty()) lines.emplace_back(line);
  }
  return lines;
}

Line Subject::Understand(std::string state) const { return {std::move(state), nullptr}; }

std::string Subject::Write(Script script, const Line& line) const {
  return script == Script::kPlain ? line.state : "\\texttt{" + EscapeLatex(line.state) + "}";
}

std::string Subject::Speak(const Line& line, std::string_view language) const { return SpeechOf(MakeFormula(line), language); }

std::unique_ptr<Problem> Subject::Analyse(const Domain&, Line line) const { return std::make_unique<Problem>(std::move(line)); }

Comparison Subject::Compare(const Problem& before, const Problem& after) const {
  if (before.line.state == after.line.state) return Comparison::Same();
  Comparison comparison;
  comparison.sentence = "check.not_one_step";
  return comparison;
}

const Subject& SubjectOf(const Domain& domain) {
  if (const auto* const own = dynamic_cast<const HasOwnSubject*>(&domain)) return own->subject();
  if (domain.type().file != nullptr) return SubjectOfFile(*domain.type().file);
  static const Subject of_all_others;
  for (const Subject* const subject : Subjects()) {
    if (subject->type() == &domain.type()) return *subject;
  }
  return of_all_others;
}

LineJudgement Subject::Judge(const Domain& domain, const Line& before, const Line& after) const {
  const Comparison comparison = Compare(*Analyse(domain, before), *Analyse(domain, after));
  switch (comparison.outcome) {
    case Comparison::Outcome::kSame:
      return {true, true};
    case Comparison::Outcome::kDifferent:
      return {comparison.same_solutions, !comparison.same_solutions};
    default:
      return {};
  }
}

std::optional<std::string> LineWithSolution(const Domain& domain, const Subject& subject, const Line& line,
                                            const SolutionSet& set, Random& random) {
  if (set.kind != SolutionSet::Kind::kRoots || set.roots.rational.size() != 1 || set.roots.irrational != 0) return std::nullopt;
  const int factor = random.Int32(2, 10);
  const int term = random.Int32(1, 13);
  const Exact right = factor * set.roots.rational.front() + term;
  NotationResult read = subject.Read(domain, line.state, fmt::format("{}{} + {} = {}", factor, set.unknown, term, right.str()));
  if (read.error) return std::nullopt;
  return std::move(read.state);
}

void CountSolutions(const SolutionSet& set, const std::vector<std::string>& rational, Analysis& analysis) {
  analysis.slots["count"] = std::to_string(set.count());
  if (set.roots.irrational == 0) return;
  constexpr unsigned kPlaces = 4;
  constexpr std::uint64_t kMaxWork = 2'000'000;
  std::vector<Integer> floors;
  try {
    Work work(kMaxWork);
    floors = IrrationalRoots(set.roots, kPlaces + 1, work);
  } catch (const OutOfWork&) {
    return;
  }
  std::vector<std::string> roots;
  std::vector<std::string> between;
  for (const std::string& root : rational) roots.push_back(fmt::format("{} = {}", set.unknown, root));
  for (const Integer& floor : floors) {
    // Of an irrational number the next place alone says how it is rounded.
    const Integer half = floor < 0 ? Integer(floor - 4) : Integer(floor + 5);
    roots.push_back(fmt::format("{} ≈ {}", set.unknown, DecimalText(half / 10, kPlaces)));
    between.push_back(
        fmt::format("{} < {} < {}", DecimalText(floor, kPlaces + 1), set.unknown, DecimalText(floor + 1, kPlaces + 1)));
  }
  analysis.slots["decimals"] = fmt::format("{}", fmt::join(roots, " or "));
  analysis.slots["between"] = fmt::format("{}", fmt::join(between, "; "));
  analysis.slots["polynomial"] = PolynomialText(set.roots.rest, set.unknown);
}

Analysis AnalysisOfStatement(bool is_true) {
  Analysis analysis;
  analysis.status = SolveStatus::kSolved;
  analysis.is_statement = true;
  analysis.sentence = is_true ? "status.true" : "status.false";
  return analysis;
}

std::string_view NameOf(SolveStatus status) {
  constexpr std::array<std::string_view, 5> kNames = {"solved", "no_solution", "every_number", "several_solutions", "unsolved"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string Math(Script script, const std::string& text) { return script == Script::kLatex ? "$" + text + "$" : text; }

}  // namespace conpole
