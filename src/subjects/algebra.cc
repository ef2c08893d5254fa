// algebra: equations in one unknown, and numbers to be worked out, in the steps of a person. What a line means is known exactly
// (verify/algebra_meaning.h) before any search, so there is an answer even where no steps are found.
#include "domains/school/algebra.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/algebra_text.h"
#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "explain/algebra_comparison.h"
#include "explain/algebra_description.h"
#include "explain/derivation/algebra_derivation.h"
#include "explain/exercise_comparison.h"
#include "notation/algebra_notation.h"
#include "notation/learner_notation.h"
#include "notation/line_words.h"
#include "notation/reading.h"
#include "notation/textbook_line.h"
#include "notation/textbook_notation.h"
#include "subjects/algebra_progress.h"
#include "subjects/exercise_progress.h"
#include "subjects/subjects.h"
#include "util/text.h"
#include "verify/algebra_meaning.h"
#include "verify/exercise_meaning.h"

namespace conpole {
namespace {

struct AlgebraProblem final : Problem {
  using Problem::Problem;
  AlgebraMeaning meaning;
};

// A number as the domain reads it: as a decimal if the problem has decimals and no fractions, and the decimal is not endless.
std::string TextOf(const Exact& number, bool decimals) {
  if (!decimals || denominator(number) == 1) return number.str();
  Integer below = denominator(number);
  std::size_t places = 0;
  Integer above = numerator(number);
  constexpr std::size_t kMaxPlaces = 12;
  while (below != 1 && places < kMaxPlaces) {
    const Integer common = gcd(below, Integer(10));
    if (common == 1) return number.str();
    above *= 10 / common;
    below /= common;
    ++places;
  }
  if (below != 1) return number.str();
  return DecimalText(above, places);
}

// The real roots of a polynomial without rational ones that is a(x - s)^n + c, as every one of degree 2 is, as the domain reads
// them. None if it is of another form.
std::vector<std::string> RootTexts(const Polynomial& p) {
  const std::size_t degree = Degree(p);
  const Exact shift(-p[degree - 1], p[degree] * degree);
  // (x - s)^n, from the highest power down to the linear term.
  Exact coefficient(p[degree]);
  for (std::size_t i = degree; i-- > 1;) {
    coefficient *= -shift * (i + 1) / (degree - i);
    if (coefficient != Exact(p[i])) return {};
  }
  coefficient *= -shift / degree;
  // (x - s)^n = power
  const Exact power = (coefficient - Exact(p[0])) / Exact(p[degree]);
  const Integer below = denominator(power);
  Integer radicand = abs(numerator(power));
  for (std::size_t i = 1; i < degree; ++i) radicand *= below;
  std::vector<std::string> texts;
  for (const char sign : {'-', '+'}) {
    if (degree % 2 == 1 && (sign == '-') != (power < 0)) continue;
    texts.push_back(fmt::format("({})/({}) {} root({}, {})/({})", numerator(shift).str(), denominator(shift).str(), sign,
                                degree, radicand.str(), below.str()));
  }
  return texts;
}

std::vector<std::string> TextsOf(const std::vector<Exact>& numbers, bool decimals) {
  std::vector<std::string> texts;
  for (const Exact& number : numbers) texts.push_back(TextOf(number, decimals));
  return texts;
}

bool WritesDecimals(std::string_view state) {
  return state.find('.') != std::string_view::npos && state.find('/') == std::string_view::npos;
}

// The equations of a state, without its conditions.
std::vector<std::string> EquationsOf(std::string_view state) {
  const std::vector<std::string_view> equations = Split(state.substr(0, state.find(';')), " or ");
  return {equations.begin(), equations.end()};
}

// The answers that the roots are; nothing if they cannot be written.
std::string AnswerOf(const Domain& domain, const SolutionSet& set, bool decimals) {
  std::vector<std::string> roots = TextsOf(set.roots.rational, decimals);
  if (set.roots.irrational > 0) {
    std::vector<std::string> irrational = RootTexts(set.roots.rest);
    if (irrational.size() != set.roots.irrational) return {};
    std::move(irrational.begin(), irrational.end(), std::back_inserter(roots));
  }
  const auto as_answer = [&](const std::string& root) { return fmt::format("{} = {}", set.unknown, root); };
  const Parsed parsed = domain.Parse(Join(roots, " or ", as_answer));
  return parsed.error ? std::string() : parsed.state;
}

// Roots that no line of algebra can write, those of x^4 - 10x^2 + 1 = 0, as lines of an exercise, which have roots of any term.
struct WrittenRoots {
  std::string exercise;
  std::string answer;
};
// Nothing if there is no need of them, or if these lines do not lead to the solutions either.
std::optional<WrittenRoots> RootsOfTerms(const Domain& domain, const std::string& state, const AlgebraMeaning& meaning) {
  const SolutionSet& set = meaning.solutions;
  if (meaning.kind != AlgebraMeaning::Kind::kSolutions || meaning.half || set.kind != SolutionSet::Kind::kRoots) return {};
  if (set.roots.irrational == 0 || !AnswerOf(domain, set, false).empty()) return {};
  const Parsed parsed = domain.Parse(fmt::format("solve {}: {}", set.unknown, state));
  if (parsed.error) return {};
  constexpr int kMaxLines = 40;
  std::string line = parsed.state;
  for (int lines = 0; lines < kMaxLines; ++lines) {
    textbook::Following next = textbook::FollowingLine(line);
    if (next.refusal) return {};
    if (next.state.empty()) {
      if (!SameExercise(parsed.state, line).value_or(false)) return {};
      return WrittenRoots{parsed.state, WriteTextbookPlain(line)};
    }
    line = std::move(next.state);
  }
  return {};
}

// What is known before a search. Steps are searched for in any case.
Analysis AnalysisOf(const Domain& domain, std::string_view state, const AlgebraMeaning& meaning) {
  Analysis analysis;
  const bool decimals = WritesDecimals(state);
  if (meaning.kind == AlgebraMeaning::Kind::kNotKnown || meaning.half) return analysis;
  if (meaning.kind == AlgebraMeaning::Kind::kValue) {
    analysis.status = SolveStatus::kSolved;
    analysis.answer = TextOf(meaning.value, decimals);
  } else {
    const SolutionSet& set = meaning.solutions;
    if (set.unknown == 0 && state.find('=') != std::string_view::npos) {
      return AnalysisOfStatement(set.kind == SolutionSet::Kind::kEvery);
    }
    switch (set.kind) {
      case SolutionSet::Kind::kNone:
        analysis.status = SolveStatus::kNoSolution;
        break;
      case SolutionSet::Kind::kEvery:
        analysis.status = SolveStatus::kEveryNumber;
        analysis.exceptions = TextsOf(set.exceptions.rational, decimals);
        analysis.irrational_exceptions = set.exceptions.irrational;
        if (analysis.exceptions.empty() && analysis.irrational_exceptions == 0) {
          analysis.sentence = "status.all_numbers";
          return analysis;
        }
        if (analysis.irrational_exceptions == 0) analysis.slots["exceptions"] = Join(analysis.exceptions);
        break;
      case SolutionSet::Kind::kRoots:
        analysis.status = set.count() == 1 ? SolveStatus::kSolved : SolveStatus::kSeveralSolutions;
        analysis.answer = AnswerOf(domain, set, decimals);
        analysis.slots["roots"] = analysis.answer;
        if (!analysis.answer.empty()) break;
        analysis.slots.clear();
        CountSolutions(set, TextsOf(set.roots.rational, decimals), analysis);
        if (set.count() > 1) break;
        // One root that cannot be written is no answer, but as a decimal.
        if (!analysis.slots.contains("decimals")) analysis.status = SolveStatus::kUnsolved;
        if (set.roots.irrational > 0) analysis.sentence = "status.irrational";
        return analysis;
      case SolutionSet::Kind::kCannotTell:
      case SolutionSet::Kind::kNotAnalysed:
        return analysis;
    }
  }
  const bool is_result = meaning.kind == AlgebraMeaning::Kind::kValue;
  if (!analysis.answer.empty()) analysis.slots[is_result ? "result" : "answer"] = analysis.answer;
  analysis.sentence = fmt::format("status.{}", NameOf(analysis.status));
  return analysis;
}

// To four places, or to four digits; nothing if that many are not certain.
std::optional<std::string> Rounded(double number) {
  constexpr double kLeast = 1e-4;
  constexpr double kGreatest = 1e9;
  constexpr double kError = 1e-12;
  if (!(std::abs(number) >= kLeast && std::abs(number) < kGreatest)) return std::nullopt;
  const int places = std::abs(number) < 0.1 ? 6 : 4;
  std::string text = fmt::format("{:.{}f}", number * (1 - kError), places);
  if (text != fmt::format("{:.{}f}", number * (1 + kError), places)) return std::nullopt;
  return text;
}

// See Subject::DecimalsOf.
std::string RoundedAnswer(const std::string& answer) {
  const std::string_view separator = answer.find("; ") == std::string::npos ? " or " : "; ";
  std::string text;
  bool rounded = false;
  try {
    for (const std::string& part : textbook::SplitAt(answer, separator)) {
      const std::vector<std::string> sides = textbook::SplitAt(part, "=");
      if (sides.size() > 2 || (sides.size() == 2 && sides[0].size() != 1)) return {};
      const textbook::Ptr number = textbook::ReadTree(sides.back());
      if (!textbook::LettersOf(number).empty()) return {};
      std::string shown;
      std::string_view sign = "=";
      if (const std::optional<Exact> value = textbook::RationalOf(textbook::ValueOf(number))) {
        shown = value->str();
      } else if (std::optional<std::string> decimal = Rounded(textbook::Approximate(number, {}))) {
        shown = std::move(*decimal);
        sign = "≈";
        rounded = true;
      } else {
        return {};
      }
      if (!text.empty()) text += separator;
      if (sides.size() == 2) text += sides[0] + ' ';
      text += fmt::format("{} {}", sign, shown);
    }
  } catch (const textbook::Refusal&) {
    return {};
  }
  return rounded ? text : std::string();
}

struct Fraction {
  Integer above;
  Integer below;
};

using Node = algebra::Node;
using AlgebraKind = algebra::Kind;

std::optional<Fraction> FractionOf(const Node& node) {
  if (node.Is(AlgebraKind::kNumber)) return Fraction{node.value, 1};
  if (node.Is(AlgebraKind::kNegation)) {
    std::optional<Fraction> inside = FractionOf(node.children[0]);
    if (inside) inside->above = -inside->above;
    return inside;
  }
  if (!node.Is(AlgebraKind::kQuotient)) return std::nullopt;
  std::optional<Fraction> above = FractionOf(node.children[0]);
  const std::optional<Fraction> below = FractionOf(node.children[1]);
  if (!above || !below || above->below != 1 || below->below != 1 || below->above == 0) return std::nullopt;
  if (below->above < 0) return Fraction{-above->above, -below->above};
  return Fraction{above->above, below->above};
}

std::vector<Fraction> OperandsOf(std::string_view term) {
  const algebra::ReadResult read = algebra::Read(term);
  std::vector<Fraction> operands;
  if (read.error || read.state.form != algebra::State::Form::kExpression) return operands;
  for (const Node& child : read.state.expression.children) {
    const std::optional<Fraction> fraction = FractionOf(child);
    if (!fraction) return {};
    operands.push_back(*fraction);
  }
  return operands;
}

class Algebra final : public Subject {
 public:
  Algebra() : Subject(&AlgebraType()) {}

