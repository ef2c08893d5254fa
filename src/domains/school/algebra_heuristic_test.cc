#include "domains/school/algebra_heuristic.h"

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"

namespace conpole::algebra {
namespace {

TEST(AlgebraHeuristicTest, CountsTheLinesThatAreLeft) {
  const auto lines = [](std::string_view state) { return static_cast<int>(StepsToGo(state)); };
  EXPECT_EQ(StepsToGo("x = 2"), 0);
  EXPECT_EQ(StepsToGo("no solution"), 0);
  EXPECT_EQ(StepsToGo("3/4"), 0);
  EXPECT_EQ(lines("2x = 4"), 1);
  EXPECT_EQ(lines("2x + 3 = 7"), 2);
  EXPECT_EQ(lines("3 = x"), 1);
  EXPECT_EQ(lines("3 = 7 - x"), 2);
  EXPECT_EQ(lines("12x + 32 = 5x - 10"), 3);
  EXPECT_EQ(lines("4(3x + 8) = 5(x - 2)"), 4);
  EXPECT_EQ(lines("(3x + 8)/5 = (x - 2)/4"), 5);
  EXPECT_EQ(lines("2/(x + 1) = 3"), 6);
  EXPECT_EQ(lines("x^2 = 9"), 1);
  EXPECT_EQ(lines("x^2 - 5x + 6 = 0"), 2);
  EXPECT_EQ(lines("x^2 - 3x + 1 = 0"), 1);
  EXPECT_EQ(lines("x^3 = 8"), 1);
  EXPECT_EQ(lines("2x^3 + 1 = 17"), 3);
  EXPECT_EQ(lines("x - 7 = 5 or x - 7 = -5"), 1);
  EXPECT_EQ(lines("(2x - 1)^2 = 9"), 3);
  EXPECT_EQ(lines("x = 2; x != 1"), 1);
  EXPECT_EQ(lines("0 = 5"), 1);
  EXPECT_EQ(lines("12 * 34 - 8"), 2);
  EXPECT_EQ(lines("1/2 + 1/3"), 2);
}

TEST(AlgebraHeuristicTest, CountsWhatIsLeftWherePowersCancel) {
  const auto lines = [](std::string_view state) { return static_cast<int>(StepsToGo(state)); };
  // What cancels takes one line; after it there is a linear equation, a statement or a power less.
  EXPECT_EQ(lines("x^3 + 1 = x^3 + 2"), 2);
  EXPECT_EQ(lines("x^3 = x^3 + 2"), 2);
  EXPECT_EQ(lines("x^5 + 2 = x^5"), 2);
  EXPECT_EQ(lines("x^3 + x = x^3 + 2"), 1);
  EXPECT_EQ(lines("x^3 + 2x + 3 = x^3 + 7"), 3);
  EXPECT_EQ(lines("x^3 + 2 = x^3 + x"), 2);
  EXPECT_EQ(lines("x^4 + x^2 = x^4 + 9"), 2);
  EXPECT_EQ(lines("x^4 + x^3 + 1 = x^4 + x^3 + x"), 3);
}

TEST(AlgebraHeuristicTest, PrefersTheLineOfAPerson) {
  // The unknown goes to one side before the numbers do; denominators go first of all.
  EXPECT_LT(StepsToGo("7x + 32 = -10"), StepsToGo("12x = 5x - 42"));
  // What is added to the only fraction goes before its denominator.
  EXPECT_LT(StepsToGo("x/3 = 5"), StepsToGo("x + 12 = 27"));
  EXPECT_LT(StepsToGo("(x + 2)/3 = 3"), StepsToGo("x + 2 + 12 = 21"));
  EXPECT_LT(StepsToGo("3 * 3"), StepsToGo("36/4"));
  // People would rather have a positive factor, and the squares gone that cancel.
  EXPECT_LT(StepsToGo("18 = 6x"), StepsToGo("18 - 6x = 0"));
  EXPECT_LT(StepsToGo("-8x + 16 = 4x + 4"), StepsToGo("x^2 + 16 = x^2 + 12x + 4"));
}

TEST(AlgebraHeuristicTest, IsSomethingForAllTextsAndZeroForSolvedOnes) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string state = domain->Generate(seed);
    const float steps = StepsToGo(state);
    EXPECT_TRUE(std::isfinite(steps) && steps >= 0.5F) << state;
  }
  EXPECT_GT(StepsToGo("x = = 1"), 100);
  EXPECT_GT(StepsToGo(""), 100);
}

}  // namespace
}  // namespace conpole::algebra
