#include "explain/algebra_comparison.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domains/school/algebra_text.h"
#include "explain/algebra_operation.h"
#include "explain/counterexample.h"
#include "explain/mistakes.h"
#include "util/text.h"

namespace conpole {
namespace {

using algebra::Kind;
using algebra::Polynomial;
using algebra::State;

// Where the line is not defined, or says itself that it does not hold.
std::vector<Polynomial> ExclusionsOf(const State& state) {
  std::vector<Polynomial> exclusions = state.conditions;
  for (const algebra::Equation& equation : state.equations) {
    if (algebra::Contains(equation.right, Kind::kRoot)) continue;
    algebra::CollectExclusions(equation.left, exclusions);
    algebra::CollectExclusions(equation.right, exclusions);
  }
  return exclusions;
}

// The second line with what the first one excludes as conditions, if it means the same then.
std::optional<Comparison> WithCondition(const AlgebraLine& before, const AlgebraLine& after) {
  const algebra::ReadResult old_line = algebra::Read(before.state);
  algebra::ReadResult new_line = algebra::Read(after.state);
  if (old_line.error || new_line.error || new_line.state.form == State::Form::kNoSolution) return std::nullopt;
  State& state = new_line.state;
  if (state.unknown == 0) state.unknown = old_line.state.unknown;
  const std::vector<Polynomial> known = ExclusionsOf(state);
  std::vector<std::string> conditions;
  for (const Polynomial& exclusion : ExclusionsOf(old_line.state)) {
    if (std::find(known.begin(), known.end(), exclusion) != known.end()) continue;
    const std::string text = algebra::ConditionText(exclusion, state.unknown);
    if (std::find(conditions.begin(), conditions.end(), text) == conditions.end()) conditions.push_back(text);
    algebra::AddCondition(exclusion, state.conditions);
  }
  if (conditions.empty()) return std::nullopt;
  std::string text = algebra::TextOf(state);
  if (!SameMeaning(before.meaning, ReadAlgebra(text)).value_or(false)) return std::nullopt;
  Comparison comparison = Comparison::Different("check.extra_solutions", {{"condition", Join(conditions)}});
  comparison.caution = "check.needs_condition";
  comparison.with_condition = std::move(text);
  return comparison;
}

// Whether zero is the only rational solution that is missing.
bool LacksZero(const SolutionSet& before, const SolutionSet& after) {
  const auto has_zero = [](const SolutionSet& set) {
    const std::vector<Exact>& roots = set.roots.rational;
    return std::find(roots.begin(), roots.end(), Exact(0)) != roots.end();
  };
  return before.kind == SolutionSet::Kind::kRoots && has_zero(before) && !has_zero(after) &&
         before.count() == after.count() + 1;
}

bool IsPower(std::string_view line) {
  const algebra::ReadResult read = algebra::Read(line);
  const algebra::Equation* const equation = read.OnlyEquation();
  const auto is_power = [](const algebra::Node& side) { return side.Is(Kind::kPower) && side.exponent % 2 == 0; };
  return equation != nullptr && (is_power(equation->left) || is_power(equation->right));
}

// Of a line that has some of the solutions of the line before, but not all.
Comparison MissingSolutions(const AlgebraLine& before, const AlgebraLine& after) {
  if (LacksZero(before.meaning.solutions, after.meaning.solutions)) {
    return Comparison::Different("check.divided_by_unknown", {{"unknown", std::string(1, before.meaning.solutions.unknown)}});
  }
  return Comparison::Different(IsPower(before.state) ? "check.missing_root" : "check.missing_solutions");
}

void NameMistake(const AlgebraLine& before, const AlgebraLine& after, Comparison& comparison) {
  if (std::optional<Mistake> mistake = FindMistake(before.state, after.state)) Name(std::move(*mistake), comparison);
}

// Whether a solution is less than one in the last place of a decimal away: the sides change their order there.
bool IsRoundedSolution(const algebra::Equation& equation, const algebra::Node& answer) {
  const algebra::Node& size = algebra::WithoutSign(answer);
  if (!size.Is(Kind::kDecimal)) return false;
  const std::optional<algebra::NormalForm> left = algebra::FormOf(equation.left);
  const std::optional<algebra::NormalForm> right = algebra::FormOf(equation.right);
  const auto value = algebra::NumberValue(answer);
  if (!left || !right || !value || !left->IsPolynomial() || !right->IsPolynomial()) return false;
  const Polynomial difference = algebra::Add(left->numerator, algebra::Scale(right->numerator, -1));
  const algebra::Exact place = algebra::Exact(1) / boost::multiprecision::pow(algebra::Integer(10), size.exponent);
  return algebra::ValueAt(difference, *value - place) * algebra::ValueAt(difference, *value + place) < 0;
}

// Whether the second line is a rounded answer to the first one.
bool IsRounded(const AlgebraLine& before, const AlgebraLine& after, Catalogue::Slots& slots) {
  const algebra::ReadResult old_line = algebra::Read(before.state);
  const algebra::ReadResult new_line = algebra::Read(after.state);
  const algebra::Equation* const equation = old_line.OnlyEquation();
  const algebra::Equation* const line = new_line.OnlyEquation();
  if (equation == nullptr || line == nullptr || algebra::Contains(*equation, Kind::kRoot)) return false;
  const bool is_left = line->left.Is(Kind::kUnknown);
  const algebra::Node& answer = is_left ? line->right : line->left;
  if (!(is_left ? line->left : line->right).Is(Kind::kUnknown)) return false;
  slots["is"] = algebra::TextOf(answer, 'x');
  return IsRoundedSolution(*equation, answer);
}

// Shows with numbers that the second line is wrong, where the comparison says nothing better.
void PutIn(const AlgebraLine& before, const AlgebraLine& after, Comparison& comparison) {
  // What was worked out on the way to an answer may not have been written.
  const algebra::ReadResult read = algebra::Read(after.state);
  const auto is_value = [](const algebra::Equation& equation) {
    const auto is_between = [](const algebra::Node& letter, const algebra::Node& number) {
      return letter.Is(Kind::kUnknown) && !algebra::HasUnknown(number);
    };
    return is_between(equation.left, equation.right) || is_between(equation.right, equation.left);
  };
  const bool is_answer = !read.error && read.state.form == State::Form::kEquations &&
                         std::all_of(read.state.equations.begin(), read.state.equations.end(), is_value);
  const bool is_slip = comparison.mistake.ends_with("_slip") || comparison.mistake == "digit_off";
  Catalogue::Slots slots;
  if (is_answer && (is_slip || comparison.mistake.empty()) && IsRounded(before, after, slots))
    return Name(Mistake{"rounded", std::move(slots)}, comparison);
  if (is_answer && comparison.mistake.ends_with("_slip")) {
    comparison.mistake.clear();
    comparison.sentence = "check.solutions";
  }
  std::vector<std::pair<std::string, std::string>> roots;
  const SolutionSet& solutions = after.meaning.solutions;
  if (solutions.kind == SolutionSet::Kind::kRoots) {
    for (const Exact& root : solutions.roots.rational) roots.emplace_back(std::string(1, solutions.unknown), root.str());
  }
  AddCounterexample(before.state, after.state, roots, comparison);
}

// The side that alone is another function than before.
Comparison::Side ChangedSide(const AlgebraMeaning& before, const AlgebraMeaning& after) {
  if (!before.left || !after.left) return Comparison::Side::kNone;
  const bool left = SameFunction(*before.left, *after.left).value_or(false);
  const bool right = SameFunction(*before.right, *after.right).value_or(false);
  if (left == right) return Comparison::Side::kNone;
  return left ? Comparison::Side::kRight : Comparison::Side::kLeft;
}

Comparison ExplainOtherSolutions(const AlgebraLine& before, const AlgebraLine& after) {
  const SolutionSet& old_set = before.meaning.solutions;
  const SolutionSet& new_set = after.meaning.solutions;
  const bool fewer = Includes(old_set, new_set).value_or(false) && !before.meaning.half;
  const bool more = Includes(new_set, old_set).value_or(false) && !after.meaning.half;
  const Comparison::Side changed = ChangedSide(before.meaning, after.meaning);
  // A side that alone was rewritten was rewritten wrongly; unless the other one is zero, and a factor was lost.
  if (changed != Comparison::Side::kNone && !(fewer && new_set.kind != SolutionSet::Kind::kNone)) {
    Comparison comparison = Comparison::Different(fewer ? "check.no_solution_left" : "check.one_side_changed");
    comparison.side = changed;
    NameMistake(before, after, comparison);
    if (!comparison.mistake.empty()) return comparison;
  }
  if (fewer && new_set.kind != SolutionSet::Kind::kNone) return MissingSolutions(before, after);
  if (more) {
    if (std::optional<Comparison> comparison = WithCondition(before, after)) return std::move(*comparison);
    if (old_set.kind != SolutionSet::Kind::kNone) return Comparison::Different("check.extra_solutions");
  }
  // 5 = 3 after 5x = 3x.
  if (fewer && after.meaning.left && LacksZero(old_set, new_set)) return MissingSolutions(before, after);
  Comparison comparison = Comparison::Different(fewer  ? "check.no_solution_left"
                                                : more ? "check.extra_solutions"
                                                       : "check.solutions");
  comparison.side = changed;
  if (changed != Comparison::Side::kNone && !fewer && !more) comparison.sentence = "check.one_side_changed";
  NameMistake(before, after, comparison);
  return comparison;
}

Comparison CompareSolutions(const AlgebraLine& before, const AlgebraLine& after) {
  Comparison comparison = ExplainOtherSolutions(before, after);
  PutIn(before, after, comparison);
  const SolutionSet& roots = after.meaning.solutions;
  comparison.adds_roots = roots.kind == SolutionSet::Kind::kRoots && !Includes(before.meaning.solutions, roots).value_or(true);
  return comparison;
}

}  // namespace

Comparison CompareAlgebra(const AlgebraLine& before, const AlgebraLine& after) {
  using MeaningKind = AlgebraMeaning::Kind;
  const std::optional<bool> same = SameMeaning(before.meaning, after.meaning);
  if (!same) return {};
  if (before.meaning.kind != after.meaning.kind) {
    return Comparison::Different(before.meaning.kind == MeaningKind::kValue ? "check.not_a_number" : "check.not_an_equation");
  }
  if (before.meaning.kind == MeaningKind::kValue) {
    if (*same) return Comparison::Same();
    Comparison comparison = Comparison::Different("check.other_value");
    NameMistake(before, after, comparison);
    return comparison;
  }
  const char old_unknown = before.meaning.solutions.unknown;
  const char new_unknown = after.meaning.solutions.unknown;
  if (old_unknown != 0 && new_unknown != 0 && old_unknown != new_unknown) {
    return Comparison::Different("check.unknown",
                                 {{"before", std::string(1, old_unknown)}, {"after", std::string(1, new_unknown)}});
  }
  if (!*same) return CompareSolutions(before, after);
  if (FollowsSideBySide(before.state, after.state)) return Comparison::Same();
  Comparison comparison = Comparison::Different("check.not_a_step");
  comparison.same_solutions = true;
  comparison.side = ChangedSide(before.meaning, after.meaning);
  NameMistake(before, after, comparison);
  return comparison;
}

}  // namespace conpole
