// School algebra through the tutor: what people type is solved, verified, and answered as people write it.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "domains/school/algebra_problems.h"
#include "notation/notation.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "subjects/verify.h"
#include "tests/invariants.h"
#include "tutor/explain.h"
#include "tutor/format.h"
#include "tutor/tutor.h"
#include "util/text.h"

namespace conpole {
namespace {

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteadySubject{.milliseconds = 600'000, .expansions = 2'000};

class AlgebraTutorTest : public testing::Test {
 protected:
  explicit AlgebraTutorTest(TutorOptions options = {}) : tutor_(*domain_, *scorer_, pool_, std::move(options)) {}

  std::string Read(std::string_view text) const {
    const NotationResult read = ReadNotation(*domain_, text);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    return read.state;
  }
  TutorSolution Solve(std::string_view text, const TutorBudget& budget = kSteadySubject) {
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

TEST_F(AlgebraTutorTest, StepsAreThoseOfABook) {
  const auto lines = [&](std::string_view problem) {
    std::string text;
    for (const TutorStep& step : Solve(problem).steps) text += (text.empty() ? "" : " -> ") + step.notation;
    return text;
  };
  // The unknown goes where it is positive, and so does the highest power.
  EXPECT_EQ(lines("2x + 15 = 7x + 3"), "15 = 5x + 3 -> 5x + 3 = 15 -> 5x = 12 -> x = 12/5");
  EXPECT_EQ(lines("3x - 1 = 3x^2 - 3x"),
            "0 = 3x^2 - 6x + 1 -> 3x^2 - 6x + 1 = 0 -> x = (3 + sqrt(6))/3 or x = (3 - sqrt(6))/3");
  EXPECT_EQ(lines("5 - 2x = 11"), "-2x = 6 -> x = -3");
  // Fractions with the unknown below are multiplied out at once, and nothing is multiplied that can be cancelled.
  EXPECT_TRUE(lines("1/x + 2/(x - 1) = 3").starts_with("x - 1 + 2x = 3x(x - 1); x != 0, x != 1 -> "));
  EXPECT_EQ(lines("20% of 85"), "17");
  EXPECT_EQ(lines("-12/18 * 9/4"), "-3/2");
  EXPECT_EQ(Solve("r^2 = 36/5").steps.front().text,
            "Take the square root of both sides: there is a positive and a negative one. √(36/5) = √36/√5 = 6√5/5.");
}

TEST_F(AlgebraTutorTest, IrrationalAnswersAreRoundedToo) {
  const auto decimals = [&](std::string_view problem) { return Solve(problem).decimals; };
  EXPECT_EQ(decimals("2x^2 - 5x + 1 = 0"), "x ≈ 2.2808 or x ≈ 0.2192");
  EXPECT_EQ(decimals("2^x = 5"), "x ≈ 2.3219");
  EXPECT_EQ(decimals("sqrt(50)"), "≈ 7.0711");
  EXPECT_EQ(decimals("x^3 = 4x^2 - 3x - 2"), "x = 2 or x ≈ 2.4142 or x ≈ -0.4142");
  EXPECT_EQ(decimals("x^3 - 3x + 1 = 0"), "x ≈ -1.8794 or x ≈ 0.3473 or x ≈ 1.5321");
  for (const std::string_view exact : {"2x = 7", "x^2 = 9", "x^2 = -1", "simplify sqrt(50x)", "x^2 < 2", "3 + 4"}) {
    EXPECT_EQ(decimals(exact), "") << exact;
  }
}

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
                                 Example{"(x+2)/(x-1)=4", "x = 2", 7},
                                 Example{"1/2-1/2", "0", 1},
                                 Example{"0/5", "0", 1},
                                 Example{"3/4*0", "0", 1},
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
  EXPECT_EQ(first("7-x=3"), "Subtract 7 from both sides.");
  EXPECT_EQ(first("3(x-2)=9"), "Divide both sides by 3.");
  EXPECT_EQ(first("2x/3=x/5"), "Multiply both sides by 15.");
  EXPECT_EQ(first("12x + 32 = 5x - 10"), "Subtract 5x from both sides.");
  EXPECT_EQ(first("2/(x+1)=3"), "Multiply both sides by x + 1, where x ≠ -1.");
  for (const TutorStep& step : Solve("2x/3=x/5").steps) EXPECT_NE(step.label, "divide x");
  const std::string state = Read("3(x-2)=9");
  EXPECT_EQ(tutor_.Hint(state, 1).text, "Both sides can be divided by the same number.");
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
             "This equation has several solutions: x = √5 or x = -√5. In decimals: x ≈ 2.2361 or x ≈ -2.2361."},
        Case{"x^2 - x - 1 = 0", SolveStatus::kSeveralSolutions, "x = (1 + sqrt(5))/2 or x = (1 - sqrt(5))/2",
             "This equation has several solutions: x = (1 + √5)/2 or x = (1 - √5)/2. In decimals: x ≈ 1.6180 or x ≈ "
             "-0.6180."}}) {
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
  EXPECT_EQ(solve("x^3 = 2", kSteadySubject).message, "x = ∛2 is the answer, and it was verified. In decimals: x ≈ 1.2599.");
  EXPECT_EQ(solve("x^3 = 2", none).answer, "x = cbrt(2)");
  EXPECT_EQ(solve("8(x + 1)^3 = -3", none).answer, "x = (-2 - cbrt(3))/2");
  EXPECT_EQ(solve("x^5 - 2x^4 = 3x - 6", none).answer, "x = 2 or x = -root(4, 3) or x = root(4, 3)");
  // An answer that cannot be written is said to be of this kind.
  EXPECT_EQ(solve("x^5 = x + 1", kSteadySubject).message,
            "This equation has one real solution: x ≈ 1.1673. x^5 - x - 1 changes its sign where 1.16730 < x < 1.16731. "
            "The steps were not found.");
}

TEST_F(AlgebraTutorTest, ChecksLinesByTheirSolutions) {
  using Kind = StepCheck::Kind;
  const auto check = [&](std::string_view current, std::string_view line) {
    return tutor_.Check(Read(current), line, kSteadySubject);
  };
  EXPECT_EQ(check("2x + 3 = 7", "2x = 4").kind, Kind::kProgress);
  EXPECT_EQ(check("2x + 3 = 7", "x = 2").kind, Kind::kSolved);
  EXPECT_EQ(check("2/(x+1) = 3", "2 = 3(x+1)").kind, Kind::kProgress);
  EXPECT_EQ(check("x^2 = 9", "x = 3 or x = -3").kind, Kind::kSolved);
  EXPECT_EQ(check("x^2 = 9", "x = 3").kind, Kind::kNotEquivalent);
  EXPECT_EQ(check("x^2 = 5", "x = sqrt(5)").kind, Kind::kNotEquivalent);
  EXPECT_EQ(check("1/2 + 1/3", "3/6 + 2/6").kind, Kind::kProgress);
  // Right lines are progress, fine, a detour or a repetition.
  EXPECT_EQ(
      check("2x = 4", "2x + 3 = 7").message,
      "You added 3 to both sides. That is true, but it leads away from the answer. What stands beside x, and what undoes it?");
  EXPECT_EQ(check("2x + 3 = 7", "3 + 2x = 7").message,
            "Fine: this is the line before, written in another way. There is still something to do.");
  EXPECT_EQ(check("2x + 3 = 7", "7 = 2x + 3").kind, Kind::kCorrect);
  EXPECT_EQ(check("4 = 2x", "2x = 4").kind, Kind::kProgress);
  EXPECT_EQ(check("2x + 3 = 7", "2x+3 = 7").kind, Kind::kNotCloser);
  EXPECT_EQ(check("2x + 3 = 7", "2x+3 = 7").message, "Correct, but this only repeats the line before.");
  EXPECT_EQ(check("2x + 3 = 7", "2x + 3 - 3 = 7 - 3").kind, Kind::kProgress);
  EXPECT_EQ(check("30% x = 12", "30/100 x = 12").kind, Kind::kCorrect);
  EXPECT_EQ(check("-3x = 6", "3x = -6").kind, Kind::kProgress);
  EXPECT_EQ(check("x^2 - 6x + 9 = 4", "(x - 3)^2 = 4").kind, Kind::kProgress);
  EXPECT_EQ(check("(2x-1)(x+3) = 0", "2x-1=0 or x+3=0").kind, Kind::kProgress);
  EXPECT_EQ(check("3/8 * 4/9", "(3*4)/(8*9)").kind, Kind::kProgress);
  EXPECT_EQ(check("2x = 3", "x = 1 1/2").kind, Kind::kSolved);
  EXPECT_EQ(check("2x = 4", "2 = x").kind, Kind::kSolved);
  EXPECT_EQ(check("2x = 4", "x = 4/2").kind, Kind::kProgress);
  // What is wrong is said without the answer.
  EXPECT_EQ(check("2x + 3 = 7", "2x = 10").mistake, "sign_moved");
  EXPECT_EQ(check("2x + 3 = 7", "2x + 3 = 8").side, StepCheck::Side::kRight);
  EXPECT_EQ(check("2x = 4", "2y = 4").message, "The unknown was x and is now y.");
  EXPECT_EQ(check("2x = 4", "2").message, "Correct, and this is the answer.");
  EXPECT_EQ(check("2 * 2", "x = 4").message, "The line before is something to be worked out, and this line is an equation.");
}

TEST_F(AlgebraTutorTest, SaysThatSolutionsAreMissingOrTooMany) {
  using Kind = StepCheck::Kind;
  const auto check = [&](std::string_view current, std::string_view line) {
    const StepCheck result = tutor_.Check(Read(current), line, kSteadySubject);
    EXPECT_EQ(result.kind, Kind::kNotEquivalent) << current << " => " << line;
    return result.message;
  };
  const std::string missing = "Solutions are missing: not every number that solves the line before solves this line.";
  EXPECT_EQ(check("x^2 = 4", "x = 2"), "Solutions are missing: a number and its opposite have the same square.");
  EXPECT_EQ(check("(x - 1)^2 = 4", "x - 1 = 2"), "Solutions are missing: a number and its opposite have the same square.");
  EXPECT_EQ(check("x^2 = 5", "x = sqrt(5)"), "Solutions are missing: a number and its opposite have the same square.");
  EXPECT_EQ(check("x^2 = 5x", "x = 5"), "Solutions are missing: nothing may be divided by x, because it might be zero.");
  EXPECT_EQ(check("(x - 2)(x - 3) = 0", "x = 2"), missing);
  EXPECT_EQ(check("x^2 - x - 1 = 0", "x = (1 + sqrt(5))/2"), missing);
  EXPECT_EQ(check("x = x", "x = 0"), missing);
  EXPECT_EQ(check("x = x", "x/x = 1"), missing);
  EXPECT_EQ(check("2x = 4", "no solution"), "This line has no solution, but the line before has.");
  EXPECT_EQ(check("x = 2", "x^2 = 4"), "This line has a solution that the line before does not have.");
  EXPECT_EQ(check("x = 2", "x^2 = 2x"), "This line has a solution that the line before does not have.");
  EXPECT_EQ(check("x = x + 1", "every number"), "This line has a solution that the line before does not have.");
  EXPECT_EQ(tutor_.Check(Read("x = 2"), "x^2 = 2x; x != 0", kSteadySubject).kind, Kind::kNotCloser);
}

// The same solutions get the same verdict, however they are written.
TEST_F(AlgebraTutorTest, ALineThatLacksItsConditionIsRightWithAWarning) {
  using Kind = StepCheck::Kind;
  for (const char* const line : {"1 = 1", "x = x", "0 = 0", "every number", "2x = 2x", "x - x = 0"}) {
    const StepCheck check = tutor_.Check(Read("x/x = 1"), line, kSteadySubject);
    EXPECT_TRUE(check.correct()) << line;
    EXPECT_NE(check.kind, Kind::kSolved) << line;
    EXPECT_TRUE(check.changes_solutions) << line;
    EXPECT_EQ(check.message, "Right if you keep in mind what the line before does not allow: x ≠ 0.") << line;
  }
  for (const char* const line : {"x/x = x/x", "every number; x != 0", "1 = 1; x != 0", "R \\ {0}", "every number except 0"}) {
    const StepCheck check = tutor_.Check(Read("x/x = 1"), line, kSteadySubject);
    EXPECT_TRUE(check.correct() && !check.changes_solutions) << line;
  }
  // The condition goes along, so that an answer that it excludes is none.
  const StepCheck line = tutor_.Check(Read("x/(x-1) = 1/(x-1)"), "2x = 2", kSteadySubject);
  EXPECT_EQ(line.kind, Kind::kProgress);
  EXPECT_EQ(line.state, "2x = 2; x != 1");
  EXPECT_EQ(tutor_.Check(line.state, "x = 1", kSteadySubject).kind, Kind::kNotEquivalent);
  EXPECT_EQ(tutor_.Check(line.state, "no solution", kSteadySubject).kind, Kind::kSolved);
  // Where it excludes nothing that solves the line, it need not be written.
  EXPECT_EQ(tutor_.Check(Read("2/(x+1) = 3"), "2 = 3(x+1)", kSteadySubject).kind, Kind::kProgress);
  EXPECT_EQ(tutor_.Check(Read("2/(x+1) = 1"), "x = 1", kSteadySubject).kind, Kind::kSolved);
}

TEST_F(AlgebraTutorTest, AnAnswerSolvesTheProblem) {
  using Kind = StepCheck::Kind;
  const std::string problem = Read("x/(x-3)-2=3/(x-3)");
  const auto kinds = [&](const std::vector<std::string>& lines) {
    std::vector<Kind> found;
    for (const StepCheck& check : tutor_.CheckLines(problem, lines, kSteadySubject)) found.push_back(check.kind);
    return found;
  };
  const StepCheck excluded = tutor_.Check(problem, "x = 3", kSteadySubject);
  EXPECT_EQ(excluded.kind, Kind::kNotEquivalent);
  EXPECT_FALSE(excluded.correct());
  EXPECT_EQ(excluded.message, "This line has a solution that the line before does not allow: x ≠ 3 must hold.");
  EXPECT_EQ(kinds({"x = 3"}), std::vector<Kind>{Kind::kNotEquivalent});
  EXPECT_EQ(kinds({"3 = x"}), std::vector<Kind>{Kind::kNotEquivalent});
  EXPECT_EQ(kinds({"x - 2(x - 3) = 3", "-x = -3", "x = 3"}).back(), Kind::kNotEquivalent);
  EXPECT_EQ(kinds({"x - 2(x - 3) = 3", "-x = -3", "no solution"}).back(), Kind::kSolved);
  // One of two answers may be excluded.
  EXPECT_EQ(tutor_.Check(Read("x(x-2)/(x-2) = (3x-2)/x"), "x = 1 or x = 2", kSteadySubject).kind, Kind::kNotEquivalent);
}

TEST_F(AlgebraTutorTest, AStatementHasNoUnknownToSolveFor) {
  const auto solve = [&](std::string_view text) { return tutor_.Solve(Read(text), kSteadySubject); };
  const TutorSolution right = solve("2^3=8");
  EXPECT_EQ(right.status, SolveStatus::kSolved);
  EXPECT_EQ(right.answer_notation, "true");
  EXPECT_EQ(right.message, "This is true, and there is no unknown to solve for.");
  EXPECT_TRUE(right.verified());
  ASSERT_EQ(right.steps.size(), 1U);
  EXPECT_EQ(right.steps.front().after, "8 = 8");
  EXPECT_EQ(solve("2 = 2").message, right.message);
  const TutorSolution wrong = solve("2^3=9");
  EXPECT_EQ(wrong.answer_notation, "false");
  EXPECT_EQ(wrong.message, "This is false, and there is no unknown to solve for.");
  // An unknown that went away on the way was one.
  EXPECT_EQ(solve("x = x + 5").status, SolveStatus::kNoSolution);
  EXPECT_EQ(solve("0x = 0").status, SolveStatus::kEveryNumber);
  // In the middle of a solution there is a last step.
  EXPECT_EQ(tutor_.Hint(Read("0 = 5"), 2, kSteadySubject).step->axiom, "conclude");
}

TEST_F(AlgebraTutorTest, WhatIsKnownIsAlwaysAnAnswer) {
  const auto solve = [&](std::string_view text) { return tutor_.Solve(Read(text), kSteadySubject); };
  const TutorSolution four = solve("x^4 - x^3 - 10x^2 + 1 = 0");
  EXPECT_EQ(four.status, SolveStatus::kSeveralSolutions);
  EXPECT_EQ(four.answer_notation, "x ≈ -2.6797 or x ≈ -0.3232 or x ≈ 0.3129 or x ≈ 3.6901");
  EXPECT_EQ(four.message,
            "This equation has 4 real solutions: x ≈ -2.6797 or x ≈ -0.3232 or x ≈ 0.3129 or x ≈ 3.6901. "
            "x^4 - x^3 - 10x^2 + 1 changes its sign where -2.67974 < x < -2.67973; -0.32322 < x < -0.32321; "
            "0.31288 < x < 0.31289; 3.69007 < x < 3.69008. The steps were not found.");
  EXPECT_EQ(solve("x^5 = x + 1").answer_notation, "x ≈ 1.1673");
  EXPECT_EQ(solve("x^2 + 1 = 0").answer_notation, "no solution");
  const TutorBudget none{.milliseconds = 600'000, .expansions = 0};
  const auto known = [&](std::string_view text) { return tutor_.Solve(Read(text), none).answer_notation; };
  EXPECT_EQ(known("x(x^4 - x^3 - 10x^2 + 1) = 0"), "x = 0 or x ≈ -2.6797 or x ≈ -0.3232 or x ≈ 0.3129 or x ≈ 3.6901");
  EXPECT_EQ(known("x(x^5 - x - 1) = 0"), "x = 0 or x ≈ 1.1673");
  EXPECT_EQ(known("x = x + 1"), "no solution");
  EXPECT_EQ(known("x = x"), "every number");
  EXPECT_EQ(known("x/x = 1"), "every number except 0");
}

TEST_F(AlgebraTutorTest, RootsOfTermsAreWrittenWhereNothingElseIsAnAnswer) {
  const auto answer = [&](std::string_view text) {
    const TutorSolution solution = tutor_.Solve(Read(text), kSteadySubject);
    EXPECT_TRUE(solution.verified()) << text;
    EXPECT_EQ(solution.status, SolveStatus::kSeveralSolutions) << text;
    EXPECT_GE(solution.steps.size(), 2U) << text;
    return solution.answer_notation;
  };
  EXPECT_EQ(answer("x^4-10x^2+1=0"), "x = -√(5 - 2√6) or x = √(5 - 2√6) or x = -√(5 + 2√6) or x = √(5 + 2√6)");
  EXPECT_EQ(answer("(x^2-5)^2=24"), "x = -√(5 - 2√6) or x = √(5 - 2√6) or x = -√(5 + 2√6) or x = √(5 + 2√6)");
  EXPECT_EQ(answer("y^4 - 2y^2 = 1"), "y = -√(1 + √2) or y = √(1 + √2)");
  EXPECT_EQ(answer("x^6-4x^3+1=0"), "x = ∛(2 - √3) or x = ∛(2 + √3)");
  // What a learner writes is compared as before.
  const std::vector<std::string> lines{"(x^2 - 5)^2 = 24", "(x^2 - 5)^2 = 25"};
  const std::vector<StepCheck> checks = tutor_.CheckLines(Read("x^4-10x^2+1=0"), lines, kSteadySubject);
  EXPECT_TRUE(checks[0].correct());
  EXPECT_FALSE(checks[1].correct());
  EXPECT_EQ(tutor_.Hint(Read("x^4-10x^2+1=0"), 2, kSteadySubject).step->axiom, "as-quadratic");
}

TEST_F(AlgebraTutorTest, ChecksWholeSolutions) {
  using Kind = StepCheck::Kind;
  const std::vector<std::string> lines{"2x = 10 | : 2", "x = 5", "2x = 4", "x = = 2", "x = 2"};
  const std::vector<StepCheck> checks = tutor_.CheckLines(Read("2x + 3 = 7"), lines, kSteadySubject);
  ASSERT_EQ(checks.size(), lines.size());
  EXPECT_EQ(checks[0].kind, Kind::kNotEquivalent);
  EXPECT_EQ(checks[0].mistake, "sign_moved");
  EXPECT_EQ(checks[1].kind, Kind::kCorrect);
  EXPECT_TRUE(checks[1].after_mistake);
  EXPECT_EQ(checks[1].message, "This follows from your line before, which is not right.");
  EXPECT_EQ(checks[2].kind, Kind::kProgress);
  EXPECT_FALSE(checks[2].after_mistake);
  EXPECT_EQ(checks[3].kind, Kind::kUnreadable);
  EXPECT_EQ(checks[4].kind, Kind::kSolved);
  // A text with several lines: the first that is wrong, or else the last.
  EXPECT_EQ(tutor_.Check(Read("2x + 3 = 7"), "2x = 4 <=> x = 2", kSteadySubject).kind, Kind::kSolved);
  EXPECT_EQ(tutor_.Check(Read("2x + 3 = 7"), "2x = 10\nx = 5", kSteadySubject).mistake, "sign_moved");
  EXPECT_EQ(tutor_.Check(Read("1/2 + 1/3"), "= 3/6 + 2/6 = 5/6", kSteadySubject).kind, Kind::kSolved);
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
  EXPECT_EQ(explain("2x + 3 = 7", "subtract 3"), "Subtract 3 from both sides.");
  EXPECT_EQ(explain("12 - (x + 5) = 3", "expand -(x + 5)"), "Remove the brackets in -(x + 5): every sign in them changes.");
  EXPECT_EQ(explain("12 - (x + 5)(x + 1) = 3", "expand -(x + 5)(x + 1)"), "Multiply out -(x + 5)(x + 1).");
  EXPECT_EQ(explain("2 * 3 + 4 * 5", "evaluate all"), "Work out 2 · 3 = 6, 4 · 5 = 20.");
  EXPECT_EQ(explain("2 * 3 + 4 * 5", "evaluate all", {"en", Script::kPlain, false}), "Work out all that can be worked out.");
  EXPECT_EQ(explain("1 1/2 + 2 1/3", "convert all", {"en", Script::kLatex}),
            "Write the numbers as fractions: $1\\frac{1}{2}$ = $\\frac{3}{2}$, $2\\frac{1}{3}$ = $\\frac{7}{3}$.");
  EXPECT_EQ(explain("11 : 7/8", "invert 11/(7/8)"), "Instead of dividing by 7/8, multiply by its reciprocal, 8/7.");
  EXPECT_EQ(explain("x^3 = 2", "root 3"), "Take the cube root of both sides of x^3 = 2.");
  EXPECT_EQ(explain("x^3 = 2", "root 3", {"de", Script::kPlain}), "Auf beiden Seiten von x^3 = 2 die dritte Wurzel ziehen.");
  EXPECT_EQ(explain("x^4 = 2", "root 4"), "Take the root of degree 4 of both sides: there is a positive and a negative one.");
  EXPECT_EQ(explain("x^5 = 2", "root 5"), "Take the root of degree 5 of both sides.");
  EXPECT_EQ(explain("(2x - 4)^2 = 0", "root 2"), "Take the root of both sides: the root of 0 is 0.");
  EXPECT_EQ(explain("x^2 - 3x + 1 = 0", "formula"),
            "Use the quadratic formula with a = 1, b = -3 and c = 1: the discriminant is 5.");
  EXPECT_EQ(explain("x = 2; x != 1, x != 3", "settle"), "This meets all conditions: x ≠ 1, x ≠ 3.");
  EXPECT_EQ(explain("2x + 3 = 7", "subtract 3", {"de", Script::kPlain}), "Auf beiden Seiten 3 subtrahieren.");
  EXPECT_EQ(explain("4x + 2 - x = 16", "collect left"), "Simplify the left side: 4x + 2 - x = 3x + 2.");
  EXPECT_EQ(explain("4x + 2 - x = 16", "collect left", {"en", Script::kPlain, false}), "Simplify the left side: 4x + 2 - x.");
  EXPECT_EQ(explain("x + x = 1 + 1", "collect both"), "Simplify both sides: x + x = 2x and 1 + 1 = 2.");
  EXPECT_EQ(explain("1/2 + 1/3", "common 1/2 + 1/3"), "Bring 1/2 + 1/3 to the common denominator 6.");
  EXPECT_EQ(explain("1/6 + 2/6", "sum 1/6 + 2/6"), "Combine the numerators: 1/6 + 2/6 = 3/6.");
  EXPECT_EQ(explain("2/3 * 3/4", "product 2/3 * 3/4"), "Multiply the fractions and cancel 6: 2/3 · 3/4 = 1/2.");
  EXPECT_EQ(explain("1 1/2 + 1", "convert 1 1/2"), "Write 1 1/2 as the fraction 3/2.");
  EXPECT_EQ(explain("3 + 5 4/10", "convert 5 4/10"), "Write 5 4/10 as the fraction 54/10.");
  EXPECT_EQ(explain("0.4 + 1/3", "convert 0.4"), "Write 0.4 as the fraction 2/5.");
  EXPECT_EQ(explain("(2/4)^2", "evaluate (2/4)^2"), "Work out (2/4)^2 = 4/16.");
  EXPECT_EQ(explain("1/2 - 1/2", "sum 1/2 - 1/2"), "Combine the numerators: 1/2 - 1/2 = 0.");
  EXPECT_EQ(explain("x^2 - 5x + 6 = 0", "factor"), "Write x^2 - 5x + 6 as a product: (x - 2)(x - 3).");
  EXPECT_EQ(explain("x^2 + x + 1 = 0", "formula"),
            "Use the quadratic formula: the discriminant is -3, and a negative number has no square root.");
  EXPECT_EQ(explain("x^2 = -4", "root 2"), "An even power is never negative, so it cannot be -4.");
  EXPECT_EQ(explain("x = 1; x != 1", "settle"), "Leave out x = 1, because of the condition x ≠ 1.");
  EXPECT_EQ(explain("x = 2; x != 1", "settle"), "This meets the condition x ≠ 1.");
  EXPECT_EQ(explain("0 = 5; x != 1", "conclude"), "0 = 5 is never true.");
  EXPECT_EQ(explain("1/(x + 1) = 2", "multiply x + 1", {"en", Script::kLatex}),
            "Multiply both sides by $x + 1$, where $x \\neq -1$.");
  EXPECT_EQ(explain("1/2 + 1/3", "common 1/2 + 1/3", {"en", Script::kLatex}),
            "Bring $\\frac{1}{2} + \\frac{1}{3}$ to the common denominator $6$.");
}

TEST_F(AlgebraTutorTest, LatexIsAligned) {
  Tutor latex(*domain_, *scorer_, pool_, {.explain = {.script = Script::kLatex}});
  EXPECT_EQ(FormatSolution(*domain_, latex.Solve(Read("x/2 = 3"), kSteadySubject), {Format::kLatex}),
            "\\begin{align*}\n  \\frac{x}{2} &= 3 \\\\\n  x &= 6 && \\text{Multiply both sides by $2$.}\n\\end{align*}");
  EXPECT_EQ(FormatSolution(*domain_, latex.Solve(Read("4/6"), kSteadySubject), {Format::kLatex}),
            "\\begin{align*}\n  &\\frac{4}{6} \\\\\n  &\\frac{2}{3} && \\text{Reduce $\\frac{4}{6}$ to "
            "$\\frac{2}{3}$.}\n\\end{align*}");
}

// Also where one comes before that is as far from the length in the other direction.
TEST_F(AlgebraTutorTest, ExercisesAreNotLongerThanTheirLevel) {
  for (std::uint64_t seed = 5; seed < 20'000; seed += 1'000) {
    const std::string problem = tutor_.Exercise(1, seed);
    EXPECT_LE(tutor_.Solve(problem, kSteadySubject).steps.size(), Tutor::kStepsPerLevel) << problem;
  }
}

// Without a network, every problem has steps at once, and few of them.
// A sentence never names a number that the line does not have: 27/5 where 54/10 is written.
TEST_F(AlgebraTutorTest, SentencesNameWhatTheLineSays) {
  for (const std::string family : {"number-fractions", "fraction-chains", "products"}) {
    const std::unique_ptr<Domain> domain = MakeDomain("algebra:family=" + family);
    Tutor tutor(*domain, *scorer_, pool_);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      for (const TutorStep& step : tutor.Solve(domain->Generate(seed), kSteadySubject).steps) {
        const std::size_t sign = step.text.rfind(" = ");
        const std::size_t begin = sign == std::string::npos ? std::string::npos : sign + 3;
        const std::size_t named = step.axiom == "convert" ? step.text.rfind(' ') + 1 : begin;
        if (named == std::string::npos) continue;
        std::string number = step.text.substr(named, step.text.size() - named - 1);
        if (number.starts_with('-')) number.erase(0, 1);
        if (!IsDigit(number.back())) continue;
        EXPECT_NE(step.after.find(number), std::string::npos) << step.before << " | " << step.text << " | " << step.after;
      }
    }
  }
}

TEST_F(AlgebraTutorTest, SolvesEveryFamily) {
  for (const algebra::Family& family : algebra::Families()) {
    const std::unique_ptr<Domain> domain = MakeDomain("algebra:family=" + std::string(family.name));
    Tutor tutor(*domain, *scorer_, pool_);
    for (std::uint64_t seed = 5'000; seed < 5'030; ++seed) {
      const std::string problem = domain->Generate(seed);
      const TutorSolution solution = tutor.Solve(problem, kSteadySubject);
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
