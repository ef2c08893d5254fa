// School algebra through the tutor: what people type is solved, verified, and answered as people write it.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "domains/algebra_problems.h"
#include "search/scorers.h"
#include "tests/invariants.h"
#include "tutor/explain.h"
#include "tutor/format.h"
#include "tutor/notation.h"
#include "tutor/tutor.h"
#include "tutor/verify.h"

namespace conpole {
namespace {

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteady{.milliseconds = 600'000, .expansions = 2'000};

class AlgebraTutorTest : public testing::Test {
 protected:
  explicit AlgebraTutorTest(TutorOptions options = {}) : tutor_(*domain_, *scorer_, pool_, std::move(options)) {}

  std::string Read(std::string_view text) const {
    const NotationResult read = ReadNotation(*domain_, text);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    return read.state;
  }
  TutorSolution Solve(std::string_view text, const TutorBudget& budget = kSteady) {
    TutorSolution solution = tutor_.Solve(Read(text), budget);
    ExpectSound(solution);
    return solution;
  }
  // Every line has the solutions of the one before it, and the answer those of the problem.
  void ExpectSound(const TutorSolution& solution) const {
    const Facts* const facts = FindFacts("algebra");
    std::vector<std::string> path{solution.problem};
    for (const TutorStep& step : solution.steps) {
      EXPECT_EQ(step.before, path.back());
      const auto unsound = facts->find_unsound(step.before, step.label, step.after);
      EXPECT_FALSE(unsound) << step.before << " -> " << step.after << ": " << *unsound;
      path.push_back(step.after);
    }
    if (!solution.has_steps_to_answer()) return;
    EXPECT_EQ(VerifyPath(*domain_, path), Verdict::kRight) << solution.problem;
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_ = MakeDomain("algebra");
  std::unique_ptr<Scorer> scorer_ = MakeScorer(DefaultScorer(domain_->type()), domain_->type(), 0);
  Tutor tutor_;
};

struct Example {
  std::string_view problem;
  std::string_view last_line;
  std::size_t steps;
};

TEST_F(AlgebraTutorTest, SolvesWhatPeopleTypeInAFewLines) {
  for (const Example& example : {Example{"4x+2-x+5=16", "x = 3", 3},
                                 Example{"8x+6=2x+1-x", "x = -5/7", 4},
                                 Example{"x/2+x/3+x/4=13", "x = 12", 3},
                                 Example{"(3x+8)/5=(x-2)/4", "x = -6", 5},
                                 Example{"(1/2) = ((-3)+4x)/5", "x = 11/8", 5},
                                 Example{"\\frac{2x-1}{3}-\\frac{x}{2}=1", "x = 8", 4},
                                 Example{"2/(x+1)=3", "x = -1/3", 6},
                                 Example{"3/(x-2)=6", "x = 5/2", 6},
                                 Example{"(x+2)/(x-1)=4", "x = 2", 6},
                                 Example{"1/2-1/2", "0", 2},
                                 Example{"0/5", "0", 1},
                                 Example{"3/4*0", "0", 2},
                                 Example{"-3/3", "-1", 1},
                                 Example{"1/4+1/11", "15/44", 2},
                                 Example{"17/19+23/29", "930/551", 2},
                                 Example{"12*34-8", "400", 2},
                                 Example{"123456789*987654321", "121932631112635269", 1},
                                 Example{"7-x=3", "x = 4", 2},
                                 Example{"3(x-2)=9", "x = 5", 2},
                                 Example{"2x/3=x/5", "x = 0", 3},
                                 Example{"1 1/2 x = 3", "x = 2", 2},
                                 Example{"20% x = 5", "x = 25", 1},
                                 Example{"2/3x = 4", "x = 6", 2},
                                 Example{"1/2(x+4) = 3", "x = 2", 2},
                                 Example{"0.5x + 1.2 = 3", "x = 3.6", 2},
                                 Example{"x^3 = 8", "x = 2", 1}}) {
    const TutorSolution solution = Solve(example.problem);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << example.problem;
    EXPECT_TRUE(solution.verified()) << example.problem;
    ASSERT_FALSE(solution.steps.empty()) << example.problem;
    EXPECT_EQ(solution.steps.back().notation, example.last_line);
    EXPECT_EQ(solution.answer, example.last_line);
    EXPECT_EQ(solution.steps.size(), example.steps) << example.problem;
    EXPECT_EQ(solution.message, std::string(example.last_line) + " is the answer, and it was verified.");
  }
}

TEST_F(AlgebraTutorTest, BeginsAsATeacherWould) {
  const auto first = [&](std::string_view problem) { return Solve(problem).steps.front().text; };
  EXPECT_EQ(first("7-x=3"), "Subtract 7 on both sides.");
  EXPECT_EQ(first("3(x-2)=9"), "Divide both sides by 3.");
  EXPECT_EQ(first("2x/3=x/5"), "Multiply both sides by 15.");
  EXPECT_EQ(first("12x + 32 = 5x - 10"), "Subtract 5x on both sides.");
  EXPECT_EQ(first("2/(x+1)=3"), "Multiply both sides by x + 1, where x != -1.");
  for (const TutorStep& step : Solve("2x/3=x/5").steps) EXPECT_NE(step.label, "divide x");
  const std::string state = Read("3(x-2)=9");
  EXPECT_EQ(tutor_.Hint(state, 1).text, "The unknown should stand without a factor.");
  EXPECT_EQ(tutor_.Hint(state, 2).text, "Divide both sides by 3.");
  EXPECT_EQ(tutor_.Hint(state, 3).text, "Divide both sides by 3. This gives x - 2 = 3");
}

TEST_F(AlgebraTutorTest, NoneSeveralAndEveryNumberHaveStepsToo) {
  struct Case {
    std::string_view problem;
    SolveStatus status;
    std::string_view last_line;
    std::string_view message;
  };
  for (const Case& expected :
       {Case{"x = x + 1", SolveStatus::kNoSolution, "no solution", "No number solves this equation."},
        Case{"x^2 = -4", SolveStatus::kNoSolution, "no solution", "No number solves this equation."},
        Case{"x/(x-1) = 1/(x-1)", SolveStatus::kNoSolution, "no solution", "No number solves this equation."},
        Case{"2(x+1) = 2x+2", SolveStatus::kEveryNumber, "every number", "Every number solves this equation."},
        Case{"x/x = 1", SolveStatus::kEveryNumber, "every number; x != 0", "Every number except 0 solves this equation."},
        Case{"(x-2)(x+3) = 0", SolveStatus::kSeveralSolutions, "x = 2 or x = -3",
             "This equation has several solutions: x = 2 or x = -3."},
        Case{"x^2 = 5", SolveStatus::kSeveralSolutions, "x = sqrt(5) or x = -sqrt(5)",
             "This equation has several solutions: x = sqrt(5) or x = -sqrt(5)."},
        Case{"x^2 - x - 1 = 0", SolveStatus::kSeveralSolutions, "x = (1 + sqrt(5))/2 or x = (1 - sqrt(5))/2",
             "This equation has several solutions: x = (1 + sqrt(5))/2 or x = (1 - sqrt(5))/2."}}) {
    const TutorSolution solution = Solve(expected.problem);
    EXPECT_EQ(solution.status, expected.status) << expected.problem;
    EXPECT_TRUE(solution.verified()) << expected.problem;
    ASSERT_FALSE(solution.steps.empty()) << expected.problem;
    EXPECT_EQ(solution.steps.back().notation, expected.last_line);
    EXPECT_EQ(solution.message, expected.message);
  }
  EXPECT_EQ(Solve("x/x = 1").exceptions, std::vector<std::string>{"0"});
}

TEST_F(AlgebraTutorTest, ThereIsAnAnswerEvenWithoutSteps) {
  const auto solve = [&](std::string_view problem, const TutorBudget& budget) { return Solve(problem, budget); };
  const TutorBudget none{.milliseconds = 600'000, .expansions = 0};
  TutorSolution solution = solve("(3x+8)/5=(x-2)/4", none);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_TRUE(solution.verified());
  EXPECT_TRUE(solution.steps.empty());
  EXPECT_EQ(solution.answer, "x = -6");
  EXPECT_EQ(solution.message, "x = -6 is the answer, and it was verified. The steps were not found.");
  solution = solve("17/19+23/29", {.milliseconds = 0});
  EXPECT_EQ(solution.answer, "930/551");
  EXPECT_EQ(solution.message, "930/551 is the answer, and it was verified. The steps were not found in time.");
  EXPECT_EQ(solve("0.5x + 1.2 = 3", none).answer, "x = 3.6");
  EXPECT_EQ(solve("x^2 - x - 1 = 0", none).answer, "x = (1 - sqrt(5))/2 or x = (1 + sqrt(5))/2");
  EXPECT_EQ(solve("x^2 = 9", none).status, SolveStatus::kSeveralSolutions);
  EXPECT_EQ(solve("x = x + 1", none).status, SolveStatus::kNoSolution);
  EXPECT_EQ(solve("x/x = 1", none).message, "Every number except 0 solves this equation. The steps were not found.");
  // A hint does not give the answer away.
  EXPECT_EQ(tutor_.Hint(Read("2x = 4"), 1, none).text, "No next step was found.");
  // An answer that cannot be written is said to be of this kind.
  EXPECT_EQ(solve("x^3 = 2", kSteady).message,
            "The solution of this equation is not a rational number, so no steps lead to it.");
}

TEST_F(AlgebraTutorTest, ChecksLinesByTheirSolutions) {
  using Kind = StepCheck::Kind;
  const auto check = [&](std::string_view current, std::string_view line) {
    return tutor_.Check(Read(current), line, kSteady);
  };
  EXPECT_EQ(check("2x + 3 = 7", "2x = 4").kind, Kind::kProgress);
  EXPECT_EQ(check("2x + 3 = 7", "x = 2").kind, Kind::kSolved);
  EXPECT_EQ(check("2/(x+1) = 3", "2 = 3(x+1)").kind, Kind::kProgress);
  EXPECT_EQ(check("x^2 = 9", "x = 3 or x = -3").kind, Kind::kSolved);
  EXPECT_EQ(check("x^2 = 9", "x = 3").kind, Kind::kNotEquivalent);
  EXPECT_EQ(check("x^2 = 5", "x = sqrt(5)").kind, Kind::kNotEquivalent);
  EXPECT_EQ(check("1/2 + 1/3", "3/6 + 2/6").kind, Kind::kProgress);
  EXPECT_EQ(check("2x = 4", "2x + 3 = 7").kind, Kind::kNotCloser);
  // What is wrong is said without the answer.
  EXPECT_EQ(check("1/2 + 1/3", "2/5").message, "This does not have the same value as the line before.");
  EXPECT_EQ(check("2x + 3 = 7", "2x = 10").message, "x = 5 solves this line, but not the line before.");
  EXPECT_EQ(check("2x + 3 = 7", "2x + 3 = 8").side, StepCheck::Side::kRight);
  EXPECT_EQ(check("x^2 = 9", "x = 3").message, "This line does not have the same solutions as the line before.");
  EXPECT_EQ(check("2x = 4", "2y = 4").message, "The unknown was x and is now y.");
  EXPECT_EQ(check("1/x = 1/x", "1 = 1").kind, Kind::kNotEquivalent);
}

TEST_F(AlgebraTutorTest, SentencesNameWhatWasDone) {
  const auto explain = [&](std::string_view problem, std::string_view label,
                           const ExplainOptions& options = {}) -> std::string {
    const std::string before = Read(problem);
    Successors successors;
    domain_->Expand(before, Labels::kOn, successors);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      if (successors.label(i) == label) return ExplainStep(*domain_, label, before, successors.state(i), options);
    }
    ADD_FAILURE() << before << " has no " << label;
    return {};
  };
  EXPECT_EQ(explain("2x + 3 = 7", "subtract 3"), "Subtract 3 on both sides.");
  EXPECT_EQ(explain("2x + 3 = 7", "subtract 3", {"de", Script::kPlain}), "Auf beiden Seiten 3 subtrahieren.");
  EXPECT_EQ(explain("4x + 2 - x = 16", "collect left"), "Simplify the left side: 4x + 2 - x = 3x + 2.");
  EXPECT_EQ(explain("4x + 2 - x = 16", "collect left", {"en", Script::kPlain, false}), "Simplify the left side: 4x + 2 - x.");
  EXPECT_EQ(explain("x + x = 1 + 1", "collect both"), "Simplify both sides: x + x = 2x and 1 + 1 = 2.");
  EXPECT_EQ(explain("1/2 + 1/3", "common 1/2 + 1/3"), "Bring 1/2 + 1/3 to the common denominator 6.");
  EXPECT_EQ(explain("1/6 + 2/6", "sum 1/6 + 2/6"), "Add up over the common denominator: 1/6 + 2/6 = 3/6.");
  EXPECT_EQ(explain("2/3 * 3/4", "product 2/3 * 3/4"), "Multiply the fractions: 2/3 * 3/4 = 6/12.");
  EXPECT_EQ(explain("1 1/2 + 1", "convert 1 1/2"), "Write 1 1/2 as the fraction 3/2.");
  EXPECT_EQ(explain("x^2 - 5x + 6 = 0", "factor"), "Write x^2 - 5x + 6 as a product: (x - 2)(x - 3).");
  EXPECT_EQ(explain("x^2 + x + 1 = 0", "formula"),
            "Use the quadratic formula: the discriminant is -3, and a negative number has no square root.");
  EXPECT_EQ(explain("x^2 = -4", "root 2"), "An even power is never negative, so it cannot be -4.");
  EXPECT_EQ(explain("x = 1; x != 1", "settle"), "Leave out x = 1, because it is not allowed.");
  EXPECT_EQ(explain("x = 2; x != 1", "settle"), "This meets the condition x != 1.");
  EXPECT_EQ(explain("0 = 5; x != 1", "conclude"), "0 = 5 is never true.");
  EXPECT_EQ(explain("1/(x + 1) = 2", "multiply x + 1", {"en", Script::kLatex}),
            "Multiply both sides by $x + 1$, where $x \\neq -1$.");
  EXPECT_EQ(explain("1/2 + 1/3", "common 1/2 + 1/3", {"en", Script::kLatex}),
            "Bring $\\frac{1}{2} + \\frac{1}{3}$ to the common denominator $6$.");
}

TEST_F(AlgebraTutorTest, LatexIsAligned) {
  Tutor latex(*domain_, *scorer_, pool_, {.explain = {.script = Script::kLatex}});
  EXPECT_EQ(FormatSolution(*domain_, latex.Solve(Read("x/2 = 3"), kSteady), Format::kLatex),
            "\\begin{align*}\n  \\frac{x}{2} &= 3 \\\\\n  x &= 6 && \\text{Multiply both sides by $2$.}\n\\end{align*}");
  EXPECT_EQ(FormatSolution(*domain_, latex.Solve(Read("4/6"), kSteady), Format::kLatex),
            "\\begin{align*}\n  &\\frac{4}{6} \\\\\n  &\\frac{2}{3} && \\text{Reduce $\\frac{4}{6}$ = "
            "$\\frac{2}{3}$.}\n\\end{align*}");
}

// Also where one comes before that is as far from the length in the other direction.
TEST_F(AlgebraTutorTest, ExercisesAreNotLongerThanTheirLevel) {
  for (std::uint64_t seed = 5; seed < 20'000; seed += 1'000) {
    const std::string problem = tutor_.Exercise(1, seed);
    EXPECT_LE(tutor_.Solve(problem, kSteady).steps.size(), Tutor::kStepsPerLevel) << problem;
  }
}

// Without a network, every problem has steps at once, and few of them.
TEST_F(AlgebraTutorTest, SolvesEveryFamily) {
  for (const algebra::Family& family : algebra::Families()) {
    const std::unique_ptr<Domain> domain = MakeDomain("algebra:family=" + std::string(family.name));
    Tutor tutor(*domain, *scorer_, pool_);
    for (std::uint64_t seed = 5'000; seed < 5'030; ++seed) {
      const std::string problem = domain->Generate(seed);
      const TutorSolution solution = tutor.Solve(problem, kSteady);
      EXPECT_TRUE(solution.has_steps_to_answer() && solution.verified()) << problem << ": " << solution.message;
      EXPECT_LE(solution.steps.size(), 12U) << problem;
      EXPECT_LE(solution.expanded, 200U) << problem;
      ExpectSound(solution);
      // What is known before the search agrees with what the steps lead to.
      const TutorSolution known = tutor.Solve(problem, {.milliseconds = 600'000, .expansions = 0});
      EXPECT_EQ(known.status, solution.status) << problem;
      if (known.status != SolveStatus::kSolved) continue;
      EXPECT_EQ(known.answer, solution.answer) << problem;
    }
  }
}

}  // namespace
}  // namespace conpole
