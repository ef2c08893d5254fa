#include "tutor/check_step.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tutor/catalogue.h"
#include "tutor/cube.h"
#include "tutor/verify.h"

namespace conpole {
namespace {

// Whether two states mean the same, and if not, the catalogue's sentence that says what differs.
struct Comparison {
  enum class Outcome : std::uint8_t { kSame, kDifferent, kCannotTell };
  Outcome outcome = Outcome::kSame;
  std::string id = {};
  Catalogue::Slots slots = {};
  StepCheck::Side side = StepCheck::Side::kNone;
};

Comparison CannotTell() { return {Comparison::Outcome::kCannotTell}; }
Comparison Different(std::string id, Catalogue::Slots slots = {}) {
  return {Comparison::Outcome::kDifferent, std::move(id), std::move(slots)};
}

struct Sides {
  std::string_view left;
  std::string_view right;
};

Sides SidesOf(std::string_view equation) {
  constexpr std::string_view kEquality = " = ";
  const std::size_t middle = equation.find(kEquality);
  return {equation.substr(0, middle), equation.substr(middle + kEquality.size())};
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

Comparison CompareSolutions(const SolutionSet& before, const SolutionSet& after, std::string_view next) {
  const char letter = before.unknown != 0 ? before.unknown : after.unknown;
  Catalogue::Slots slots{{"unknown", std::string(1, letter)}};
  if (const std::optional<Exact> lost = FirstMissing(before, after); lost && before.kind == SolutionSet::Kind::kRoots) {
    slots["root"] = lost->str();
    const Sides sides = SidesOf(next);
    const std::optional<Exact> left = EvaluateTerm(sides.left, *lost);
    const std::optional<Exact> right = EvaluateTerm(sides.right, *lost);
    if (!left || !right) return Different("check.root_undefined", std::move(slots));
    slots["left"] = left->str();
    slots["right"] = right->str();
    return Different("check.root", std::move(slots));
  }
  if (const std::optional<Exact> gained = FirstMissing(after, before)) {
    slots["root"] = gained->str();
    return Different("check.extra_root", std::move(slots));
  }
  if (before.kind == SolutionSet::Kind::kNone) return Different("check.had_none");
  if (before.kind == SolutionSet::Kind::kEvery && after.kind != SolutionSet::Kind::kEvery) return Different("check.had_every");
  return Different("check.solutions");
}

Comparison CompareEquations(std::string_view current, std::string_view next) {
  const SolutionSet before = SolveExactly(current);
  const SolutionSet after = SolveExactly(next);
  const std::optional<bool> same = SameSolutions(before, after);
  if (!same) return CannotTell();
  if (before.unknown != 0 && after.unknown != 0 && before.unknown != after.unknown) {
    return Different("check.unknown", {{"before", std::string(1, before.unknown)}, {"after", std::string(1, after.unknown)}});
  }
  if (*same) return {};
  Comparison comparison = CompareSolutions(before, after, next);
  const Sides old_sides = SidesOf(current);
  const Sides new_sides = SidesOf(next);
  const bool left = SameFunction(old_sides.left, new_sides.left).value_or(false);
  const bool right = SameFunction(old_sides.right, new_sides.right).value_or(false);
  if (left != right) comparison.side = left ? StepCheck::Side::kRight : StepCheck::Side::kLeft;
  return comparison;
}

Comparison CompareValues(std::string_view current, std::string_view next) {
  const std::optional<bool> same = SameFunction(current, next);
  if (!same) return CannotTell();
  if (*same) return {};
  const std::optional<Exact> before = EvaluateTerm(current, 0);
  const std::optional<Exact> after = EvaluateTerm(next, 0);
  if (!before) return CannotTell();
  if (!after) return Different("check.undefined_value");
  return Different("check.value", {{"before", before->str()}, {"after", after->str()}});
}

Comparison CompareBars(std::string_view current, std::string_view next) {
  const std::vector<std::size_t> before = SortedBars(current);
  const std::vector<std::size_t> after = SortedBars(next);
  if (before == after) return {};
  std::vector<std::size_t> missing;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(missing));
  if (!missing.empty()) return Different("check.missing_bar", {{"before", std::to_string(missing.front())}});
  std::vector<std::size_t> extra;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(extra));
  return Different("check.extra_bar", {{"after", std::to_string(extra.front())}});
}

Comparison CompareCubes(std::string_view current, std::string_view next) {
  // Turns lead from any cube that can be solved to any other.
  if (!WhyUnsolvable(CubeCells(current)).empty()) return current == next ? Comparison() : CannotTell();
  std::string reason = WhyUnsolvable(CubeCells(next));
  if (reason.empty()) return {};
  return Different("check.pieces", {{"reason", std::move(reason)}});
}

Comparison Compare(const Domain& domain, std::string_view current, std::string_view next) {
  const std::string& name = domain.type().name;
  if (name == "equations") return CompareEquations(current, next);
  if (name == "fractions" || name == "multiplication") return CompareValues(current, next);
  if (name == "sorting") return CompareBars(current, next);
  if (name == "rubiks-cube") return CompareCubes(current, next);
  if (name == "ternary-addition") {
    const Integer before = TernaryValue(current);
    const Integer after = TernaryValue(next);
    if (before == after) return {};
    return Different("check.value", {{"before", before.str()}, {"after", after.str()}});
  }
  return CannotTell();
}

bool IsSuccessor(const Domain& domain, std::string_view current, std::string_view next) {
  Successors successors;
  if (domain.Expand(current, Labels::kOff, successors) != Status::kOpen) return false;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    if (successors.state(i) == next) return true;
  }
  return false;
}

