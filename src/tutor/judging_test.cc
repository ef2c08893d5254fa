// Three questions about a learner's line, and what must never be said: over lines that are made from exercises.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "notation/notation.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "tests/repetitions.h"
#include "tutor/check_step.h"
#include "tutor/tutor.h"
#include "util/random.h"
#include "util/text.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

using Help = StepCheck::Help;
using Kind = StepCheck::Kind;

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteadyJudge{.milliseconds = 600'000, .expansions = 2'000};

std::set<std::string> NumbersOf(std::string_view text) {
  std::set<std::string> numbers;
  std::string number;
  for (const char c : std::string(text) + ' ') {
    if (IsDigit(c) || ((c == '.' || c == ',') && !number.empty())) {
      number += c == ',' ? '.' : c;
      continue;
    }
    while (!number.empty() && number.back() == '.') number.pop_back();
    if (!number.empty()) numbers.insert(number);
    number.clear();
  }
  return numbers;
}

// What is said must have no number that is in the answer and in neither line.
void ExpectNoAnswer(std::string_view said, std::string_view answer, std::string_view before, std::string_view after) {
  const std::set<std::string> there = NumbersOf(said);
  const std::set<std::string> known = NumbersOf(fmt::format("{} {}", before, after));
  for (const std::string& number : NumbersOf(answer)) {
    EXPECT_FALSE(there.contains(number) && !known.contains(number)) << before << " => " << after << ": " << said;
  }
}

class JudgingTest : public testing::Test {
 protected:
  std::string Read(std::string_view text) const {
    const NotationResult read = ReadNotation(*domain_, text);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    return read.state;
  }
  StepCheck Check(std::string_view before, std::string_view after, std::string_view language = "en") const {
    return CheckStep(*domain_, Read(before), after, {}, language);
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_ = MakeDomain("algebra");
  std::unique_ptr<Scorer> scorer_ = MakeScorer(DefaultScorer(domain_->type()), domain_->type(), 0);
  Tutor tutor_{*domain_, *scorer_, pool_};
};

TEST_F(JudgingTest, ATrueLineMayNotHelp) {
  struct Case {
    std::string_view before, after;
    Help help;
    std::string_view detour, message;
  };
  for (const Case& line : {
           Case{"y+(-4)=10", "y+(-4)+-4=10+-4", Help::kNoNearer, "opposite_needed",
                "You subtracted 4 on both sides. That is true, but no nearer to the answer. -4 is still there. It goes away by "
                "the "
                "opposite."},
           Case{"3=-7y", "3+7=-7y+7", Help::kAway, "factor_as_term",
                "You added 7 to both sides. That is true, but it leads away from the answer. -7 is a factor of y, not a term. "
                "What "
                "undoes a multiplication?"},
           Case{"x+10=-9", "x+10+-9=-9+-9", Help::kNoNearer, "other_side", ""},
           Case{"3=6y", "3*6=6y*6", Help::kNoNearer, "factor_again", ""},
           Case{"7=y/4", "7/4=y/4/4", Help::kNoNearer, "denominator_again", ""},
           Case{"y/-8=3", "y/-8*1=3*1", Help::kNoNearer, "denominator_again",
                "True, but no nearer to the answer. y is divided by -8. What undoes a division?"},
           Case{"y/8=1", "y/8/1=1/1", Help::kNoNearer, "other_side", ""},
           Case{"-22y=57", "-22y/22=57/22", Help::kNoNearer, "sign_left", ""},
           Case{"3=8/y", "3*8=8/y*8", Help::kNoNearer, "unknown_below", ""},
           Case{"21x=14", "21x/21x=14/21x", Help::kAway, "divided_by_unknown", ""},
           Case{"y=8+2", "y+8=8+2+8", Help::kAway, "simplify_first", ""},
           Case{"(x-2)(x+3)=0", "x^2+x-6=0", Help::kAway, "rewritten", ""},
       }) {
    const StepCheck check = Check(line.before, line.after);
    EXPECT_EQ(check.kind, Kind::kNotCloser) << line.before << " => " << line.after << ": " << check.message;
    EXPECT_EQ(check.help, line.help) << line.before << " => " << line.after;
    EXPECT_EQ(check.detour, line.detour) << line.before << " => " << line.after << ": " << check.message;
    EXPECT_EQ(check.is_true, true) << line.before;
    EXPECT_EQ(check.is_step, true) << line.before;
    if (!line.message.empty()) {
      EXPECT_EQ(check.message, line.message);
    }
    EXPECT_FALSE(Check(line.before, line.after, "de").message.empty());
  }
}

TEST_F(JudgingTest, WhatHelpsIsCloser) {
  for (const auto& [before, after] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"y+(-4)=10", "y+(-4)+4=10+4"},
                                                                  {"3=-7y", "3/-7=-7y/-7"},
                                                                  {"x/-10=10", "x/-10*-10=10*-10"},
                                                                  {"4/y=12", "4/y*y=12*y"},
                                                                  {"41x-6=6x+22", "41x-6-22=6x+22-22"},
                                                                  {"2(x+3)=10", "x+3=5"},
                                                                  {"2(x+3)=10", "2x+6=10"},
                                                                  {"x/2+x/3=5", "3x+2x=30"},
                                                                  {"5x+3=2x+9", "3x+3=9"}}) {
    const StepCheck check = Check(before, after);
    EXPECT_EQ(check.help, Help::kCloser) << before << " => " << after << ": " << check.message;
  }
}

