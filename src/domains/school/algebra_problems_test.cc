#include "domains/school/algebra_problems.h"

#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "domains/school/algebra_text.h"

namespace conpole::algebra {
namespace {

TEST(AlgebraProblemsTest, EveryFamilyHasDifferentOpenProblemsInCanonicalText) {
  for (std::size_t family = 0; family <= Families().size(); ++family) {
    std::set<std::string> problems;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const std::string problem = MakeProblem(family, 12, seed);
      const ReadResult result = Read(problem);
      ASSERT_FALSE(result.error) << problem;
      EXPECT_EQ(TextOf(result.state), problem);
      EXPECT_FALSE(IsSolved(result.state)) << problem;
      problems.insert(problem);
    }
    EXPECT_GT(problems.size(), 100U);
  }
}

TEST(AlgebraProblemsTest, SeedsStayWhatTheyAre) {
  const auto problem = [](std::string_view family, std::uint64_t seed) { return MakeProblem(FindFamily(family), 12, seed); };
  EXPECT_EQ(problem("one-step", 1), "x + 8 = 15");
  EXPECT_EQ(problem("brackets", 2), "7(8x - 4) = -9x + 3");
  EXPECT_EQ(problem("fraction-chains", 3), "5/6 + 4/11 + 7/10 + 6/10 - (1/3 + 3/7)/(2/5)");
  EXPECT_EQ(problem("products", 4), "92863033995831321 * 4133419029219096368");
  EXPECT_EQ(problem("decimals", 5), "9.2 = 12.6x + 6.8");
}

TEST(AlgebraProblemsTest, FamiliesAreWhatTheirNamesSay) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto has = [&](std::string_view family, Kind kind) {
      const State state = Read(MakeProblem(FindFamily(family), 12, seed)).state;
      bool found = Contains(state.expression, kind);
      for (const Equation& equation : state.equations) {
        found = found || Contains(equation.left, kind) || Contains(equation.right, kind);
      }
      return found;
    };
    EXPECT_TRUE(has("denominators", Kind::kQuotient));
    EXPECT_TRUE(has("numerators", Kind::kQuotient));
    EXPECT_FALSE(has("products", Kind::kUnknown));
    EXPECT_FALSE(has("fraction-chains", Kind::kUnknown));
    EXPECT_TRUE(has("products", Kind::kProduct));
  }
}

TEST(AlgebraProblemsTest, AnUnknownFamilyListsTheKnownOnes) {
  try {
    MakeDomain("algebra:family=cubics");
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("domain algebra: there is no family 'cubics'; there are: mixture, one-step")) << message;
  }
}

}  // namespace
}  // namespace conpole::algebra
