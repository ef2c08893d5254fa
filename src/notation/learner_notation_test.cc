#include "notation/learner_notation.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"

namespace conpole {
namespace {

using Lines = std::vector<std::string>;

TEST(LearnerNotationTest, SplitsTextsIntoLines) {
  EXPECT_EQ(SplitLearnerLines("", "2x+3=7\n2x=4\r\n\nx=2\n"), (Lines{"2x+3=7", "2x=4", "x=2"}));
  EXPECT_EQ(SplitLearnerLines("", "2x=4 <=> x=2"), (Lines{"2x=4", "x=2"}));
  EXPECT_EQ(SplitLearnerLines("", "2x=4 ⇔ x=2"), (Lines{"2x=4", "x=2"}));
  EXPECT_EQ(SplitLearnerLines("", "2x=4 => x=2"), (Lines{"2x=4", "x=2"}));
  EXPECT_EQ(SplitLearnerLines("", "2x=4 \\Leftrightarrow x=2"), (Lines{"2x=4", "x=2"}));
  EXPECT_EQ(SplitLearnerLines("", "2x &= 4 \\\\ x &= 2"), (Lines{"2x &= 4", "x &= 2"}));
  EXPECT_EQ(SplitLearnerLines("2x=4", "⇒ x = 2"), Lines{"x = 2"});
  EXPECT_EQ(SplitLearnerLines("", "1/2+1/3 = 3/6+2/6 = 5/6"), (Lines{"1/2+1/3", "3/6+2/6", "5/6"}));
  EXPECT_EQ(SplitLearnerLines("1/2 + 1/3", "1/2+1/3 = 5/6"), Lines{"5/6"});
  EXPECT_EQ(SplitLearnerLines("1/2 + 1/3", "= 5/6"), Lines{"5/6"});
  EXPECT_EQ(SplitLearnerLines("12 * 34", "12*34 ="), Lines{"12*34 ="});
  EXPECT_EQ(SplitLearnerLines("3x = 12", "x = 12/3 = 4"), (Lines{"x = 12/3", "x = 4"}));
  EXPECT_EQ(SplitLearnerLines("", "2x + 3x = 5x = 25"), (Lines{"2x + 3x = 25", "5x = 25"}));
  EXPECT_EQ(SplitLearnerLines("", "x = 2 or x = 3"), Lines{"x = 2 or x = 3"});
  // An equation without the unknown is no chain.
  EXPECT_EQ(SplitLearnerLines("x = x + 5", "0 = 5"), Lines{"0 = 5"});
  EXPECT_EQ(SplitLearnerLines("", "0 = 5"), Lines{"0 = 5"});
  EXPECT_EQ(SplitLearnerLines("28 = 63", "28/28 = 63/28"), Lines{"28/28 = 63/28"});
  EXPECT_EQ(SplitLearnerLines("", ""), Lines{});
}

TEST(LearnerNotationTest, LeavesRemarksOut) {
  for (const char* const line :
       {"2x = 8 | :2", "2x = 8 |:2", "2x = 8 || : 2", "2x = 8 \\mid :2", "2x = 8", "2x = 8 | durch 2"}) {
    EXPECT_EQ(WithoutRemark(line), "2x = 8") << line;
  }
  // An absolute value is none.
  EXPECT_EQ(WithoutRemark("|x| = 3"), "|x| = 3");
  EXPECT_EQ(WithoutRemark("2|x| = 3 | : 2"), "2|x| = 3 | : 2");
  EXPECT_EQ(WithoutRemark("x^2 = 9 | √"), "x^2 = 9");
  // Only an operation on both sides is.
  for (const std::string_view line : {"10-3|9-3(3-1)|", "5 = 2x|3|", "5 = 2x|-3|", "5 = 2x|-3|+1", "2|3|+1", "12 | +3",
                                      "2x = 8 | 3", "2x = 8 |", "2x = 8 | x", "2x = 8 | +1 = 9", "x = 2 | + 3 | - 4",
                                      "| = 3 | +2", "5 = 2x \\mid 3 \\mid", "5 = 2x \\lvert -3 \\rvert"}) {
    EXPECT_EQ(WithoutRemark(line), line);
  }
}

struct Case {
  std::string_view current;
  std::string_view line;
  std::string_view state;
};

TEST(LearnerNotationTest, ReadsWhatPeopleWrite) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  for (const Case& expected : {
           Case{"x^2 - 5x + 6 = 0", "x=2 or x=3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x = 2 oder x = 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x = 2 or 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x = 2 und x = 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x = 2, x = 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x = 2; 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x = 2, 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x_1=2, x_2=3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x_1 = 2; x_2 = 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x1 = 2, x2 = 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x₁ = 2 und x₂ = 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x_{1} = 2 ∨ x_{2} = 3", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "L={2;3}", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "L = { 2 ; 3 }", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "{2,3}", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "𝕃 = \\{2; 3\\}", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "x ∈ {2, 3}", "x = 2 or x = 3"},
           Case{"x^2 - 5x + 6 = 0", "(x-2)(x-3) = 0", "(x - 2)(x - 3) = 0"},
           Case{"x^2 = 4", "x = ±2", "x = 2 or x = -2"},
           Case{"x^2 = 4", "x = +-2", "x = 2 or x = -2"},
           Case{"x^2 = 4", "x = +/- 2", "x = 2 or x = -2"},
           Case{"x^2 = 4", "x_{1,2} = \\pm 2", "x = 2 or x = -2"},
           Case{"x^2 = 4", "x_1/2 = ±2", "x = 2 or x = -2"},
           Case{"(x - 3)^2 = 4", "x - 3 = ±2", "x - 3 = 2 or x - 3 = -2"},
           Case{"(x - 3)^2 = 4", "x = 3 ± 2", "x = 3 + 2 or x = 3 - 2"},
           Case{"x^2 = 5", "x = ±√5", "x = sqrt(5) or x = -sqrt(5)"},
           Case{"2x = 5", "L = {2,5}", "x = 2.5"},
           Case{"2x = 5", "x = 2,5", "x = 2.5"},
           Case{"2y = 4", "L = {2}", "y = 2"},
           Case{"2L = 4", "L = 2", "L = 2"},
           Case{"y^2 = 4", "yy = 4", "y * y = 4"},
           Case{"-y = 9", "-y/-Y = 9/-Y", "-y/(-y) = 9/(-y)"},
           Case{"0 = 5", "no solution", "no solution"},
           Case{"x = x + 5", "No solution!", "no solution"},
           Case{"x = x + 5", "there is no solution", "no solution"},
           Case{"x = x + 5", "0 = 5, no solution", "no solution"},
           Case{"x = x + 5", "keine Lösung", "no solution"},
           Case{"x = x + 5", "L = {}", "no solution"},
           Case{"x = x + 5", "L = { }", "no solution"},
           Case{"x = x + 5", "L=∅", "no solution"},
           Case{"x = x + 5", "0 = 5 (f.A.)", "no solution"},
           Case{"x = x", "0 = 0 w. A.", "every number"},
           Case{"x = x", "0 = 0 true", "every number"},
           Case{"x = x + 5", "0 = 5 falsch", "no solution"},
           Case{"x^2 + 2x = 8", "x_{1,2} = -1 ± √(1+8)", "x = 2 or x = -4"},
           Case{"4x^2 = 3", "x = ±√(3/4)", "x = sqrt(3)/2 or x = -sqrt(3)/2"},
           Case{"x = 3", "x/2 = 3", "x/2 = 3"},
           Case{"x = 3", "x_1 = 3", "x = 3"},
           Case{"2x = 4", "2X = 4", "2x = 4"},
           Case{"2 - 3/5", "1 5/5 - 3/5", "1 + 5/5 - 3/5"},
           Case{"2x = 5", "x = 2 1/2", "x = 2 1/2"},
           Case{"2x + 3 = 7", "1) 2x = 4", "2x = 4"},
           Case{"2x + 3 = 7", "(2) 2x = 4", "2x = 4"},
           Case{"x = x", "every number", "every number"},
           Case{"x = x", "all real numbers", "every number"},
           Case{"x = x", "unendlich viele Lösungen", "every number"},
           Case{"x = x", "L = ℝ", "every number"},
           Case{"x = x", "x ∈ R", "every number"},
           Case{"x/x = 1", "L = R \\ {0}", "every number; x != 0"},
           Case{"x/x = 1", "every number except 0", "every number; x != 0"},
           Case{"x/x = 1", "alle Zahlen außer 0", "every number; x != 0"},
           Case{"2/(x-1) = 2", "x = 2 (x ≠ 1)", "x = 2; x != 1"},
           Case{"2/(x-1) = 2", "x = 2, x ≠ 1", "x = 2; x != 1"},
           Case{"2/(x-1) = 2", "2 = 2(x-1) mit x ≠ 1", "2 = 2(x - 1); x != 1"},
           Case{"2x = 8", "2x = 8 | :2", "2x = 8"},
           Case{"2x = 8", "2x = 8 / :2", "2x = 8"},
           Case{"2x + 3 = 7", "2x + 3 = 7 / -3", "2x + 3 = 7"},
           Case{"2x + 3 = 7", "2x + 3 = 7 (-3)", "2x + 3 = 7"},
           Case{"2x + 3 = 7", "2x + 3 = 7 [-3]", "2x + 3 = 7"},
           Case{"x = -2", "x = 6 / -3", "x = 6/(-3)"},
           Case{"2x = 4", "also x = 2", "x = 2"},
           Case{"2x = 4", "x = 2 ✓", "x = 2"},
           Case{"2x = 4", "x = 2.", "x = 2"},
           Case{"2x = 4", "Answer: x = 2", "x = 2"},
       }) {
    const NotationResult read = ReadLearnerLine(*algebra, expected.current, expected.line);
    EXPECT_FALSE(read.error) << expected.line << ": " << read.error->message;
    EXPECT_EQ(read.state, expected.state) << expected.line;
  }
}

TEST(LearnerNotationTest, SaysWhereALineCannotBeRead) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  const NotationResult read = ReadLearnerLine(*algebra, "2x = 4", "x = = 2 | +1");
  ASSERT_TRUE(read.error);
  EXPECT_EQ(read.error->position, 4U);
  for (const char* const text :
       {"", "-2x", "|", "{", "x = {", "±", "x_", "or", ";", "L =", "\xff\xfe", "\\", "= =", "x = 7, no solution", "x = 2|3|"}) {
    EXPECT_TRUE(ReadLearnerLine(*algebra, "2x = 4", text).error) << text;
  }
}

}  // namespace
}  // namespace conpole
