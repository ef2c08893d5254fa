// Lines as people write them on paper, in grades 6 to 10. Right ones are called right, and none is said not to be closer; wrong
// ones are called wrong, and nothing that is said has the answer in it.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "notation/learner_notation.h"
#include "notation/notation.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "tests/repetitions.h"
#include "tutor/check_step.h"
#include "tutor/tutor.h"
#include "util/random.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteadyLines{.milliseconds = 600'000, .expansions = 2'000};

class LearnerLinesTest : public testing::Test {
 protected:
  std::string Read(std::string_view text) const {
    // As a problem of a solution that is checked, it may have a remark.
    const NotationResult read = ReadNotation(*domain_, WithoutRemark(text));
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    return read.state;
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_ = MakeDomain("algebra");
  std::unique_ptr<Scorer> scorer_ = MakeScorer(DefaultScorer(domain_->type()), domain_->type(), 0);
  Tutor tutor_{*domain_, *scorer_, pool_};
};

// A problem and the lines to its answer.
using Solution = std::vector<std::string>;

const std::vector<Solution>& RightSolutions() {
  static const std::vector<Solution> solutions{
      // One and two steps.
      {"x+5=12", "x=12-5", "x=7"},
      {"x+5=12", "x+5-5=12-5", "x=7"},
      {"x-8=3", "x-8+8=3+8", "x=11"},
      {"9=x+4", "9-4=x", "5=x"},
      {"7-x=3", "-x=3-7", "-x=-4", "x=4"},
      {"7-x=3", "7=3+x", "4=x"},
      {"7-x=3", "7-3=x", "x=4"},
      {"3x=12", "x=12:3", "x=4"},
      {"3x=12", "3x/3=12/3", "x=4"},
      {"-4x=20", "x=20:(-4)", "x=-5"},
      {"x/5=3", "x=3*5", "x=15"},
      {"x:4=2", "x=2·4", "x=8"},
      {"2x+3=7 ", "2x=4 |:2", "x=2"},
      {"2x+3=11", "2x+3-3=11-3", "2x=8", "x=4"},
      {"5x-4=16", "5x=16+4", "5x=20", "x=20/5", "x=4"},
      {"17=3x+2", "15=3x", "5=x", "x=5"},
      {"17=3x+2", "3x+2=17", "3x=15", "x=5"},
      {"10-2x=4", "-2x=-6", "x=3"},
      {"10-2x=4", "10=4+2x", "6=2x", "3=x"},
      {"x/3+2=5", "x/3=3", "x=9"},
      {"x/3+2=5", "x+6=15", "x=9"},
      {"3+x/4=5 | -3", "x/4=2 | *4", "x=8"},
      {"8=2(x+1)", "4=x+1", "3=x"},
      {"6x+1=4", "6x=3", "x=3/6", "x=1/2"},
      {"4x=7", "x=7/4", "x=1 3/4"},
      {"3x+2=0", "3x=-2", "x=-2/3"},
      // Like terms.
      {"4x+2-x+5=16", "4x-x+2+5=16", "3x+7=16", "3x=9", "x=3"},
      {"2x+3x=25", "5x=25", "x=5"},
      {"7x-2x+x=18", "6x=18", "x=3"},
      {"3x+5+2x-1=24", "3x+2x+5-1=24", "5x+4=24", "5x=20", "x=4"},
      {"12=5x-2x", "12=3x", "4=x"},
      {"x+x+1+x+2=33", "3x+3=33", "x+1=11", "x=10"},
      // Both sides.
      {"5x+3=2x+12", "5x-2x=12-3", "3x=9", "x=3"},
      {"5x+3=2x+12", "3x+3=12", "3x=9", "x=3"},
      {"5x+3=2x+12", "5x=2x+9", "3x=9", "x=3"},
      {"4x-7=2x+5", "4x-2x-7=5", "2x-7=5", "2x=12", "x=6"},
      {"4x-7=2x+5", "4x-7-2x-5=0", "2x-12=0", "2x=12", "x=6"},
      {"2x+9=5x", "9=5x-2x", "9=3x", "3=x"},
      {"3-2x=x-9", "3+9=x+2x", "12=3x", "x=4"},
      {"8x+6=2x+1-x", "8x+6=x+1", "7x+6=1", "7x=-5", "x=-5/7"},
      {"6x-5=6x+2-x", "6x-5=5x+2", "x-5=2", "x=7"},
      {"9-4x=2-3x", "9-2=-3x+4x", "7=x"},
      // Brackets.
      {"3(x-2)=9", "3x-6=9", "3x=15", "x=5"},
      {"3(x-2)=9", "x-2=3", "x=5"},
      {"3(x-2)=9", "x-2=9/3", "x-2=3", "x=3+2", "x=5"},
      {"2(x+4)=3x", "2x+8=3x", "8=3x-2x", "8=x"},
      {"5-(x-2)=4", "5-x+2=4", "7-x=4", "-x=-3", "x=3"},
      {"2(3x-1)-4(x+2)=6", "6x-2-4x-8=6", "2x-10=6", "2x=16", "x=8"},
      {"4(x+1)=2(x+5)", "2(x+1)=x+5", "2x+2=x+5", "x=3"},
      {"4(x+1)=2(x+5)", "4x+4=2x+10", "4x-2x=10-4", "2x=6", "x=3"},
      {"-2(x-3)=8", "-2x+6=8", "-2x=2", "x=-1"},
      {"-(x+3)=5", "-x-3=5", "-x=8", "x=-8"},
      {"x-(2x-(3-x))=1", "x-(2x-3+x)=1", "x-2x+3-x=1", "-2x+3=1", "-2x=-2", "x=1"},
      {"(x+1)(x-2)=x^2", "x^2-2x+x-2=x^2", "-x-2=0", "x=-2"},
      {"(x+3)^2=x^2+15", "x^2+6x+9=x^2+15", "6x+9=15", "6x=6", "x=1"},
      // Fractions of the unknown.
      {"x/2+x/3=5", "3x/6+2x/6=5", "5x/6=5", "5x=30", "x=6"},
      {"x/2+x/3=5", "3x+2x=30", "5x=30", "x=6"},
      {"x/2+x/3+x/4=13", "6x+4x+3x=156", "13x=156", "x=12"},
      {"(3x+8)/5=(x-2)/4", "4(3x+8)=5(x-2)", "12x+32=5x-10", "7x=-42", "x=-6"},
      {"(2x-1)/3-x/2=1", "2(2x-1)-3x=6", "4x-2-3x=6", "x-2=6", "x=8"},
      {"x-(x-3)/2=5", "2x-(x-3)=10", "2x-x+3=10", "x+3=10", "x=7"},
      {"2/3 x=8", "x=8*3/2", "x=12"},
      {"2/3 x=8", "2x=24", "x=12"},
      {"3/4 x-1=5", "3/4 x=6", "x=6:3/4", "x=6*4/3", "x=24/3", "x=8"},
      {"1/2(x+4)=7", "x+4=14", "x=10"},
      {"x/4=3/8", "8x=12", "x=12/8", "x=3/2"},
      {"x/4=3/8", "x=3/8*4", "x=12/8", "x=1 1/2"},
      {"1 1/2 x=3", "3/2 x=3", "x=3*2/3", "x=2"},
      {"2 1/4+x=5", "x=5-2 1/4", "x=2 3/4"},
      // Decimals and per cent.
      {"0.5x+1.2=3", "0.5x=1.8", "x=3.6"},
      {"0.5x+1.2=3", "5x+12=30", "5x=18", "x=3.6"},
      {"1.5x-2=0.5x+3", "x-2=3", "x=5"},
      {"0.2(x+5)=3", "x+5=15", "x=10"},
      {"20% x=5", "0.2x=5", "x=25"},
      {"2,5x=10", "x=10:2,5", "x=4"},
      // The unknown below the line.
      {"12/x=3", "12=3x", "4=x"},
      {"12/x=3", "x=12/3", "x=4"},
      {"2/(x+1)=3", "2=3(x+1)", "2=3x+3", "-1=3x", "x=-1/3"},
      {"(x+2)/(x-1)=4", "x+2=4(x-1)", "x+2=4x-4", "6=3x", "2=x"},
      {"3/(x-2)=6", "3=6x-12", "15=6x", "x=15/6", "x=2.5"},
      {"1/x+1/2=1", "1/x=1/2", "x=2"},
      {"2/x=5/(x+3)", "2(x+3)=5x", "2x+6=5x", "6=3x", "x=2"},
      {"x/(x-1)=1/(x-1)", "x=1 (x≠1)", "no solution"},
      // Quadratic.
      {"x^2=49", "x=±7"},
      {"x^2-9=0", "x^2=9", "x=3 or x=-3"},
      {"x^2-9=0", "(x-3)(x+3)=0", "x=3 oder x=-3"},
      {"2x^2=50", "x^2=25", "x=5 or -5"},
      {"x^2-5x+6=0", "(x-2)(x-3)=0", "x-2=0 or x-3=0", "L={2;3}"},
      {"x^2=5x", "x^2-5x=0", "x(x-5)=0", "x=0 or x-5=0", "x_1=0, x_2=5"},
      {"(x-1)^2=16", "x-1=±4", "x=1±4", "x=5 or x=-3"},
      {"x^2+2x-8=0", "x^2+2x+1=9", "(x+1)^2=9", "x+1=3 or x+1=-3", "x=2 or x=-4"},
      {"x^2=7", "x=±√7"},
      // None and every number.
      {"2x+1=2x+4", "1=4", "no solution"},
      {"3(x+1)=3x+3", "3x+3=3x+3", "0=0", "every number"},
      {"x=x+1", "0=1", "L={}"},
      {"2(x+3)-2x=5", "2x+6-2x=5", "6=5", "keine Lösung"},
      {"x^2+2x-8=0", "x_{1,2}=-1±√(1+8)"},
      {"3x=12", "x=12/3=4"},
      {"2x+3x=25", "2x+3x=5x=25", "x=25:5=5"},
      // Other letters.
      {"3a-4=11", "3a=15", "a=5"},
      {"2(y-1)=y+4", "2y-2=y+4", "y-2=4", "y=6"},
      {"t/2-1=t/3", "3t-6=2t", "t-6=0", "t=6"},
      // Numbers.
      {"1/2+1/3", "3/6+2/6", "5/6"},
      {"3/4-1/6", "9/12-2/12", "7/12"},
      {"2/3*9/4", "18/12", "3/2"},
      {"2/3*9/4", "(2*9)/(3*4)", "3/2", "1 1/2"},
      {"3/4:2/5", "3/4*5/2", "15/8"},
      {"2+3*4", "2+12", "14"},
      {"(2+3)*4-6:2", "5*4-3", "20-3", "17"},
      {"1 1/2+2 1/4", "3/2+9/4", "6/4+9/4", "15/4"},
      {"1 1/2+2 1/4", "3+3/4", "3 3/4"},
      {"0.5*0.3+1", "0.15+1", "1.15"},
      {"12*34", "12*30+12*4", "360+48", "408"},
      {"-3-(-5)", "-3+5", "2"},
      {"2^3-1", "8-1", "7"},
      {"(1/2+1/4)*2/3", "(2/4+1/4)*2/3", "3/4*2/3", "6/12", "1/2"},
  };
  return solutions;
}

TEST_F(LearnerLinesTest, RightLinesAreRightAndNeverSaidNotToBeCloser) {
  std::size_t count = 0;
  for (const Solution& solution : RightSolutions()) {
    std::string current = Read(solution.front());
    for (std::size_t i = 1; i < solution.size(); ++i) {
      const StepCheck check = tutor_.Check(current, solution[i], kSteadyLines);
      ASSERT_TRUE(check.correct()) << current << " => " << solution[i] << ": " << check.message;
      EXPECT_NE(check.kind, StepCheck::Kind::kNotCloser) << current << " => " << solution[i];
      if (i + 1 == solution.size()) {
        EXPECT_EQ(check.kind, StepCheck::Kind::kSolved) << current << " => " << solution[i];
      }
      current = check.state;
      ++count;
    }
    // Skipping lines is as right.
    const std::string problem = Read(solution.front());
    for (std::size_t i = 2; i < solution.size(); ++i) {
      const StepCheck check = tutor_.Check(problem, solution[i], kSteadyLines);
      EXPECT_TRUE(check.correct()) << problem << " => " << solution[i] << ": " << check.message;
      EXPECT_NE(check.kind, StepCheck::Kind::kNotCloser) << problem << " => " << solution[i];
    }
  }
  EXPECT_GE(count, 300U);
}

// A whole solution in one text.
TEST_F(LearnerLinesTest, RightSolutionsAreRightAsAWhole) {
  for (const Solution& solution : RightSolutions()) {
    const std::vector<std::string> lines(solution.begin() + 1, solution.end());
    for (const StepCheck& check : tutor_.CheckLines(Read(solution.front()), lines, kSteadyLines)) {
      EXPECT_TRUE(check.correct() && !check.after_mistake) << solution.front() << ": " << check.state << ": " << check.message;
    }
  }
}

// Characters of right lines changed, left out and put in at random: any text ends in a verdict.
TEST_F(LearnerLinesTest, AnyTextEndsInAVerdict) {
  Random random(23);
  const std::string_view characters = "0123456789x+-*/=()[]{}|;:,.^ \\\nLor±√";
  const auto below = [&](std::size_t bound) {
    return static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(bound)));
  };
  std::size_t readable = 0;
  for (int round = 0; round < Repetitions(30, 5); ++round) {
    for (const Solution& solution : RightSolutions()) {
      const std::string current = Read(solution.front());
      std::string line = solution[1 + below(solution.size() - 1)];
      for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
        const std::size_t place = below(line.size() + 1);
        const char character = characters[below(characters.size())];
        switch (below(3)) {
          case 0:
            line.insert(place, 1, character);
            break;
          case 1:
            if (place < line.size()) line.erase(place, 1);
            break;
          default:
            if (place < line.size()) line[place] = character;
        }
      }
      const std::vector<std::string> lines{line};
      for (const StepCheck& check : CheckLines(*domain_, current, lines)) {
        EXPECT_FALSE(check.message.empty()) << current << " => " << line;
        EXPECT_EQ(check.state.empty(), check.kind == StepCheck::Kind::kUnreadable) << current << " => " << line;
        if (check.state.empty()) continue;
        ++readable;
        EXPECT_EQ(domain_->Parse(check.state).state, check.state) << current << " => " << line;
      }
    }
  }
  EXPECT_GT(readable, Repetitions(1'000U, 150U));
}

struct WrongLine {
  std::string_view before;
  std::string_view after;
  std::string_view answer;  // that must not be in what is said
};

TEST_F(LearnerLinesTest, WrongLinesAreWrongAndNoAnswerIsSaid) {
  for (const WrongLine& wrong : {
           WrongLine{"x+5=12", "x=17", "7"},
           WrongLine{"x+5=12", "x=-7", "x = 7"},
           WrongLine{"x-8=3", "x=-5", "11"},
           WrongLine{"x-8=3", "x=5", "11"},
           WrongLine{"3x=12", "x=9", "x = 4"},
           WrongLine{"3x=12", "x=36", "x = 4"},
           WrongLine{"3x=12", "x=3", "x = 4"},
           WrongLine{"3x=12", "x=1/4", "x = 4"},
           WrongLine{"-4x=20", "x=5", "-5"},
           WrongLine{"-4x=20", "x=24", "-5"},
           WrongLine{"x/5=3", "x=3/5", "15"},
           WrongLine{"x/5=3", "x=8", "15"},
           WrongLine{"2x+3=7", "2x=10", "x = 2"},
           WrongLine{"2x+3=7", "5x=7", "x = 2"},
           WrongLine{"2x+3=7", "2x=7", "x = 2"},
           WrongLine{"2x+3=7", "x+3=3.5", "x = 2"},
           WrongLine{"2x+3=7", "x=5", "x = 2"},
           WrongLine{"2x+3=7", "2x=5", "x = 2"},
           WrongLine{"2x+3=7", "x+3=7", "x = 2"},
           WrongLine{"7-x=3", "x=-4", "x = 4"},
           WrongLine{"7-x=3", "x=10", "x = 4"},
           WrongLine{"7-x=3", "x=3-7", "x = 4"},
           WrongLine{"10-2x=4", "8x=4", "x = 3"},
           WrongLine{"10-2x=4", "2x=-6", "x = 3"},
           WrongLine{"5x+3=2x+12", "7x=9", "x = 3"},
           WrongLine{"5x+3=2x+12", "3x=15", "x = 3"},
           WrongLine{"5x+3=2x+12", "8x=14x", "x = 3"},
           WrongLine{"5x+3=2x+12", "5x-2x=12+3", "x = 3"},
           WrongLine{"4x+2-x+5=16", "5x+7=16", "x = 3"},
           WrongLine{"4x+2-x+5=16", "3x-3=16", "x = 3"},
           WrongLine{"7x-x=12", "7=12", "x = 2"},
           WrongLine{"3(x-2)=9", "3x-2=9", "x = 5"},
           WrongLine{"3(x-2)=9", "3x+6=9", "x = 5"},
           WrongLine{"3(x-2)=9", "3x-5=9", "x = 5"},
           WrongLine{"5-(x-2)=4", "5-x-2=4", "x = 3"},
           WrongLine{"5-2(x-1)=1", "3(x-1)=1", "x = 3"},
           WrongLine{"5-2(x-1)=1", "5-2x-2=1", "x = 3"},
           WrongLine{"-2(x-3)=8", "-2x-6=8", "-1"},
           WrongLine{"(x+3)^2=25", "x^2+9=25", "x = 2"},
           WrongLine{"(x+3)^2=25", "x+3=5", "x = 2"},
           WrongLine{"(x+1)(x+2)=12", "x+1=12 or x+2=12", "x = 2"},
           WrongLine{"(x+1)(x+2)=12", "x^2+2=12", "x = 2"},
           WrongLine{"x^2=16", "x=8", "4"},
           WrongLine{"x^2=16", "x=4", "-4"},
           WrongLine{"x^2=-16", "x=±4", "no "},
           WrongLine{"x^2=3x", "x=3", "x = 0"},
           WrongLine{"x/2+x/3=5", "2x/5=5", "x = 6"},
           WrongLine{"x/2+x/3=5", "3x+2x=5", "x = 6"},
           WrongLine{"x/2+x/3=5", "x+x=30", "x = 6"},
           WrongLine{"x/3+2=5", "x+2=15", "9"},
           WrongLine{"(2x+6)/2=5", "x+6=5", "x = 2"},
           WrongLine{"(3x+8)/5=(x-2)/4", "5(3x+8)=4(x-2)", "-6"},
           WrongLine{"(3x+8)/5=(x-2)/4", "12x+8=5x-2", "-6"},
           WrongLine{"2/3 x=8", "x=16/3", "12"},
           WrongLine{"12/x=3", "x=36", "x = 4"},
           WrongLine{"12/x=3", "x=3/12", "x = 4"},
           WrongLine{"2/(x+1)=3", "2=3x+1", "-1/3"},
           WrongLine{"0.5x+1.2=3", "5x+12=3", "3.6"},
           WrongLine{"2x+1=2x+4", "x=3", "no solution"},
           WrongLine{"3x+3=3x+3", "x=0", "for every"},
           WrongLine{"4x=0", "no solution", "x = 0"},
           WrongLine{"4x=0", "x=4", "x = 0"},
           WrongLine{"1/2+1/3", "2/5", "5/6"},
           WrongLine{"1/2+1/3", "2/6", "5/6"},
           WrongLine{"3/4-1/6", "2/2", "7/12"},
           WrongLine{"2/3*9/4", "8/27", "3/2"},
           WrongLine{"3/4:2/5", "6/20", "15/8"},
           WrongLine{"2+3*4", "20", "14"},
           WrongLine{"12*34", "12*30+4", "408"},
           WrongLine{"-3-(-5)", "-8", "is 2"},
           WrongLine{"2^3-1", "6-1", "is 7"},
           WrongLine{"0.5*0.3", "1.5", "0.15"},
           WrongLine{"8:2*4", "1", "16"},
       }) {
    for (const char* const language : {"en", "de"}) {
      const StepCheck check = CheckStep(*domain_, Read(wrong.before), wrong.after, {}, language);
      EXPECT_EQ(check.kind, StepCheck::Kind::kNotEquivalent) << wrong.before << " => " << wrong.after << ": " << check.message;
      EXPECT_EQ(check.message.find(wrong.answer), std::string::npos) << wrong.before << ": " << check.message;
      EXPECT_EQ(check.message.find('='), std::string::npos) << wrong.before << ": " << check.message;
    }
  }
}

}  // namespace
}  // namespace conpole
