// equations: an answer is the only number that solves the equation. Every line is analysed exactly (verify/exact.h), so an
// equation without a single solution is known before any search.
#include "domains/axioms/equations.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "subjects/subjects.h"
#include "subjects/term_subject.h"
#include "util/text.h"
#include "verify/algebra_meaning.h"
#include "verify/exact.h"

namespace conpole {
namespace {

struct Equation final : Problem {
  using Problem::Problem;
  SolutionSet solutions;
};

// An equation with products with -1 in place of negations, for which there are no axioms: -x becomes -1x, -(2x) becomes
// (-1) * 2x. In canonical text a minus sign before a letter or a parenthesis is a negation.
std::string WithoutNegations(const Domain& domain, const std::string& state) {
  std::string text;
  std::vector<bool> negated;  // per open parenthesis
  bool any = false;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const char next = i + 1 < state.size() ? state[i + 1] : '\0';
    if (state[i] == '-' && IsLetter(next)) {
      text += "-1";
      any = true;
    } else if (state[i] == '-' && next == '(') {
      text += "((-1) * (";
      negated.push_back(true);
      any = true;
      ++i;
    } else {
      text += state[i];
      if (state[i] == '(') negated.push_back(false);
      if (state[i] != ')') continue;
      if (negated.back()) text += ')';
      negated.pop_back();
    }
  }
  if (!any) return state;
  const Parsed parsed = domain.Parse(text);
  return parsed.error ? state : parsed.state;
}

std::vector<std::string> TextsOf(const std::vector<Exact>& numbers) {
  std::vector<std::string> texts;
  for (const Exact& number : numbers) texts.push_back(number.str());
  return texts;
}

Analysis AnalysisOf(const SolutionSet& set) {
  Analysis analysis;
  if (set.unknown == 0 && (set.kind == SolutionSet::Kind::kNone || set.kind == SolutionSet::Kind::kEvery)) {
    analysis = AnalysisOfStatement(set.kind == SolutionSet::Kind::kEvery);
  }
  analysis.search = false;
  if (analysis.is_statement) return analysis;
  switch (set.kind) {
    case SolutionSet::Kind::kCannotTell:
    case SolutionSet::Kind::kNotAnalysed:
      analysis.sentence = "status.unverifiable";
      return analysis;
    case SolutionSet::Kind::kNone:
      analysis.status = SolveStatus::kNoSolution;
      break;
    case SolutionSet::Kind::kEvery:
      analysis.status = SolveStatus::kEveryNumber;
      analysis.exceptions = TextsOf(set.exceptions.rational);
      analysis.irrational_exceptions = set.exceptions.irrational;
      if (!analysis.exceptions.empty() && analysis.irrational_exceptions == 0) {
        analysis.slots["exceptions"] = Join(analysis.exceptions);
      }
      break;
    case SolutionSet::Kind::kRoots:
      CountSolutions(set, TextsOf(set.roots.rational), analysis);
      if (set.count() == 1) {
        analysis.search = set.roots.irrational == 0;
        if (!analysis.search) analysis.sentence = "status.irrational";
        return analysis;
      }
      analysis.status = SolveStatus::kSeveralSolutions;
      if (set.roots.irrational == 0) {
        analysis.answer =
            Join(set.roots.rational, ", ", [&](const Exact& root) { return fmt::format("{} = {}", set.unknown, root.str()); });
        analysis.slots["roots"] = analysis.answer;
      }
      break;
  }
  analysis.sentence = fmt::format("status.{}", NameOf(analysis.status));
  return analysis;
}

Expression LeftSide(const Expression& equation) { return Subexpression(equation, LeftOperand(equation, equation.size() - 1)); }
Expression RightSide(const Expression& equation) {
  return Subexpression(equation, RightOperand(equation, equation.size() - 1));
}

// A rational solution of `a` that is none of `b`; nothing if there is no such.
std::optional<Exact> FirstMissing(const SolutionSet& a, const SolutionSet& b) {
  const auto solves = [](const SolutionSet& set, const Exact& x) {
    const auto has = [&](const RealRoots& roots) {
      return std::find(roots.rational.begin(), roots.rational.end(), x) != roots.rational.end();
    };
    return set.kind == SolutionSet::Kind::kEvery ? !has(set.exceptions) : has(set.roots);
  };
  // Of all numbers, the exceptions of the other are the ones in question.
  const bool every = a.kind == SolutionSet::Kind::kEvery;
  const std::vector<Exact>& candidates = every ? b.exceptions.rational : a.roots.rational;
  for (const Exact& x : candidates) {
    if (solves(a, x) && !solves(b, x)) return x;
  }
  return std::nullopt;
}

// What differs between two equations that do not have the same solutions. No solution of the first is named.
Comparison CompareSolutions(const SolutionSet& before, const SolutionSet& after) {
  const bool fewer = Includes(before, after).value_or(false);
  const bool more = Includes(after, before).value_or(false);
  Comparison comparison = Comparison::Different(fewer && after.kind == SolutionSet::Kind::kNone ? "check.no_solution_left"
                                                : fewer                                         ? "check.missing_solutions"
                                                : more                                          ? "check.extra_solutions"
                                                                                                : "check.solutions");
  comparison.adds_roots = !fewer && after.kind == SolutionSet::Kind::kRoots;
  const std::optional<Exact> gained = FirstMissing(after, before);
  if (!fewer && gained) {
    const char letter = before.unknown != 0 ? before.unknown : after.unknown;
    comparison.slots = {{"unknown", std::string(1, letter)}, {"root", gained->str()}};
    comparison.caution = "check.adds_roots";
  }
  return comparison;
}

class Equations final : public TermSubject {
 public:
  Equations() : TermSubject(&EquationsType(), TermKind::kEquation) {}

