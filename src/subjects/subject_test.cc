#include "subjects/subject.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/successors.h"
#include "notation/notation.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "subjects/verify.h"
#include "tests/search_fixtures.h"
#include "tutor/explain.h"
#include "tutor/format.h"
#include "tutor/tutor.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

TEST(SubjectTest, TheTableHasEveryTypeAtMostOnce) {
  std::set<const DomainType*> types;
  for (const Subject* const subject : Subjects()) {
    EXPECT_TRUE(types.insert(subject->type()).second) << subject->type()->name;
    EXPECT_NE(std::find(DomainTypes().begin(), DomainTypes().end(), subject->type()), DomainTypes().end());
    EXPECT_EQ(&SubjectOf(*MakeDomain(subject->type()->name)), subject);
  }
}

TEST(SubjectTest, ExamplesAreReadAndGuessedUnlessAlgebraReadsThem) {
  for (const Subject* const subject : Subjects()) {
    const std::string example(subject->Example());
    if (example.empty()) continue;
    const std::string_view guess = GuessDomain(example);
    EXPECT_TRUE(guess == subject->type()->name || (guess == "algebra" && !ReadNotation(*MakeDomain(guess), example).error));
    EXPECT_FALSE(ReadNotation(*MakeDomain(subject->type()->name), example).error) << example;
  }
}

// What is judged without words is what the comparison says.
TEST(SubjectTest, LinesOfTermsAreJudgedAsTheyAreCompared) {
  for (const std::string_view name : {"equations", "fractions", "multiplication"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    const Subject& subject = SubjectOf(*domain);
    const auto expect_same = [&](const std::string& before, const std::string& after) {
      const Line first = subject.Understand(before);
      const Line next = subject.Understand(after);
      const LineJudgement judgement = subject.Judge(*domain, first, next);
      const Comparison comparison = subject.Compare(*subject.Analyse(*domain, first), *subject.Analyse(*domain, next));
      EXPECT_EQ(judgement.is_true.has_value(), comparison.outcome != Comparison::Outcome::kCannotTell)
          << before << " => " << after;
      EXPECT_EQ(judgement.is_true.value_or(false), comparison.outcome == Comparison::Outcome::kSame)
          << before << " => " << after;
      EXPECT_TRUE(judgement.follows);
    };
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const std::string state = domain->Generate(seed);
      expect_same(state, domain->Generate(seed + 1));
      Successors successors;
      if (domain->Expand(state, Labels::kOff, successors) != Status::kOpen) continue;
      for (std::size_t i = 0; i < successors.size(); ++i) expect_same(state, std::string(successors.state(i)));
    }
  }
  const std::unique_ptr<Domain> equations = MakeDomain("equations");
  const Subject& subject = SubjectOf(*equations);
  const auto judge = [&](const char* before, const char* after) {
    return subject.Judge(*equations, subject.Understand(before), subject.Understand(after)).is_true;
  };
  EXPECT_EQ(judge("2x = 4", "x = 2"), true);
  EXPECT_EQ(judge("2x = 4", "x = 3"), false);
  EXPECT_EQ(judge("2x = 4", "y = 2"), false);
}

// A domain that no subject is for, although its name is that of another.
class StrangerTest : public testing::Test {
 protected:
  TutorSolution Solve(const std::string& state, const TutorBudget& budget = {}) { return tutor_.Solve(state, budget); }

  ThreadPool pool_{1};
  GraphDomain domain_{{{"S", {"A_1", "B"}}, {"A_1", {"B", "C"}}, {"C", {"G"}}}};
  std::unique_ptr<Scorer> scorer_ = MakeLengthScorer();
  Tutor tutor_{domain_, *scorer_, pool_};
};