  NotationResult Read(const Domain& domain, std::string_view current, std::string_view text) const override {
    if (textbook::IsExercise(current)) return ReadExerciseLine(domain, current, text);
    if (!current.empty()) return ReadNextLine(domain, current, text);
    const std::size_t without_remark = WithoutRemark(text).size();
    if (without_remark < text.size()) {
      return Unreadable(without_remark,
                        "what is done to both sides is understood only in a solution that is checked; leave it out");
    }
    return ReadAlgebraNotation(domain, text);
  }
  std::vector<std::string> SplitLines(std::string_view current, std::string_view text) const override {
    return textbook::IsExercise(current) ? SplitExerciseLines(current, text) : SplitLearnerLines(current, text);
  }
  std::string Write(Script script, const Line& line) const override {
    if (textbook::IsExercise(line.state)) {
      return script == Script::kPlain ? WriteTextbookPlain(line.state) : LatexOf(DrawExercise(line.state));
    }
    return script == Script::kPlain ? line.state : WriteAlgebraLatex(line.state);
  }
  std::string WriteReading(const Line& line) const override {
    return textbook::IsExercise(line.state) ? WriteTextbookReading(line.state) : Write(Script::kPlain, line);
  }
  std::string AnswerOf(std::string_view state) const override {
    return std::string(textbook::IsExercise(state) ? state.substr(state.find(": ") + 2) : state);
  }
  std::string DecimalsOf(std::string_view state) const override { return RoundedAnswer(AnswerOf(state)); }
  std::optional<NotationResult> ReadWords(const Domain& domain, std::string_view text) const override {
    return ReadTextbookNotation(domain, text);
  }
  std::optional<NotationResult> ReadToCheck(const Domain& domain, std::string_view text) const override {
    return ReadOpenRelation(domain, text);
  }
  Formula MakeFormula(const Line& line) const override {
    return textbook::IsExercise(line.state) ? DrawExercise(line.state) : DrawAlgebra(line.state);
  }
  // Of equations that a balance can show, and of lines of numbers, if there is a fraction or if it is the last one.
  std::optional<Picture> MakePicture(const Line& line) const override {
    const Formula formula = MakeFormula(line);
    if (const std::optional<BalancePicture> balance = BalanceOf(formula)) return *balance;
    const bool has_fraction = std::any_of(formula.begin(), formula.end(),
                                          [](const FormulaNode& node) { return node.kind == FormulaNode::Kind::kFraction; });
    return has_fraction || formula.size() == 1 ? FractionsOf(formula) : std::nullopt;
  }
  std::string Localise(std::string_view language, Script script, std::string text) const override {
    return LocaliseLine(language, script, std::move(text));
  }
  std::size_t AlignmentOf(std::string_view latex) const override {
    const std::size_t sign = latex.find('=');
    return sign == std::string_view::npos ? 0 : sign;
  }