// The solutions are the same, and the line is wrong.
TEST_F(JudgingTest, ALineThatIsTrueByChanceIsWrong) {
  for (const auto& [before, after] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"-2-9y-2y=-2+2y-2y", "-2-7y=-2+2y-2y"},
                                                                  {"7-4(x+1)=3", "3(x+1)=3"},
                                                                  {"5=(y-10)/-2", "5=y+5"},
                                                                  {"7-y/5-7=5-7", "7-y/2=2"},
                                                                  {"-2+2=q/3-2+2", "-2+2=-q/3"},
                                                                  {"8a-64=8a+20", "8a=8a+(-44)"},
                                                                  {"3t+6=3t-45", "9=0t-45"},
                                                                  {"n+8-3n=8", "-2n^2+8=8"},
                                                                  {"-10/10=10w/10", "-10/10=1/w"}}) {
    const StepCheck check = Check(before, after);
    EXPECT_EQ(check.kind, Kind::kNotEquivalent) << before << " => " << after << ": " << check.message;
    EXPECT_EQ(check.is_true, true) << before;
    EXPECT_EQ(check.is_step, false) << before;
  }
  EXPECT_EQ(Check("-2-9y-2y=-2+2y-2y", "-2-7y=-2+2y-2y").mistake, "sign");
  EXPECT_EQ(Check("7-4(x+1)=3", "3(x+1)=3").mistake, "order");
  // Several steps at once may leave a side as it was.
  for (const auto& [before, after] : std::vector<std::pair<std::string_view, std::string_view>>{{"4x-2=2", "2x=2"},
                                                                                                {"3x-4=2", "x=2"},
                                                                                                {"2(x-3)=0", "x-3=0"},
                                                                                                {"x-5=2x-5", "-5=x-5"},
                                                                                                {"8a-64=8a+20", "8a=8a+84"},
                                                                                                {"2x+1=2x+4", "1=4"},
                                                                                                {"x/2+1=x/2+3", "x+2=x+6"},
                                                                                                {"2+3-5=4x", "0=2x"},
                                                                                                {"x=4-4", "x^2=0"},
                                                                                                {"2x=6", "2x+x^2=6+x^2"}}) {
    EXPECT_TRUE(Check(before, after).correct()) << before << " => " << after;
  }
}

