#include "explain/algebra_description.h"

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "language/catalogue.h"
#include "language/signs.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "tutor/practice_skills.h"
#include "tutor/tutor.h"

namespace conpole {
namespace {

constexpr TutorBudget kSteadyHints{.milliseconds = 600'000, .expansions = 3'000};

class AlgebraHintsTest : public testing::Test {
 protected:
  AlgebraHintsTest() : domain_(MakeDomain("algebra")), scorer_(MakeScorer("lines", domain_->type(), 0)) {}

  std::string HintFor(std::string_view text, int level, const std::string& language = "en") {
    Tutor tutor(*domain_, *scorer_, pool_, {.explain = {.language = language}});
    return tutor.Hint(ReadNotation(*domain_, text).state, level, kSteadyHints).text;
  }

  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Scorer> scorer_;
};

TEST_F(AlgebraHintsTest, TheFirstHintSaysWhatTheStepIsFor) {
  EXPECT_EQ(HintFor("x+3=8", 1), "The term with the unknown should stand alone on its side.");
  EXPECT_EQ(HintFor("5x+2=3x+10", 1), "The terms with the unknown should stand on one side.");
  EXPECT_EQ(HintFor("x^2+24=36-x", 1), "Bring everything to one side, so that 0 is left on the other.");
  EXPECT_EQ(HintFor("-3x=12", 1), "The unknown should stand without a factor.");
  EXPECT_EQ(HintFor("-x=12", 1), "The unknown should stand without a minus sign.");
  EXPECT_EQ(HintFor("x/4=3", 1), "Get rid of the denominator.");
  EXPECT_EQ(HintFor("x/2+x/3=5", 1), "Get rid of the denominators.");
  EXPECT_EQ(HintFor("5-(x+2)=1", 1), "Get rid of the bracket.");
  EXPECT_EQ(HintFor("3(x-2)+4=2(x+5)", 1), "Get rid of the brackets.");
  EXPECT_EQ(HintFor("3+4*5", 1), "What has to be worked out first?");
  EXPECT_EQ(HintFor("23*45", 1), "Work it out.");
  EXPECT_EQ(HintFor("x^2=9", 1), "Which numbers give this when they are squared?");
  EXPECT_EQ(HintFor("1/5+2/5", 1, "de"), "Die Nenner sind gleich. Was heißt das für die Zähler?");
  EXPECT_EQ(HintFor("x+3=8", 1, "de"), "Der Term mit der Unbekannten soll auf seiner Seite allein stehen.");
}

TEST_F(AlgebraHintsTest, TheSecondHintDoesNotGiveTheAnswerAway) {
  EXPECT_EQ(HintFor("x^2=-4", 2), "Think of the signs: can an even power be negative?");
  EXPECT_EQ(HintFor("x^3=-8", 2), "Take the cube root of both sides of x^3 = -8.") << "an odd power can be negative";
  EXPECT_EQ(HintFor("x^2+x+1=0", 2), "Use the quadratic formula.");
  EXPECT_EQ(HintFor("1=2", 2), "Compare the two sides: can they be equal?");
  EXPECT_EQ(HintFor("x=3; x!=3", 2), "Compare what you have with the conditions.");
  EXPECT_NE(HintFor("x^2=-4", 3).find("no solution"), std::string::npos);
}

// Along the whole solution, in both languages.
TEST_F(AlgebraHintsTest, OnlyTheThirdHintHasTheLine) {
  for (const std::string& language : Catalogue::Languages()) {
    Tutor tutor(*domain_, *scorer_, pool_, {.explain = {.language = language}});
    for (const Skill* const skill : SkillsOf("algebra")) {
      for (std::size_t level = 1; level <= skill->levels.size(); ++level) {
        const TutorSolution solution = tutor.Solve(MakeExercise(*skill, level, 3), kSteadyHints);
        for (const TutorStep& step : solution.steps) {
          const std::string first = tutor.Hint(step.before, 1, kSteadyHints).text;
          const std::string second = tutor.Hint(step.before, 2, kSteadyHints).text;
          const TutorHint third = tutor.Hint(step.before, 3, kSteadyHints);
          ASSERT_TRUE(third.step) << step.before;
          const std::string line = WithSigns(third.step->notation);
          EXPECT_NE(third.text.find(line), std::string::npos) << third.text;
          EXPECT_NE(first, second) << step.before;
          // A short number may stand in a sentence by chance.
          constexpr std::size_t kTelling = 3;
          if (line.size() < kTelling) continue;
          EXPECT_EQ(first.find(line), std::string::npos) << step.before << ": " << first;
          EXPECT_EQ(second.find(line), std::string::npos) << step.before << ": " << second;
        }
      }
    }
  }
}

}  // namespace
}  // namespace conpole