  std::unique_ptr<Problem> Analyse(const Domain& domain, Line line) const override {
    auto problem = std::make_unique<AlgebraProblem>(std::move(line));
    if (textbook::IsExercise(problem->line.state)) return problem;
    problem->meaning = ReadAlgebra(problem->line.state);
    Analysis& analysis = problem->analysis;
    analysis = AnalysisOf(domain, problem->line.state, problem->meaning);
    if (std::optional<WrittenRoots> roots = RootsOfTerms(domain, problem->line.state, problem->meaning)) {
      problem->start = std::move(roots->exercise);
      analysis.status = problem->meaning.solutions.count() == 1 ? SolveStatus::kSolved : SolveStatus::kSeveralSolutions;
      analysis.sentence = fmt::format("status.{}", NameOf(analysis.status));
      analysis.slots = {{"roots", roots->answer}, {"answer", roots->answer}};
      analysis.answer = std::move(roots->answer);
    }
    return problem;
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    // An answer to an exercise that cannot be confirmed is not given.
    if (textbook::IsExercise(problem.line.state) || textbook::IsExercise(answer.state)) {
      if (problem.start == answer.state) return Verdict::kRight;
      return SameExercise(problem.start, answer.state).value_or(false) ? Verdict::kRight : Verdict::kWrong;
    }
    const std::optional<bool> same = SameMeaning(MeaningOf(problem), ReadAlgebra(answer.state));
    if (!same) return problem.line.state == answer.state ? Verdict::kRight : Verdict::kCannotTell;
    return *same ? Verdict::kRight : Verdict::kWrong;
  }