TEST_F(JudgingTest, NamesWhatWasDone) {
  const auto did = [&](std::string_view before, std::string_view after) {
    const StepCheck check = Check(before, after);
    return check.operation + " " + check.operand;
  };
  EXPECT_EQ(did("2x+3=7", "2x=4"), "subtracted 3");
  EXPECT_EQ(did("2x-3=7", "2x-3+3=7+3"), "added 3");
  EXPECT_EQ(did("2x=4+x", "x=4"), "subtracted x");
  EXPECT_EQ(did("x/3=4", "x=12"), "multiplied 3");
  EXPECT_EQ(did("-0.2y=4", "-0.2y/-0.2=4/-0.2"), "divided -0.2");
  EXPECT_EQ(did("2(x+1)=4", "2x+2=4"), "rewritten ");
  EXPECT_EQ(did("3x+1=7", "x=2"), " ");
}

TEST_F(JudgingTest, ANumberAloneIsTheUnknown) {
  EXPECT_EQ(Check("4x=10", "2.5").kind, Kind::kSolved);
  EXPECT_EQ(Check("4x=10", "5/2").kind, Kind::kSolved);
  EXPECT_EQ(Check("4x=10", "2.6").kind, Kind::kNotEquivalent);
  EXPECT_EQ(Check("4x=10", "x=10/4").help, Help::kCloser);
  // A comma is a decimal sign, unless two numbers are the answer.
  EXPECT_EQ(Check("x^2-5x+6=0", "x=2,3").kind, Kind::kSolved);
  EXPECT_EQ(Check("10x=23", "x=2,3").kind, Kind::kSolved);
  EXPECT_EQ(Check("x^2-5x+6=0", "x=2,4").kind, Kind::kNotEquivalent);
}

TEST_F(JudgingTest, FinalsAreReadAsPeopleWriteThem) {
  struct Case {
    std::string_view problem, line;
    Kind kind;
    std::string_view mistake;
  };
  for (const Case& final : {
           Case{"4x=10", "2.5", Kind::kSolved, ""},
           Case{"4x=10", "x = 5/2", Kind::kSolved, ""},
           Case{"4x=10", "x = 10/4", Kind::kProgress, ""},
           Case{"3x=1", "x=0.33", Kind::kNotEquivalent, "rounded"},
           Case{"7x=5", "0.71", Kind::kNotEquivalent, "rounded"},
           Case{"4x=10", "2.6", Kind::kNotEquivalent, "wrong_digit"},
           Case{"-56x=2", "x=0", Kind::kNotEquivalent, "whole_part"},
           Case{"x+25=25", "x=25", Kind::kNotEquivalent, "one_side"},
           Case{"25x=0", "x=25", Kind::kNotEquivalent, "subtracted_coefficient"},
           Case{"x^2-5x+6=0", "x=3 or x=2", Kind::kSolved, ""},
           Case{"x^2-5x+6=0", "x in {2, 3}", Kind::kSolved, ""},
           Case{"x^2-5x+6=0", "3, 2", Kind::kSolved, ""},
           Case{"x^2-5x+6=0", "x = 2 and x = 3", Kind::kSolved, ""},
           Case{"x^2-5x+6=0", "x=2", Kind::kNotEquivalent, "missing_solutions"},
           Case{"5r^2=36", "r=6/sqrt(5) or r=-6/sqrt(5)", Kind::kSolved, ""},
           Case{"x^2=5", "x=±√5", Kind::kSolved, ""},
           Case{"x^2=5", "x=2.236", Kind::kNotEquivalent, "rounded"},
           Case{"2x+3=7", "x=3", Kind::kNotEquivalent, "does_not_fit"},
           Case{"5-2(x-1)=3x+7", "3(x-1)=3x+7", Kind::kNotEquivalent, "order"},
           Case{"7-4(x+1)=3", "3(x+1)=3", Kind::kNotEquivalent, "order"},
           Case{"(x-2)(x+3)=0", "x^2+x-6=0", Kind::kNotCloser, ""},
       }) {
    for (const char* const language : {"en", "de"}) {
      const StepCheck check = Check(final.problem, final.line, language);
      EXPECT_EQ(check.kind, final.kind) << final.problem << " => " << final.line << ": " << check.message;
      EXPECT_EQ(check.mistake, final.mistake) << final.problem << " => " << final.line << ": " << check.message;
    }
  }
  // In English a comma separates, in German it is the decimal sign.
  EXPECT_EQ(Check("x^2-5x+6=0", "x=2,3").kind, Kind::kSolved);
  EXPECT_EQ(Check("4x=10", "x=2,5", "de").kind, Kind::kSolved);
  EXPECT_EQ(Check("2x+3=7", "x=3").message, "With x = 3 the left side of the line before is 9, and the right side is 7.");
  // What is rounded is said to be so, and not what it is exactly.
  EXPECT_EQ(Check("x^2=5", "x=2.236").message, "2.236 is rounded. Keep the exact value, as a fraction for example.");
}

