// What people type, from the guess of the domain to the answer: each text with the line that it should give.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"

namespace conpole {
namespace {

// Expansions instead of time, so that results do not depend on the machine.
constexpr TutorBudget kSteadyEveryday{.milliseconds = 600'000, .expansions = 1'000};

// The tutor of the domain that a text is guessed to be a problem of.
class Asked {
 public:
  explicit Asked(std::string_view text, std::string language = "en")
      : domain_(MakeDomain(GuessDomain(text, language))),
        policy_(MakePolicy(*domain_, pool_)),
        tutor_(*domain_, *policy_, pool_, {.explain = {.language = language}}) {
    NotationResult read = ReadNotation(*domain_, text, language);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    state_ = std::move(read.state);
  }

  const std::string& domain() const { return domain_->type().name; }
  TutorSolution Solve() { return tutor_.Solve(state_, kSteadyEveryday); }
  StepCheck Check(std::string_view line) { return tutor_.Check(state_, line, kSteadyEveryday); }
  std::string Hint(int level) { return tutor_.Hint(state_, level, kSteadyEveryday).text; }

 private:
  ThreadPool pool_{1};
  std::unique_ptr<Domain> domain_;
  std::unique_ptr<Scorer> policy_;
  Tutor tutor_;
  std::string state_;
};

struct Typed {
  std::string text;
  std::string answer;
};

void ExpectAnswers(const std::vector<Typed>& problems, const std::string& language = "en") {
  for (const Typed& problem : problems) {
    Asked asked(problem.text, language);
    EXPECT_EQ(asked.domain(), "algebra") << problem.text;
    const TutorSolution solution = asked.Solve();
    EXPECT_EQ(solution.answer_notation, problem.answer) << problem.text;
    EXPECT_TRUE(solution.verified()) << problem.text;
    EXPECT_TRUE(solution.has_steps_to_answer()) << problem.text;
    EXPECT_NE(solution.message.find(problem.answer), std::string::npos) << solution.message;
  }
}

TEST(EverydayTest, EquationsThatPeopleType) {
  ExpectAnswers({{"4x+2-x+5=16", "x = 3"},
                 {"8x+6=2x+1-x", "x = -5/7"},
                 {"x/2+x/3+x/4=13", "x = 12"},
                 {"(3x+8)/5=(x-2)/4", "x = -6"},
                 {"(1/2) = ((-3)+4x)/5", "x = 11/8"},
                 {R"(\frac{2x-1}{3}-\frac{x}{2}=1)", "x = 8"},
                 {"2/(x+1)=3", "x = -1/3"},
                 {"3/(x-2)=6", "x = 5/2"},
                 {"(x+2)/(x-1)=4", "x = 2"},
                 {"7-x=3", "x = 4"},
                 {"3(x-2)=9", "x = 5"},
                 {"2x/3=x/5", "x = 0"},
                 {"-x=9", "x = -9"},
                 {"2x=5", "x = 5/2"}});
}

TEST(EverydayTest, NumbersThatPeopleType) {
  ExpectAnswers({{"1/2-1/2", "0"},
                 {"0/5", "0"},
                 {"3/4*0", "0"},
                 {"-3/3", "-1"},
                 {"1/4+1/11", "15/44"},
                 {"17/19+23/29", "930/551"},
                 {"12*34-8", "400"},
                 {"123456789*987654321", "121932631112635269"},
                 {"100*100", "10000"},
                 {"3^2", "9"},
                 {"2^2", "4"},
                 {"1/2 + 1/3 + 1/4", "13/12"},
                 {"(1/2)/(3/4)", "2/3"}});
}

TEST(EverydayTest, NotationsThatPeopleUse) {
  ExpectAnswers({{"1 1/2 x = 3", "x = 2"},
                 {"20% x = 5", "x = 25"},
                 {"6 ÷ 2", "3"},
                 {"8:4", "2"},
                 {"x^2 = 9", "x = 3 or x = -3"},
                 {"2x+3=7.", "x = 2"},
                 {"12*34=", "408"},
                 {"1/2+1/3?", "5/6"},
                 {"2x+3 &= 7", "x = 2"},
                 {R"(\begin{equation} 2x+3=7 \end{equation})", "x = 2"},
                 {R"(2\alpha = 4)", "a = 2"},
                 {"λ + 1 = 2", "l = 1"},
                 {"solve 2x+3=7", "x = 2"},
                 {"Solve for x: 2x+3=7", "x = 2"},
                 {"what is 1/2+1/3?", "5/6"},
                 {"2/3x = 4", "x = 6"},
                 {"1/2(x+4) = 3", "x = 2"},
                 {"(2 / 3x) = 4", "x = 1/6"},
                 {"2 - x = -7", "x = 9"}});
}

TEST(EverydayTest, DecimalsAreAnsweredAsDecimalsWhereExact) {
  ExpectAnswers({{"0.1 + 0.2", "0.3"}, {"2x = 0.5", "x = 0.25"}, {"0.5x = 3", "x = 6"}, {"3x = 1.0", "x = 1/3"}});
}

TEST(EverydayTest, GermanLinesHaveGermanWordsAndCommas) {
  ExpectAnswers({{"0,1 + 0,2", "0,3"},
                 {"2x = 0,5", "x = 0,25"},
                 {"x^2 = 2,25", "x = 1,5 oder x = -1,5"},
                 {"Berechne 3/4*2", "3/2"},
                 {"Löse 2x+3=7 nach x auf.", "x = 2"}},
                "de");
  TutorSolution none = Asked("x = x + 1", "de").Solve();
  EXPECT_EQ(none.answer_notation, "keine Lösung");
  EXPECT_EQ(none.steps.back().notation, "keine Lösung");
  EXPECT_EQ(none.answer, "no solution");
  EXPECT_EQ(Asked("x + 1 = 1 + x", "de").Solve().steps.back().notation, "jede Zahl");
  const TutorSolution decimals = Asked("0,5x = 3", "de").Solve();
  EXPECT_EQ(decimals.notation, "0,5x = 3");
  EXPECT_NE(decimals.steps.front().text.find("0,5"), std::string::npos) << decimals.steps.front().text;
}

TEST(EverydayTest, GermanLinesAreCheckedInGerman) {
  Asked asked("2x = 0,5", "de");
  EXPECT_TRUE(asked.Check("x = 0,25").correct());
  const StepCheck wrong = asked.Check("x = 0,375");
  EXPECT_FALSE(wrong.correct());
  EXPECT_EQ(wrong.message.find('.'), wrong.message.size() - 1) << wrong.message;
  const StepCheck unreadable = asked.Check("x = = 2");
  EXPECT_EQ(unreadable.kind, StepCheck::Kind::kUnreadable);
  EXPECT_NE(unreadable.message.find("erwartet wird"), std::string::npos) << unreadable.message;
}

TEST(EverydayTest, NothingStrangeIsProposed) {
  EXPECT_EQ(Asked("7-x=3").Solve().steps.front().text.find("Multiply"), std::string::npos);
  EXPECT_EQ(Asked("3(x-2)=9").Hint(1).find("order"), std::string::npos);
  // x = 0 solves it, so nothing may be divided by x.
  for (const TutorStep& step : Asked("2x/3=x/5").Solve().steps) EXPECT_NE(step.label, "divide x");
}

TEST(EverydayTest, ListsOfAnyNumbersAreSorted) {
  Asked asked("sort 3 -1.5 2 -4");
  EXPECT_EQ(asked.domain(), "sorting");
  const TutorSolution solution = asked.Solve();
  EXPECT_EQ(solution.notation, "[3, -1.5, 2, -4]");
  EXPECT_EQ(solution.answer_notation, "[-4, -1.5, 2, 3]");
  EXPECT_EQ(solution.steps.back().notation, "[-4, -1.5, 2, 3]");
  EXPECT_TRUE(solution.verified());
  EXPECT_EQ(Asked("Sortiere 2,5; -1", "de").Solve().answer_notation, "[-1; 2,5]");
}

TEST(EverydayTest, ProductsInPowersOfTenAreAnsweredInFull) {
  Asked asked("12e1 * 3e1");
  EXPECT_EQ(asked.domain(), "multiplication");
  const TutorSolution solution = asked.Solve();
  EXPECT_EQ(solution.answer, "36e2");
  EXPECT_EQ(solution.answer_notation, "3600");
}

}  // namespace
}  // namespace conpole