  // Every line means what the one before it means.
  bool StepsArePossible(std::span<const std::string> path) const override {
    std::optional<AlgebraMeaning> before;
    if (!path.empty() && textbook::IsExercise(path.front())) {
      for (std::size_t i = 1; i < path.size(); ++i) {
        if (!SameExercise(path[i - 1], path[i]).value_or(true)) return false;
      }
      return true;
    }
    for (const std::string& state : path) {
      AlgebraMeaning after = ReadAlgebra(state);
      if (before && !SameMeaning(*before, after).value_or(true)) return false;
      before = std::move(after);
    }
    return true;
  }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    if (before.line.state == after.line.state) return Comparison::Same();
    if (textbook::IsExercise(before.line.state)) {
      return CompareExercises(before.line.state, after.line.state);
    }
    return CompareAlgebra({before.line.state, MeaningOf(before)}, {after.line.state, MeaningOf(after)});
  }

  std::string AnswerFrom(const Problem& problem) const override {
    const std::string& state = problem.line.state;
    return textbook::IsExercise(state) ? AnswerOf(AnswerToExercise(state)) : problem.analysis.answer;
  }
  Advance FindAdvance(const Problem& before, const Problem& after) const override {
    const bool exercise = textbook::IsExercise(before.line.state);
    return (exercise ? FindExerciseAdvance : FindAlgebraAdvance)(before.line.state, after.line.state);
  }