// Right answers with one number that is 1, 2 or 7 off: nearly all have a reason, and none of the reasons has the answer.
TEST_F(JudgingTest, WrongAnswersOfAllFamiliesHaveAReason) {
  std::size_t wrong = 0;
  std::size_t with_reason = 0;
  std::string without;
  for (const auto& [problem, answer] : std::vector<std::pair<std::string, std::string>>{
           {"6x + 5 = 29", "x = 4"},
           {"9x - 4 = 2x + 31", "x = 5"},
           {"8 - 3(x + 2) = 5x - 30", "x = 4"},
           {"(x + 7)/4 = 6", "x = 17"},
           {"x/3 + x/4 = 14", "x = 24"},
           {"36/x = 4", "x = 9"},
           {"(x - 3)(x + 8) = 0", "x = 3 or x = -8"},
           {"x^2 - 11x + 24 = 0", "x = 3 or x = 8"},
           {"x^2 = 81", "x = 9 or x = -9"},
           {"x^2 + 6x - 9 = 0", "x = -3 + 3sqrt(2) or x = -3 - 3sqrt(2)"},
           {"4x - 9 > 15", "x > 6"},
           {"-3x + 4 <= 19", "x >= -5"},
           {"x^2 < 49", "-7 < x < 7"},
           {"|x - 5| = 12", "x = 17 or x = -7"},
           {"|x + 4| < 10", "-14 < x < 6"},
           {"sqrt(x + 9) = 7", "x = 40"},
           {"log_2(x - 3) = 4", "x = 19"},
           {"3^(x - 4) = 27", "x = 7"},
           {"x + y = 17, x - y = 3", "x = 10, y = 7"},
           {"4x + y = 38, x - 3y = 3", "x = 9, y = 2"},
           {"7x - 8 + 6x + 3", "13x - 5"},
           {"(x + 9)(x - 4)", "x^2 + 5x - 36"},
           {"x^8 * x^5", "x^13"},
           {"(x^7)^5", "x^35"},
           {"x^11/x^3", "x^8"},
           {"sqrt(75)", "5sqrt(3)"},
           {"sqrt(5) + 6sqrt(5)", "7sqrt(5)"},
           {"log_2(64)", "6"},
           {"7 + 8 * 6", "55"},
           {"5/6 + 3/8", "29/24"},
           {"7/9 * 4/5", "28/45"},
           {"6.4 * 7", "44.8"},
           {"factor: x^2 + 13x + 40", "(x + 5)(x + 8)"},
           {"6^(-2)", "1/36"},
           {"35% of 160", "56"},
       }) {
    for (std::size_t i = 0; i < answer.size(); ++i) {
      if (!IsDigit(answer[i]) || (i > 0 && (IsDigit(answer[i - 1]) || answer[i - 1] == '.'))) continue;
      std::size_t end = i;
      while (end < answer.size() && IsDigit(answer[end])) ++end;
      for (const int off : {1, -1, 2, -2, 7, -7}) {
        const int number = std::stoi(answer.substr(i, end - i)) + off;
        if (number < 1) continue;
        const std::string line = answer.substr(0, i) + std::to_string(number) + answer.substr(end);
        const StepCheck check = Check(problem, line);
        if (check.kind != Kind::kNotEquivalent) continue;
        ++wrong;
        const bool has_reason = !check.mistake.empty() && !check.mistake.ends_with("_slip");
        with_reason += has_reason ? 1 : 0;
        if (!has_reason) without += fmt::format("{} => {}: {}\n", problem, line, check.message);
        ExpectNoAnswer(check.message, answer, problem, line);
      }
    }
  }
  EXPECT_GT(wrong, 200U);
  EXPECT_GE(100 * with_reason, 98 * wrong) << with_reason << " of " << wrong << "; without:\n" << without;
  EXPECT_EQ(Check("x + y = 17, x - y = 3", "x = 11, y = 7").message,
            "With x = 11, y = 7 the left side of x + y = 17 is 18, and the right side is 17.");
  EXPECT_EQ(Check("x^8 * x^5", "x^12").message, "With x = 2 the line before is 8192, and this line is 4096.");
  EXPECT_EQ(Check("3x - 13 = 1", "x - 13 = 0.33").mistake, "other_solution");
}