  std::size_t AlignmentOf(std::string_view latex) const override { return latex.find('='); }

  // Several solutions, as AnalysisOf joins them, are alternatives.
  Formula MakeAnswerFormula(const Line& line) const override {
    if (line.term) return MakeFormula(line);
    constexpr std::string_view kEquals = " = ";
    FormulaBuilder formula;
    formula.Open(FormulaNode::Kind::kAlternatives);
    for (const std::string_view root : Split(line.state, ", ")) {
      const std::size_t sign = root.find(kEquals);
      if (sign == std::string_view::npos) return TextFormula(line.state);
      formula.Open(FormulaNode::Kind::kEquation);
      formula.Leaf(FormulaNode::Kind::kUnknown, std::string(root.substr(0, sign)));
      formula.Number(root.substr(sign + kEquals.size()));
      formula.Close();
    }
    formula.Close();
    return formula.Take();
  }

  std::unique_ptr<Problem> Analyse(const Domain& domain, Line line) const override {
    auto equation = std::make_unique<Equation>(std::move(line));
    equation->solutions = SolutionsOf(equation->line);
    equation->analysis = AnalysisOf(equation->solutions);
    if (equation->analysis.search) equation->start = WithoutNegations(domain, equation->line.state);
    return equation;
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    // LETTER = NUMBER, in postfix order.
    if (!answer.term || !IsEquation(*answer.term) || answer.term->size() != 3) return Verdict::kWrong;
    const SolutionSet& solutions = SolutionsOf(problem);
    switch (solutions.kind) {
      case SolutionSet::Kind::kCannotTell:
      case SolutionSet::Kind::kNotAnalysed:
        return Verdict::kCannotTell;
      case SolutionSet::Kind::kNone:
      case SolutionSet::Kind::kEvery:
        return Verdict::kWrong;
      case SolutionSet::Kind::kRoots:
        break;
    }
    const bool right = solutions.unknown == (*answer.term)[0].symbol && solutions.count() == 1 &&
                       solutions.roots.rational.size() == 1 && solutions.roots.rational.front() == (*answer.term)[1].number;
    return right ? Verdict::kRight : Verdict::kWrong;
  }

  LineJudgement Judge(const Domain&, const Line& before, const Line& after) const override {
    const SolutionSet old_set = SolutionsOf(before);
    const SolutionSet new_set = SolutionsOf(after);
    const std::optional<bool> same = SameSolutions(old_set, new_set);
    if (!same) return {};
    return {*same && !HaveTwoUnknowns(old_set, new_set), true};
  }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    const SolutionSet& old_set = SolutionsOf(before);
    const SolutionSet& new_set = SolutionsOf(after);
    const std::optional<bool> same = SameSolutions(old_set, new_set);
    if (!same) return {};
    if (HaveTwoUnknowns(old_set, new_set)) {
      return Comparison::Different("check.unknown",
                                   {{"before", std::string(1, old_set.unknown)}, {"after", std::string(1, new_set.unknown)}});
    }
    if (*same) return Comparison::Same();
    // Both were analysed, so both are terms.
    const Expression& old_term = *before.line.term;
    const Expression& new_term = *after.line.term;
    Comparison comparison = CompareSolutions(old_set, new_set);
    const bool left = SameFunction(LeftSide(old_term), LeftSide(new_term)).value_or(false);
    const bool right = SameFunction(RightSide(old_term), RightSide(new_term)).value_or(false);
    if (left != right) comparison.side = left ? Comparison::Side::kRight : Comparison::Side::kLeft;
    if (comparison.sentence == "check.solutions") NameMistake(before.line, after.line, comparison);
    return comparison;
  }

  Catalogue::Slots Describe(const Action& action, const Line& before, const Line& after, Script script,
                            bool results) const override {
    // refl names nothing; what is done to both sides has an operand and no position.
    if (action.operands.empty()) return {};
    if (!action.position) return {{"term", Shown(script, action.operands.front())}};
    return TermAndResult(action, before, after, script, results);
  }

  std::string_view Example() const override { return "2x + 3 = 7"; }
  bool HasUnknowns() const override { return true; }

 private:
  static const SolutionSet& SolutionsOf(const Problem& problem) { return static_cast<const Equation&>(problem).solutions; }
  static SolutionSet SolutionsOf(const Line& line) {
    if (line.term) return SolveExactly(*line.term);
    SolutionSet set;
    set.kind = SolutionSet::Kind::kNotAnalysed;
    return set;
  }
  static bool HaveTwoUnknowns(const SolutionSet& a, const SolutionSet& b) {
    return a.unknown != 0 && b.unknown != 0 && a.unknown != b.unknown;
  }
};

}  // namespace

const Subject& EquationsSubject() {
  static const Equations subject;
  return subject;
}

}  // namespace conpole