  LineJudgement Judge(const Domain&, const Line& before, const Line& after) const override {
    if (before.state == after.state) return {true, true};
    if (textbook::IsExercise(before.state)) return {JudgeExerciseLine(before.state, after.state), true};
    const std::optional<bool> same = SameMeaning(ReadAlgebra(before.state), ReadAlgebra(after.state));
    return {same, !same.value_or(false) || FollowsSideBySide(before.state, after.state)};
  }

  std::optional<std::string> MakeCoincidence(const Domain& domain, const Line& line, Random& random) const override {
    if (textbook::IsExercise(line.state)) return std::nullopt;
    return LineWithSolution(domain, *this, line, ReadAlgebra(line.state).solutions, random);
  }

  std::vector<MadeMistake> MakeMistakes(const Domain&, const Line& line, std::size_t count, Random& random) const override {
    return conpole::MakeMistakes(line.state, count, random);
  }

  std::optional<LearnerOperation> FindOperation(const Problem& before, const Problem& after) const override {
    if (textbook::IsExercise(before.line.state)) return std::nullopt;
    return conpole::FindOperation(before.line.state, after.line.state);
  }

  Catalogue::Slots Describe(const Action& action, const Line& before, const Line& after, Script script,
                            bool results) const override {
    Catalogue::Slots slots;
    if (textbook::IsExercise(before.state)) {
      if (!action.operands.empty()) slots["term"] = Math(script, action.operands.front());
      return slots;
    }
    const auto show = [&](const std::string& text) { return Shown(script, text); };
    const auto put = [&](const char* name, const std::string& text) { slots[name] = show(text); };
    const std::string operand = action.operands.empty() ? std::string() : action.operands.front();
    const std::string& axiom = action.axiom;
    if (axiom == "collect") {
      DescribeSides(operand, before, after, script, results, slots);
    } else if (axiom == "factor") {
      DescribeSides("left", before, after, script, results, slots);
    } else if (axiom == "root") {
      DescribeRoot(operand, FirstOpenEquation(before.state), show, slots);
    } else if (axiom == "formula") {
      DescribeFormula(SidesOf(before).first, show, slots);
    } else if (axiom == "conclude") {
      if (!after.state.starts_with(kEveryNumber)) put("equation", FirstOpenEquation(before.state));
    } else if (axiom == "settle") {
      DescribeSettling(before, after, script, slots);
    } else if (operand != kAll && !operand.empty()) {
      put("term", operand);
      DescribeOperand(axiom, operand, script, results, slots);
      if (axiom == "expand") DescribeBrackets(operand, show, slots);
      if (axiom == "invert") DescribeReciprocal(operand, show, slots);
    } else if (operand == kAll && results) {
      DescribeAllPlaces(axiom, before.state, show, slots);
    }
    const std::string condition = NewConditions(before, after);
    if (!condition.empty()) slots["condition"] = ShownConditions(script, condition);
    return slots;
  }