TEST_F(StrangerTest, SolutionsAreShownAndSaidNotToBeVerified) {
  const TutorSolution solution = Solve("S");
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(solution.verdict, Verdict::kCannotTell);
  EXPECT_FALSE(solution.verified());
  EXPECT_EQ(solution.answer, "G");
  EXPECT_EQ(FormatSolution(domain_, solution, {Format::kText}),
            "S\n  to A_1\nA_1\n  to C\nC\n  to G\nG\n-- G is what the steps lead to; it was not verified.");
  const Json json = Json::parse(FormatSolution(domain_, solution, {Format::kJson}));
  EXPECT_EQ(json.at("status"), "solved");
  EXPECT_TRUE(json.at("verified").is_null());
  EXPECT_EQ(json.at("steps")[0].at("axiom"), "to");
  Tutor latex(domain_, *scorer_, pool_, {.explain = {.script = Script::kLatex}});
  EXPECT_EQ(FormatSolution(domain_, latex.Solve("A_1"), {Format::kLatex}),
            "\\begin{align*}\n  &\\texttt{A\\_1} \\\\\n  &\\texttt{C} && \\text{to C} \\\\\n  &\\texttt{G} && \\text{to G}\n"
            "\\end{align*}");
  EXPECT_EQ(Solve("B").message, "No solution was found, and there is nothing left to try.");
}

TEST_F(StrangerTest, HintsNameTheAxiomThenTheLabelThenTheLine) {
  EXPECT_EQ(tutor_.Hint("S", 1).text, "Use to.");
  EXPECT_EQ(tutor_.Hint("S", 2).text, "Use to A_1.");
  EXPECT_EQ(tutor_.Hint("S", 3).text, "Use to A_1. This gives A_1");
  EXPECT_EQ(tutor_.Hint("G", 1).text, "There is nothing left to do: this is the answer.");
}

TEST_F(StrangerTest, ALineIsRightIfItIsOneStepAway) {
  EXPECT_EQ(tutor_.Check("S", "A_1").kind, StepCheck::Kind::kProgress);
  EXPECT_EQ(tutor_.Check("C", "G").kind, StepCheck::Kind::kSolved);
  EXPECT_EQ(tutor_.Check("A_1", "B").kind, StepCheck::Kind::kNotCloser);
  EXPECT_EQ(tutor_.Check("S", "S").kind, StepCheck::Kind::kNotCloser);
  const StepCheck far = tutor_.Check("S", "G");
  EXPECT_EQ(far.kind, StepCheck::Kind::kCannotTell);
  EXPECT_EQ(far.message, "This line is not one step from the line before, so it cannot be checked.");
}

TEST_F(StrangerTest, NextStepsAreLabels) {
  const std::vector<NextStep> steps = tutor_.NextSteps("S");
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].step.text, "to B");
  EXPECT_EQ(steps[0].step.notation, "B");
  EXPECT_FALSE(steps[0].step.position);
}

TEST_F(StrangerTest, NothingCanBeVerified) {
  EXPECT_EQ(VerifyPath(domain_, std::vector<std::string>{"S", "A_1", "C", "G"}), Verdict::kCannotTell);
  EXPECT_EQ(VerifyAnswer(domain_, "S", "C"), Verdict::kWrong);  // it is not even solved
  EXPECT_EQ(NameOf(Verdict::kCannotTell), "cannot_tell");
}

TEST(SubjectTest, TheTypeDecidesAndNotTheName) {
  class Namesake final : public Domain {
   public:
    Namesake() : Domain(Type(), {}) {}
    std::string Generate(std::uint64_t) const override { return "2x = 4"; }
    Status Expand(std::string_view, Labels, Successors&) const override { return Status::kDeadEnd; }
    bool Solved(std::string_view) const override { return false; }
    Parsed Parse(std::string_view text) const override { return {std::string(text), std::nullopt}; }

   private:
    static const DomainType& Type() {
      static const DomainType type{"equations", "a namesake", {}, {}, nullptr};
      return type;
    }
  };
  const Namesake namesake;
  EXPECT_EQ(SubjectOf(namesake).type(), nullptr);
  EXPECT_EQ(WriteNotation(namesake, "(2x) = 4"), "(2x) = 4");
  EXPECT_EQ(VerifyAnswer(namesake, "2x = 4", "x = 2"), Verdict::kWrong);  // not solved, says the domain
}

}  // namespace
}  // namespace conpole
