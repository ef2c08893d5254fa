#include "experiments/text_distances.h"

#include <string>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(TextDistancesTest, CountsEdits) {
  EXPECT_EQ(EditDistance("", ""), 0U);
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("abc", ""), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance("intention", "execution"), 5U);
  EXPECT_EQ(EditDistance("(x + 10) = 27", "17 = (x + 10)"), EditDistance("17 = (x + 10)", "(x + 10) = 27"));
  EXPECT_EQ(EditDistance("2x = 2", "8x = 72"), 2U);
}

TEST(TextDistancesTest, WritesNumbersAsN) {
  EXPECT_EQ(WithNumbersAsN("(17 - 2x) = 105"), "(N - Nx) = N");
  EXPECT_EQ(WithNumbersAsN("[2/3]x = -9"), "[N/N]x = -N");
  EXPECT_EQ(WithNumbersAsN(""), "");
}

TEST(TextDistancesTest, ShapesAreOfTemplatesNotOfNumbers) {
  const std::string shape = "(Nx - N) = N";
  for (const char* const text : {"(2x - 7) = (-3)", "(-5x - 1) = 4", "(12x - (-3)) = 0", "(5x - -8) = 1"}) {
    EXPECT_EQ(ShapeOf(text), shape) << text;
  }
  EXPECT_NE(ShapeOf("(2x + 7) = 3"), shape);
  EXPECT_NE(ShapeOf("(x - 7) = 3"), shape);
  EXPECT_EQ(ShapeOf("-x = 9"), "-x = N") << "this minus is no sign of a number";
  EXPECT_EQ(ShapeOf("x-3 = 1"), "x-N = N") << "nor is this";
  EXPECT_EQ(ShapeOf("[=|==]"), "[=|==]");
}

TEST(TextDistancesTest, CountsUnknownsSumsAndProducts) {
  EXPECT_EQ(CountsOf("(9x + 4) = ((-5x + 14) + 13x)"), (Counts{3, 3, 3}));
  EXPECT_EQ(CountsOf("2x = 2"), (Counts{1, 0, 1}));
  EXPECT_EQ(CountsOf("6 = (x / 5)"), (Counts{1, 0, 1}));
  EXPECT_EQ(CountsOf("(x - 21) = -6"), (Counts{1, 1, 0})) << "a sign is no sum";
  EXPECT_EQ(CountsOf("42 = (-7 * (x - 3))"), (Counts{1, 1, 1}));
  EXPECT_EQ(CountsOf("-x = 9(x - 10)"), (Counts{2, 1, 1}));
  EXPECT_EQ(CountsOf("([2/3]x + 5) = (20 - x)"), (Counts{2, 2, 2}));
  EXPECT_EQ(CountsOf(""), (Counts{0, 0, 0}));
  EXPECT_EQ(CountsDistance({1, 0, 1}, {3, 3, 0}), 6U);
}

TEST(TextDistancesTest, CountsCharacters) {
  EXPECT_EQ(CharacterCountsDistance(CharacterCountsOf("(x + 1)"), CharacterCountsOf("(9 + x)")), 0U);
  EXPECT_EQ(CharacterCountsDistance(CharacterCountsOf("[=|==]"), CharacterCountsOf("[=|=|=]")), 1U);
  EXPECT_EQ(CharacterCountsDistance(CharacterCountsOf("12"), CharacterCountsOf("x")), 3U);
}

}  // namespace
}  // namespace conpole