  std::vector<std::string> Reasons(const Action& action, const Line& before, const Line& after, Script script,
                                   std::string_view language) const override {
    if (textbook::IsExercise(before.state)) return {};
    const auto show = [&](const std::string& text) {
      return text.empty() ? text : Localise(language, script, Shown(script, text));
    };
    return AlgebraReasons(action, before.state, after.state, show, language);
  }

  std::vector<Derivation> Derive(std::span<const std::string> path, std::span<const std::string> labels) const override {
    return OpenAlgebraSteps(path, labels);
  }

  // Equations, and all numbers that nothing else claims.
  Clue Guess(const Clues& clues) const override {
    return clues.HasSign("=") || clues.Has(Token::Kind::kRelation) ? Clue::kRelation : Clue::kNothingElse;
  }
  std::string_view Example() const override { return "3(x - 2) = x + 4"; }
  std::string HintName(const Action& action, const Line& before, const Line& after) const override {
    return AlgebraHint(action, before.state, after.state);
  }

  std::string ExerciseSpec(const std::string& domain, std::uint64_t least, std::uint64_t) const override {
    // Only long chains need kMany steps.
    constexpr std::uint64_t kMany = 7;
    return least >= kMany && domain == type()->name ? domain + ":family=fraction-chains" : domain;
  }
  bool HasUnknowns() const override { return true; }

 private:
  static constexpr std::string_view kAll = "all";
  static constexpr std::string_view kEveryNumber = "every number";

  static const AlgebraMeaning& MeaningOf(const Problem& problem) { return static_cast<const AlgebraProblem&>(problem).meaning; }

  static std::string Shown(Script script, const std::string& part) {
    if (script == Script::kPlain) return part;
    if (part.find("sqrt(") != std::string::npos) return Math(script, LatexOf(DrawExercise("simplify: " + part)));
    // A term with the unknown is no state, so it is written as one side of an equation.
    if (algebra::Read(part).error) {
      std::string equation = WriteAlgebraLatex(part + " = 0");
      constexpr std::string_view kRest = " = 0";
      if (equation.ends_with(kRest)) equation.resize(equation.size() - kRest.size());
      return Math(script, equation);
    }
    return Math(script, WriteAlgebraLatex(part));
  }

  static std::string ShownConditions(Script script, const std::string& conditions) {
    return Math(script, script == Script::kLatex ? Replaced(conditions, "!=", "\\neq") : conditions);
  }

  // The one that steps work on: the first that is no answer yet.
  static std::string FirstOpenEquation(std::string_view state) {
    const std::vector<std::string> equations = EquationsOf(state);
    for (const std::string& equation : equations) {
      const algebra::ReadResult read = algebra::Read(equation);
      if (!read.error && !algebra::IsSolved(read.state)) return equation;
    }
    return equations.front();
  }
  static std::pair<std::string, std::string> SidesOf(const std::string& equation) {
    constexpr std::string_view kSign = " = ";
    const std::size_t sign = equation.find(kSign);
    if (sign == std::string::npos) return {equation, {}};
    return {equation.substr(0, sign), equation.substr(sign + kSign.size())};
  }
  static std::pair<std::string, std::string> SidesOf(const Line& line) { return SidesOf(FirstOpenEquation(line.state)); }

  // {left} and {right} as they were and, if they are known to be equal, as they are now. `which` is left, right or both.
  static void DescribeSides(std::string_view which, const Line& before, const Line& after, Script script, bool results,
                            Catalogue::Slots& slots) {
    // The equation that was worked on has the same place after the step.
    const std::vector<std::string> old_equations = EquationsOf(before.state);
    const std::vector<std::string> new_equations = EquationsOf(after.state);
    const std::string worked_on = FirstOpenEquation(before.state);
    const auto place =
        static_cast<std::size_t>(std::find(old_equations.begin(), old_equations.end(), worked_on) - old_equations.begin());
    const auto old_sides = SidesOf(worked_on);
    const auto new_sides = place < new_equations.size() ? SidesOf(new_equations[place]) : std::pair<std::string, std::string>();
    const auto describe = [&](const char* name, const char* result, const std::string& was, const std::string& is) {
      slots[name] = Shown(script, was);
      const std::optional<Expression> a = ReadAlgebraTerm(was);
      const std::optional<Expression> b = ReadAlgebraTerm(is);
      if (results && a && b && SameFunction(*a, *b).value_or(false)) slots[result] = Shown(script, is);
    };
    if (which != "right") describe("left", "left_result", old_sides.first, new_sides.first);
    if (which != "left") describe("right", "right_result", old_sides.second, new_sides.second);
  }

