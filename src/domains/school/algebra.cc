#include "domains/school/algebra.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/school/algebra_actions.h"
#include "domains/school/algebra_heuristic.h"
#include "domains/school/algebra_problems.h"
#include "domains/school/algebra_text.h"
#include "domains/school/textbook.h"
#include "domains/school/textbook_problems.h"
#include "util/latest.h"
#include "util/text.h"

namespace conpole {
namespace {

class Algebra final : public Domain {
 public:
  explicit Algebra(const Parameters& parameters)
      : Domain(AlgebraType(), parameters),
        exercises_(textbook::FindExerciseFamily(parameters.Text("family"))),
        family_(exercises_ ? 0 : algebra::FindFamily(parameters.Text("family"))),
        max_number_(parameters.Integer("max_number")) {}

  std::string Generate(std::uint64_t seed) const override {
    return exercises_ ? textbook::MakeExercise(*exercises_, max_number_, seed)
                      : algebra::MakeProblem(family_, max_number_, seed);
  }

  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    if (textbook::IsExercise(state)) return ExpandExercise(state, labels, out);
    algebra::ReadResult read = algebra::Read(state);
    if (read.error) {
      out.SetError(std::move(*read.error));
      return Status::kMalformed;
    }
    if (algebra::IsSolved(read.state)) return Status::kSolved;
    // Whoever wants the labels of a path lists the steps of its lines again.
    constexpr std::size_t kKept = 16;
    thread_local const auto latest = std::make_unique<Latest<std::vector<algebra::Step>, kKept>>();
    const std::vector<algebra::Step>& steps =
        latest->Of(state, [&](std::string_view) { return algebra::ListSteps(read.state); });
    for (const algebra::Step& step : steps) {
      out.EndState(WriteText(out.BeginState(step.text.size()), step.text));
      if (labels == Labels::kOff) continue;
      const std::string label = step.Label();
      out.EndLabel(WriteText(out.BeginLabel(label.size()), label));
    }
    return steps.empty() ? Status::kDeadEnd : Status::kOpen;
  }

  bool Solved(std::string_view state) const override {
    if (!textbook::IsExercise(state)) return algebra::IsSolved(algebra::Read(state).state);
    const textbook::Following next = textbook::FollowingLine(state);
    return !next.refusal && next.state.empty();
  }

  Parsed Parse(std::string_view text) const override {
    if (textbook::IsExercise(text)) {
      try {
        return {textbook::TextOf(textbook::Canonical(textbook::ReadExercise(text))), std::nullopt};
      } catch (textbook::Refusal& refusal) {
        return {{}, Malformed{0, std::move(refusal.message)}};
      }
    }
    algebra::ReadResult read = algebra::Read(text);
    if (read.error) return {{}, std::move(read.error)};
    return {algebra::TextOf(read.state), std::nullopt};
  }

 private:
  // An exercise has one next line at most.
  static Status ExpandExercise(std::string_view state, Labels labels, Successors& out) {
    const textbook::Following next = textbook::FollowingLine(state);
    if (next.refusal) {
      const bool readable = !next.refusal->message.empty();
      return readable ? Status::kDeadEnd : Status::kMalformed;
    }
    if (next.state.empty()) return Status::kSolved;
    out.EndState(WriteText(out.BeginState(next.state.size()), next.state));
    if (labels != Labels::kOff) out.EndLabel(WriteText(out.BeginLabel(next.label.size()), next.label));
    return Status::kOpen;
  }

  std::optional<std::size_t> exercises_;  // the family, if it is one of exercises
  std::size_t family_;
  std::int64_t max_number_;
};

std::vector<Axiom> Axioms() {
  std::vector<Axiom> axioms;
  for (const algebra::Action action : algebra::AllActions()) {
    axioms.push_back({std::string(algebra::NameOf(action)), std::string(algebra::MeaningOf(action))});
  }
  for (const textbook::TaskName& step : textbook::StepNames()) {
    axioms.push_back({std::string(step.name), std::string(step.meaning)});
  }
  return axioms;
}

std::string FamilyMeaning() {
  std::vector<std::string> names;
  for (const algebra::Family& family : algebra::Families()) names.emplace_back(family.name);
  std::vector<std::string> exercises;
  for (const std::string_view name : textbook::ExerciseFamilies()) exercises.emplace_back(name);
  return "which problems: " + std::string(algebra::kMixture) + " of all, or " + Join(names) +
         "; or exercises of a school book: " + std::string(textbook::kAllExercises) + " of all families, or " + Join(exercises);
}

}  // namespace

const DomainType& AlgebraType() {
  static const DomainType type{
      "algebra",
      "solve equations and work out numbers in the steps that a person writes",
      {{"family", FamilyMeaning(), std::string(algebra::kMixture), {}},
       {"max_number", "numbers in problems are drawn up to this", "12", {{3, 1000}}}},
      Axioms(),
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<Algebra>(parameters); },
      {{"lines", "lines that are left to write: brackets, denominators, terms to be moved, operations", &algebra::StepsToGo,
        true}}};
  return type;
}

}  // namespace conpole