TEST_F(JudgingTest, AHintRemembersTheMistake) {
  const std::string problem = Read("2x + 3 = 7");
  const TutorHint plain = tutor_.Hint(problem, 1, kSteadyJudge);
  const TutorHint after = tutor_.HintAfter(problem, "2x = 10", 1, kSteadyJudge);
  EXPECT_EQ(after.mistake, "sign_moved");
  EXPECT_EQ(after.text, "Remember what happens to the sign of a term that changes sides. " + plain.text);
  // From a right line it goes on.
  const TutorHint next = tutor_.HintAfter(problem, "2x = 4", 1, kSteadyJudge);
  EXPECT_EQ(next.text, tutor_.Hint("2x = 4", 1, kSteadyJudge).text);
  EXPECT_EQ(next.mistake, "");
  EXPECT_EQ(tutor_.HintAfter(problem, "2x = = 4", 1, kSteadyJudge).text, plain.text);
  EXPECT_EQ(tutor_.HintAfter(problem, "", 1, kSteadyJudge).text, plain.text);
}

TEST_F(JudgingTest, StepsHaveReasonsInThreeLinesAtMost) {
  const TutorSolution solution = tutor_.Solve(Read("2x + 3 = 7"), kSteadyJudge);
  ASSERT_EQ(solution.steps.size(), 2U);
  EXPECT_EQ(solution.steps[0].why, (std::vector<std::string>{"Both sides stay equal if 3 is taken away from both.",
                                                             "Left side: 2x + 3 - 3 = 2x.", "Right side: 7 - 3 = 4."}));
  EXPECT_EQ(solution.steps[1].why, (std::vector<std::string>{"Both sides stay equal if both are divided by 2.",
                                                             "Left side: 2x/2 = x.", "Right side: 4/2 = 2."}));
  for (std::uint64_t seed = 0; seed < Repetitions(300U, 20U); ++seed) {
    for (const TutorStep& step : tutor_.Solve(domain_->Generate(seed), kSteadyJudge).steps) {
      EXPECT_GE(step.why.size(), 1U) << step.before << " => " << step.after << ": " << step.text;
      EXPECT_LE(step.why.size(), 3U) << step.before << " => " << step.after;
    }
  }
}