  // {result}, what becomes of an expression of numbers, and {denominator} of those that get a common one.
  static void DescribeOperand(std::string_view axiom, const std::string& operand, Script script, bool results,
                              Catalogue::Slots& slots) {
    const std::vector<Fraction> operands = OperandsOf(operand);
    if (axiom == "common") {
      Integer common = 1;
      for (const Fraction& fraction : operands) common = lcm(common, fraction.below);
      if (!operands.empty()) slots["denominator"] = Math(script, common.str());
      return;
    }
    if (!results || axiom == "invert") return;
    const std::optional<Expression> term = ReadAlgebraTerm(operand);
    const std::optional<Exact> value = term && !HasUnknown(*term) ? EvaluateTerm(*term, 0) : std::nullopt;
    if (!value) return;
    std::string result = TextOf(*value, operand.find('.') != std::string::npos && axiom == "evaluate");
    // As it stands before it is reduced, if that is what the step leads to.
    if (const std::optional<std::string> made = ResultOfNumberStep(axiom, operand)) result = *made;
    if (axiom == "product") {
      Fraction product{1, 1};
      for (const Fraction& fraction : operands) product = {product.above * fraction.above, product.below * fraction.below};
      const Integer common = gcd(product.above, product.below);
      if (common != 1 && product.above != 0) slots["common"] = Math(script, common.str());
    }
    slots["result"] = Shown(script, result);
  }
  static bool HasUnknown(const Expression& term) {
    return std::any_of(term.begin(), term.end(),
                       [](const ExpressionNode& node) { return node.kind == ExpressionNode::Kind::kUnknown; });
  }

  // {excluded}, the answers that are left out because they break conditions, {broken}, or {same}, those that were written
  // twice, or else the condition or conditions, {met} or {all_met}.
  static void DescribeSettling(const Line& before, const Line& after, Script script, Catalogue::Slots& slots) {
    const std::vector<std::string> kept = EquationsOf(after.state);
    std::vector<std::string> excluded;
    std::vector<std::string> same;
    std::vector<std::string> seen;
    for (const std::string& equation : EquationsOf(before.state)) {
      if (std::find(kept.begin(), kept.end(), equation) == kept.end()) {
        excluded.push_back(Shown(script, equation));
      } else if (std::find(seen.begin(), seen.end(), equation) != seen.end()) {
        same.push_back(Shown(script, equation));
      }
      seen.push_back(equation);
    }
    const std::vector<std::string> conditions = ConditionsOf(before.state);
    if (!excluded.empty()) {
      slots["excluded"] = Join(excluded);
      slots["broken"] = ShownConditions(script, Join(conditions));
    } else if (!same.empty()) {
      slots["same"] = Join(same);
    } else {
      slots[conditions.size() == 1 ? "met" : "all_met"] = ShownConditions(script, Join(conditions));
    }
  }

  // 6/sqrt(5) as 6 * sqrt(5)/5: answers are written without a root below the line. Nothing if there is none.
  static std::optional<std::string> WithRootAbove(std::string_view text) {
    std::string result(text);
    bool found = false;
    for (const std::string_view root : {"/sqrt(", "/√(", "/√"}) {
      for (std::size_t at = result.find(root); at != std::string::npos; at = result.find(root, at + root.size())) {
        const std::size_t begin = at + root.size();
        std::size_t end = begin;
        while (end < result.size() && IsDigit(result[end])) ++end;
        const bool closes = root.ends_with('(');
        if (end == begin || (closes && (end == result.size() || result[end] != ')'))) continue;
        const std::string number = result.substr(begin, end - begin);
        result.replace(at, end + (closes ? 1 : 0) - at, fmt::format("*sqrt({0})/{0}", number));
        found = true;
      }
    }
    return found ? std::optional(std::move(result)) : std::nullopt;
  }