StepCheck::Kind JudgeProgress(const Domain& domain, const std::string& current, const std::string& next,
                              const Distance& distance) {
  if (domain.Solved(next)) return StepCheck::Kind::kSolved;
  if (current == next) return StepCheck::Kind::kNotCloser;
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

// What to say of a step that is legal although it changes the solutions.
std::string_view CautionOf(const Comparison& comparison) {
  if (comparison.id == "check.extra_root") return "check.adds_roots";
  if (comparison.id == "check.root" || comparison.id == "check.root_undefined") return "check.loses_roots";
  return "check.changes_solutions";
}

}  // namespace

StepCheck CheckStep(const Domain& domain, std::string_view current, std::string_view line, const Distance& distance,
                    std::string_view language) {
  const Catalogue& catalogue = Catalogue::Find(language);
  StepCheck check;
  NotationResult read = ReadNextLine(domain, current, line);
  if (read.error) {
    check.kind = StepCheck::Kind::kUnreadable;
    check.message = catalogue.Sentence("check.unreadable",
                                       {{"position", std::to_string(read.error->position)}, {"reason", read.error->message}});
    check.error = std::move(read.error);
    return check;
  }
  check.state = std::move(read.state);
  check.reading = std::move(read.reading);

  const Comparison comparison = Compare(domain, current, check.state);
  const bool same = comparison.outcome == Comparison::Outcome::kSame;
  // What an axiom allows is accepted even where it changes the solutions or is too large to compare.
  if (!same && !IsSuccessor(domain, current, check.state)) {
    const bool different = comparison.outcome == Comparison::Outcome::kDifferent;
    check.kind = different ? StepCheck::Kind::kNotEquivalent : StepCheck::Kind::kCannotTell;
    check.side = comparison.side;
    check.message = catalogue.Sentence(different ? comparison.id : "check.cannot_tell", comparison.slots);
    return check;
  }
  check.kind = JudgeProgress(domain, std::string(current), check.state, distance);
  check.changes_solutions = comparison.outcome == Comparison::Outcome::kDifferent;
  if (check.changes_solutions) {
    // It may look solved and still be wrong.
    if (check.kind == StepCheck::Kind::kSolved) check.kind = StepCheck::Kind::kNotCloser;
    check.message = catalogue.Sentence(CautionOf(comparison), comparison.slots);
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
