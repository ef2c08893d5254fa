#include "domains/school/algebra_actions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole::algebra {
namespace {

class AlgebraActionsTest : public testing::Test {
 protected:
  std::string After(std::string_view state, std::string_view label) const {
    return Next(*domain_, state, label).value_or("no such action");
  }
  std::vector<std::string> Labels(std::string_view state) const {
    std::vector<std::string> labels;
    for (const auto& [label, next] : ExpandCopy(*domain_, state).actions) labels.push_back(label);
    return labels;
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("algebra");
};

TEST_F(AlgebraActionsTest, OneLineOfAPersonIsOneAction) {
  EXPECT_EQ(After("2x + 3 = 7", "subtract 3"), "2x = 4");
  EXPECT_EQ(After("2x = 4", "divide 2"), "x = 2");
  EXPECT_EQ(After("7 - x = 3", "add x"), "7 = 3 + x");
  EXPECT_EQ(After("5x + 2 = 3x + 8", "subtract 3x"), "2x + 2 = 8");
  EXPECT_EQ(After("4x + 2 - x + 5 = 16", "collect left"), "3x + 7 = 16");
  EXPECT_EQ(After("3(x - 2) + 4 = 10", "expand 3(x - 2)"), "3x - 6 + 4 = 10");
  EXPECT_EQ(After("2(x + 1) = 3(x - 2)", "expand all"), "2x + 2 = 3x - 6");
  EXPECT_EQ(After("(3x + 8)/5 = (x - 2)/4", "multiply 20"), "4(3x + 8) = 5(x - 2)");
  EXPECT_EQ(After("x/2 + x/3 + x/4 = 13", "multiply 12"), "6x + 4x + 3x = 156");
  EXPECT_EQ(After("3 = x", "swap"), "x = 3");
  EXPECT_EQ(After("3(x - 2) = 9", "divide 3"), "x - 2 = 3");
  EXPECT_EQ(After("0.5x = 1.8", "divide 0.5"), "x = 3.6");
}

TEST_F(AlgebraActionsTest, TheCommonDenominatorHasTheHighestPowers) {
  EXPECT_EQ(After("1/x^2 = 4/x", "multiply x^2"), "1 = 4x; x != 0");
  EXPECT_EQ(After("4/x = 1/x^2", "multiply x^2"), "4x = 1; x != 0");
  EXPECT_EQ(After("1/(x + 1) = 2/(x + 1)^3", "multiply (x + 1)^3"), "(x + 1)^2 = 2; x != -1");
}

TEST_F(AlgebraActionsTest, ConditionsAreCarriedAndSettled) {
  EXPECT_EQ(After("2/(x + 1) = 3", "multiply x + 1"), "2 = 3(x + 1); x != -1");
  EXPECT_EQ(After("1/(x^2 - 1) = 1/(x - 1)", "multiply (x + 1)(x - 1)"), "1 = x + 1; x != -1, x != 1");
  EXPECT_EQ(After("x/x = 1", "reduce x/x"), "1 = 1; x != 0");
  EXPECT_EQ(After("0/x = 0", "collect left"), "0 = 0; x != 0");
  EXPECT_EQ(After("x = 1; x != 1", "settle"), "no solution");
  EXPECT_EQ(After("x = 1 or x = 2; x != 1", "settle"), "x = 2");
  EXPECT_EQ(After("x = 3; x != 1", "settle"), "x = 3");
  EXPECT_EQ(After("x = sqrt(2) or x = -sqrt(2) or x = 1; x^2 - 2 != 0", "settle"), "x = 1");
  EXPECT_EQ(After("1/x = 1/x", "conclude"), "every number; x != 0");
  EXPECT_EQ(After("1/(x^2 - 2) = 3", "multiply x^2 - 2"), "1 = 3(x^2 - 2); x^2 - 2 != 0");
}

TEST_F(AlgebraActionsTest, NothingIsDividedByTheUnknown) {
  for (const std::string_view state : {"x^2 = 2x", "2x/3 = x/5", "x(x - 1) = 3x", "x = 2x"}) {
    for (const std::string& label : Labels(state)) {
      EXPECT_FALSE(AxiomOf(label) == "divide" && label.find('x') != std::string::npos) << state << " | " << label;
    }
  }
}

// What a teacher writes: denominators go at once, and what begins with a minus sign is added.
TEST_F(AlgebraActionsTest, DenominatorsGoBeforeAnythingIsMoved) {
  EXPECT_EQ(After("2/x + 1/3 = 1", "multiply 3x"), "6 + x = 3x; x != 0");
  EXPECT_EQ(After("2/x + 1/3 = 1", "subtract 1/3"), "no such action");
  EXPECT_EQ(After("x^2 = -2x - 1", "add 2x + 1"), "x^2 + 2x + 1 = 0");
  EXPECT_EQ(After("x^2 = 2x - 1", "subtract 2x - 1"), "x^2 - 2x + 1 = 0");
}

TEST_F(AlgebraActionsTest, PowersAndProducts) {
  EXPECT_EQ(After("(x - 2)(2x + 3) = 0", "split"), "x = 2 or 2x + 3 = 0");
  EXPECT_EQ(After("x(x^2 - 3) = 0", "split"), "x = 0 or x^2 - 3 = 0");
  EXPECT_EQ(After("x^2 = 9", "root 2"), "x = 3 or x = -3");
  EXPECT_EQ(After("(x - 1)^2 = 4", "root 2"), "x - 1 = 2 or x - 1 = -2");
  EXPECT_EQ(After("(2x - 1)^2 = 2", "root 2"), "x = (1 + sqrt(2))/2 or x = (1 - sqrt(2))/2");
  EXPECT_EQ(After("x^2 = -1", "root 2"), "no solution");
  EXPECT_EQ(After("x^2 = 0", "split"), "x = 0");
  EXPECT_EQ(After("x^3 = -8", "root 3"), "x = -2");
  EXPECT_EQ(After("x^2 - 5x + 6 = 0", "factor"), "(x - 2)(x - 3) = 0");
  EXPECT_EQ(After("2x^2 - 8x = 0", "factor"), "2x(x - 4) = 0");
  EXPECT_EQ(After("x^2 - x - 1 = 0", "factor"), "no such action");
  EXPECT_EQ(After("x^2 - x - 1 = 0", "formula"), "x = (1 + sqrt(5))/2 or x = (1 - sqrt(5))/2");
  EXPECT_EQ(After("x^2 = 5x - 6", "subtract 5x - 6"), "x^2 - 5x + 6 = 0");
}

TEST_F(AlgebraActionsTest, RootsOfAnyDegree) {
  EXPECT_EQ(After("x^3 = 2", "root 3"), "x = cbrt(2)");
  EXPECT_EQ(After("x^3 = -16", "root 3"), "x = -2cbrt(2)");
  EXPECT_EQ(After("x^3 = 1/2", "root 3"), "x = cbrt(4)/2");
  EXPECT_EQ(After("x^4 = 2", "root 4"), "x = root(4, 2) or x = -root(4, 2)");
  EXPECT_EQ(After("x^4 = 4", "root 4"), "x = sqrt(2) or x = -sqrt(2)");
  EXPECT_EQ(After("(2x - 1)^3 = 5", "root 3"), "x = (1 + cbrt(5))/2");
  EXPECT_EQ(After("(1 - x)^3 = 5", "root 3"), "x = 1 - cbrt(5)");
  EXPECT_EQ(After("(1 - x)^2 = 5", "root 2"), "x = 1 + sqrt(5) or x = 1 - sqrt(5)");
  EXPECT_EQ(After("x^4 = -2", "root 4"), "no solution");
  EXPECT_EQ(After("x = cbrt(2) or x = 1; x^3 - 2 != 0", "settle"), "x = 1");
  EXPECT_EQ(After("x = cbrt(2) or x = cbrt(16)/2", "settle"), "x = cbrt(2)");
}

TEST_F(AlgebraActionsTest, PolynomialsInAPowerOfTheUnknown) {
  EXPECT_EQ(After("x^4 - 5x^2 + 6 = 0", "factor"), "(x^2 - 2)(x^2 - 3) = 0");
  EXPECT_EQ(After("2x^6 - 18x^3 + 16 = 0", "factor"), "2(x^3 - 1)(x^3 - 8) = 0");
  EXPECT_EQ(After("x^4 - 5x^2 + 4 = 0", "factor"), "(x + 2)(x + 1)(x - 1)(x - 2) = 0");
  EXPECT_EQ(After("x^4 - x^2 - 1 = 0", "factor"), "no such action");
}

// What a teacher would not write is not offered.
TEST_F(AlgebraActionsTest, StepsOfATeacher) {
  const std::string none = "no such action";
  // Brackets are multiplied out before terms are moved, and denominators are cleared.
  EXPECT_EQ(After("9 - (2x - 7) = 3x + 1", "add 2x - 7"), none);
  EXPECT_EQ(After("x - (x + 1)/4 = 5", "add (x + 1)/4"), none);
  EXPECT_EQ(After("7x/10 - 3/5 = x/2", "subtract x/2"), none);
  EXPECT_EQ(After("x/2 + x/3 = 5", "collect left"), none);
  EXPECT_EQ(After("x/5 + 2x/5 = 3", "collect left"), "3x/5 = 3");
  EXPECT_EQ(After("12(x + x/12) = x", "collect left"), "13x = x");
  EXPECT_EQ(After("2(x + 1) + 4x = 5", "subtract 4x"), none);
  EXPECT_EQ(After("2(x + 1) + 4 = 5", "subtract 4"), "2(x + 1) = 1");
  // A factor of a bracket is divided by, with its sign, where whole numbers or decimals come of it.
  EXPECT_EQ(After("-4(x + 2) = 12", "divide -4"), "x + 2 = -3");
  EXPECT_EQ(After("0.5(x + 6) = 7", "divide 0.5"), "x + 6 = 14");
  EXPECT_EQ(After("-3(x + 8) = 8", "divide -3"), none);
  EXPECT_EQ(After("18/x = 6", "divide 6"), none);
  // A part is multiplied by its own denominator.
  EXPECT_EQ(After("x/2 = 5/4", "multiply 2"), "x = 5/2");
  EXPECT_EQ(After("3/10 = -x/5", "multiply -5"), "-3/2 = x");
  // Squares that cancel go first, and what is 0 has the highest power first.
  EXPECT_EQ(After("x^2 - 3x + 7 = x^2 + 2x - 8", "subtract x^2 + 2x - 8"), none);
  EXPECT_EQ(After("2x^2 + 2 = 5x", "subtract 5x"), "2x^2 - 5x + 2 = 0");
  // The formula is for what people do not see the factors of.
  EXPECT_EQ(After("x^2 - 5x + 6 = 0", "formula"), none);
  EXPECT_EQ(After("x^2 - 2 = 0", "formula"), none);
  EXPECT_EQ(After("12x^2 - 31x - 15 = 0", "formula"), "x = 3 or x = -5/12");
}

TEST_F(AlgebraActionsTest, EquationsWithOneLeftSideAreSolvedTogether) {
  EXPECT_EQ(After("x - 7 = 5 or x - 7 = -5", "add 7"), "x = 12 or x = 2");
  EXPECT_EQ(After("x = 1 or 2x = 4 or 2x = -2", "divide 2"), "x = 1 or x = 2 or x = -1");
}

TEST_F(AlgebraActionsTest, OfSeveralEquationsTheFirstOpenOneIsWorkedOn) {
  EXPECT_EQ(After("x = 1 or x - 1 = 2 or x + 1 = -2", "add 1"), "x = 1 or x = 3 or x + 1 = -2");
  EXPECT_EQ(After("x = 0 or x^2 = -1", "root 2"), "x = 0");
  EXPECT_EQ(After("0 = 1 or x = 2", "conclude"), "x = 2");
  EXPECT_EQ(After("x = 2 or 0 = 0; x != 1", "conclude"), "every number; x != 1");
}

TEST_F(AlgebraActionsTest, NumbersFromTheInsideOut) {
  EXPECT_EQ(Labels("2 * (3 + 4)"), (std::vector<std::string>{"evaluate 3 + 4"}));
  EXPECT_EQ(After("2 * 3 + 4 * 5", "evaluate all"), "6 + 20");
  EXPECT_EQ(After("1/2 + 1/3", "common 1/2 + 1/3"), "3/6 + 2/6");
  EXPECT_EQ(After("2 + 1/3", "common 2 + 1/3"), "6/3 + 1/3");
  EXPECT_EQ(After("3/6 - 5/6", "sum 3/6 - 5/6"), "-2/6");
  EXPECT_EQ(After("-2/6", "reduce 2/6"), "-1/3");
  EXPECT_EQ(After("2/3 * 3/4", "product 2/3 * 3/4"), "1/2");
  EXPECT_EQ(After("1/2 - 1/2", "sum 1/2 - 1/2"), "0");
  EXPECT_EQ(After("3/4 * 0", "product 3/4 * 0"), "0");
  EXPECT_EQ(After("(0 + 1/2)/2", "common 0 + 1/2"), "(0/2 + 1/2)/2");
  EXPECT_EQ(After("(1/2)/(-3/4)", "invert (1/2)/(-3/4)"), "-1/2 * 4/3");
  EXPECT_EQ(After("3/(1/2)", "invert 3/(1/2)"), "3 * 2");
  EXPECT_EQ(After("2 1/4 + 1 1/2", "convert all"), "9/4 + 3/2");
  EXPECT_EQ(After("0.5 + 1/3", "convert 0.5"), "1/2 + 1/3");
  EXPECT_EQ(After("0.1 * 0.2", "evaluate 0.1 * 0.2"), "0.02");
  EXPECT_EQ(After("(2/3)^2", "evaluate (2/3)^2"), "4/9");
  EXPECT_EQ(After("2 * (-(-3))", "evaluate 2 * (-(-3))"), "6");
  EXPECT_EQ(After("999999999999999999999999999999 * 999999999999999999999999999999",
                  "evaluate 999999999999999999999999999999 * 999999999999999999999999999999"),
            "999999999999999999999999999998000000000000000000000000000001");
}

TEST_F(AlgebraActionsTest, StepsSayWhatTheyDid) {
  const std::vector<Step> steps = ListSteps(Read("x = 1 or 2x + 3 = 7").state);
  ASSERT_FALSE(steps.empty());
  bool found = false;
  for (const Step& step : steps) {
    EXPECT_EQ(step.equation, 1U);
    EXPECT_EQ(TextOf(step.next), step.text);
    if (step.action != Action::kSubtract || step.operand != "3") continue;
    found = true;
    EXPECT_EQ(step.Label(), "subtract 3");
    EXPECT_EQ(step.text, "x = 1 or 2x = 4");
    EXPECT_TRUE(step.new_conditions.empty());
  }
  EXPECT_TRUE(found);
  for (const Step& step : ListSteps(Read("2/(x + 1) = 3").state)) {
    if (step.action != Action::kMultiply) continue;
    EXPECT_EQ(step.new_conditions, (std::vector<Polynomial>{{1, 1}}));
  }
}

TEST_F(AlgebraActionsTest, SuccessorsAreFew) {
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    most = std::max(most, ExpandCopy(*domain_, domain_->Generate(seed)).actions.size());
  EXPECT_LE(most, 25U);
}

TEST_F(AlgebraActionsTest, WhatWouldBeTooLargeIsNotOffered) {
  const std::string nines(900, '9');
  EXPECT_EQ(domain_->Parse(nines + " * " + nines).error->message,
            "the numbers or powers are too large: more than 1000 digits or degree 12");
  const Expansion expansion = ExpandCopy(*domain_, "(x + 1)^6/(x - 2)^6 = (x + 3)^7/(x - 5)^6");
  for (const auto& [label, next] : expansion.actions) EXPECT_FALSE(domain_->Parse(next).error) << label;
}

}  // namespace
}  // namespace conpole::algebra