  // A line after another one: as people write it, with what everybody understands.
  static NotationResult ReadNextLine(const Domain& domain, std::string_view current, std::string_view text) {
    if (const std::optional<std::string> bracketed = WithDivisorInBrackets(text)) {
      NotationResult read = ReadLearnerLine(domain, current, *bracketed);
      if (!read.error) return read;
    }
    NotationResult read = ReadLearnerLine(domain, current, text);
    if (read.error) {
      if (const std::optional<std::string> rewritten = WithRootAbove(text)) {
        NotationResult above = ReadLearnerLine(domain, current, *rewritten);
        if (!above.error) read = std::move(above);
      }
    }
    const algebra::ReadResult before = algebra::Read(current);
    if (read.error || before.error || before.state.form != algebra::State::Form::kEquations || before.state.unknown == 0)
      return read;
    // A comma is a decimal sign, unless the numbers beside it are the answer.
    if (const std::size_t comma = text.find(','); comma != std::string_view::npos) {
      std::string separated(text);
      NotationResult several = ReadLearnerLine(domain, current, separated.insert(comma + 1, 1, ' '));
      if (!several.error && SameMeaning(ReadAlgebra(current), ReadAlgebra(several.state)).value_or(false)) return several;
    }
    // A number alone after an equation is what the unknown is.
    const algebra::ReadResult line = algebra::Read(read.state);
    if (line.error || line.state.form != algebra::State::Form::kExpression) return read;
    const Parsed parsed = domain.Parse(fmt::format("{} = {}", before.state.unknown, read.state));
    if (!parsed.error) read.state = parsed.state;
    return read;
  }

  // 6x/3x = 12/3x is meant as 6x/(3x) = 12/(3x): both sides were divided by the same.
  static std::optional<std::string> WithDivisorInBrackets(std::string_view text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string_view::npos || text.find('=', sign + 1) != std::string_view::npos) return std::nullopt;
    const auto without_blanks_at_end = [](std::string_view side) { return side.substr(0, side.find_last_not_of(' ') + 1); };
    const std::string_view left = without_blanks_at_end(text.substr(0, sign));
    const std::string_view right = without_blanks_at_end(text.substr(sign + 1));
    const auto divisor = [](std::string_view side) {
      const std::size_t line = side.rfind('/');
      return line == std::string_view::npos ? std::string_view() : side.substr(line + 1);
    };
    const std::string_view by = divisor(left);
    if (by.size() < 2 || by != divisor(right) || !IsLetter(by.back())) return std::nullopt;
    const auto is_number = [](char c) { return IsDigit(c) || c == '.' || c == '-'; };
    if (!std::all_of(by.begin(), by.end() - 1, is_number)) return std::nullopt;
    return fmt::format("{}({})={}({})", left.substr(0, left.size() - by.size()), by, right.substr(0, right.size() - by.size()),
                       by);
  }

  static std::vector<std::string> ConditionsOf(std::string_view state) {
    const std::size_t begin = state.find("; ");
    if (begin == std::string_view::npos) return {};
    const std::vector<std::string_view> conditions = Split(state.substr(begin + 2), ", ");
    return {conditions.begin(), conditions.end()};
  }
  static std::string NewConditions(const Line& before, const Line& after) {
    const std::vector<std::string> old_ones = ConditionsOf(before.state);
    std::vector<std::string> fresh;
    for (std::string& condition : ConditionsOf(after.state)) {
      if (std::find(old_ones.begin(), old_ones.end(), condition) == old_ones.end()) fresh.push_back(std::move(condition));
    }
    return Join(fresh);
  }
};

}  // namespace

const Subject& AlgebraSubject() {
  static const Algebra subject;
  return subject;
}

}  // namespace conpole