TEST_F(JudgingTest, NoAnswerIsGivenAway) {
  EXPECT_EQ(Check("3x=1", "x=0.33").mistake, "rounded");
  EXPECT_EQ(Check("3x=1", "x=0.33").message.find("1/3"), std::string::npos);
  EXPECT_EQ(Check("3x=1", "x=0.5").message.find("1/3"), std::string::npos);
  Random random(33);
  std::size_t wrong = 0;
  std::size_t checks = 0;
  for (std::uint64_t seed = 0; seed < Repetitions(1'000U, 30U); ++seed) {
    const std::string problem = domain_->Generate(seed);
    const TutorSolution solution = tutor_.Solve(problem, kSteadyJudge);
    if (!solution.solved()) continue;
    for (const int level : {1, 2}) {
      ExpectNoAnswer(tutor_.Hint(problem, level, kSteadyJudge).text, solution.answer, problem, "");
    }
    const std::string before = solution.steps.empty() ? problem : solution.steps[seed % solution.steps.size()].before;
    // The answer and the line before with one digit changed.
    for (const std::string& line : {solution.answer, problem, before}) {
      for (int change = 0; change < Repetitions(20, 4); ++change) {
        std::string altered = line;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < altered.size(); ++i) {
          if (IsDigit(altered[i])) places.push_back(i);
        }
        if (places.empty()) break;
        const auto place = places[static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(places.size())))];
        altered[place] = static_cast<char>('1' + random.Int64(0, 9));
        for (const char* const language : {"en", "de"}) {
          const StepCheck check = CheckStep(*domain_, before, altered, {}, language);
          ++checks;
          if (check.correct() || check.kind == Kind::kUnreadable) continue;
          ++wrong;
          ExpectNoAnswer(check.message, solution.answer, before, check.state);
        }
      }
    }
  }
  EXPECT_GT(checks, Repetitions(100'000U, 400U));
  EXPECT_GT(wrong, Repetitions(25'000U, 100U));
}

// Lines that are right, written in the ways in which people do not tidy up.
std::vector<std::string> RightLines(const Domain& domain, const std::string& problem, Random& random) {
  std::vector<std::string> lines;
  // Several steps at once.
  std::string state = problem;
  for (int steps = 0; steps < 3; ++steps) {
    Successors next;
    if (domain.Expand(state, Labels::kOff, next) != Status::kOpen || next.size() == 0) break;
    state = next.state(static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(next.size()))));
    lines.push_back(state);
  }
  const std::size_t sign = problem.find(" = ");
  if (sign == std::string::npos || problem.find(" or ") != std::string::npos || problem.find(';') != std::string::npos)
    return lines;
  const std::string left = problem.substr(0, sign);
  const std::string right = problem.substr(sign + 3);
  const std::int64_t number = random.Int64(2, 20);
  const std::string unknown(1, problem[problem.find_first_of("abcdefghijklmnopqrstuvwxyz")]);
  lines.push_back(fmt::format("{} = {}", right, left));
  lines.push_back(fmt::format("{} + {} = {} + {}", left, number, right, number));
  lines.push_back(fmt::format("{} - {}{} = {} - {}{}", left, number, unknown, right, number, unknown));
  lines.push_back(fmt::format("{} * ({}) = {} * ({})", number, left, number, right));
  lines.push_back(fmt::format("({})/{} = ({})/{}", left, number, right, number));
  lines.push_back(fmt::format("-({}) = -({})", left, right));
  lines.push_back(fmt::format("{} + {} - {} = {} + 0", left, number, number, right));
  return lines;
}

TEST_F(JudgingTest, NoRightLineIsCalledWrong) {
  Random random(7);
  std::size_t count = 0;
  for (std::uint64_t seed = 0; count < Repetitions(100'000U, 300U); ++seed) {
    const std::string problem = domain_->Generate(100'000 + seed);
    for (const std::string& line : RightLines(*domain_, problem, random)) {
      const StepCheck check = CheckStep(*domain_, problem, line);
      EXPECT_TRUE(check.correct() || check.kind == Kind::kCannotTell) << problem << " => " << line << ": " << check.message;
      EXPECT_EQ(check.mistake, "") << problem << " => " << line;
      ++count;
    }
  }
}

// From every line of a solution to every later one.
TEST_F(JudgingTest, NoLineOfASolutionLeadsAway) {
  for (std::uint64_t seed = 0; seed < Repetitions(600U, 20U); ++seed) {
    const std::string problem = domain_->Generate(500'000 + seed);
    const TutorSolution solution = tutor_.Solve(problem, kSteadyJudge);
    for (std::size_t i = 0; i < solution.steps.size(); ++i) {
      for (std::size_t j = i; j < solution.steps.size(); ++j) {
        const StepCheck check = tutor_.Check(solution.steps[i].before, solution.steps[j].after, kSteadyJudge);
        EXPECT_TRUE(check.correct()) << solution.steps[i].before << " => " << solution.steps[j].after << ": " << check.message;
        EXPECT_NE(check.help, Help::kAway) << solution.steps[i].before << " => " << solution.steps[j].after;
      }
    }
  }
}

}  // namespace
}  // namespace conpole
