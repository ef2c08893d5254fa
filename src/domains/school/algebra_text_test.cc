#include "domains/school/algebra_text.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace conpole::algebra {
namespace {

std::string Canonical(std::string_view text) {
  const ReadResult result = Read(text);
  if (result.error) return "position " + std::to_string(result.error->position) + ": " + result.error->message.english();
  return TextOf(result.state);
}

TEST(AlgebraTextTest, CanonicalTextIsReadAsItself) {
  for (const std::string_view text : {"2x + 3 = 7",
                                      "(3x + 8)/5 = (x - 2)/4",
                                      "2 = 3(x + 1); x != -1",
                                      "x = 2 or x = 3",
                                      "1/2 + 1/3",
                                      "no solution",
                                      "every number",
                                      "every number; x != -1, x != 1/2, x^2 - 2 != 0",
                                      "2 * 3x = -(x + 1)",
                                      "2x/3 = 2/3 * x",
                                      "x * x = x^2",
                                      "(x + 1)(x - 2)^2 = 0",
                                      "x(x - 5)/2 = 1",
                                      "3 * (x + 1)/2 = 1",
                                      "2 * (-3) - (-4)",
                                      "(-2)^2 - 2^2",
                                      "(1/2)/(3/4)",
                                      "1 1/2 * x = 3",
                                      "(1 1/2)/3 + 2 * 1 1/4",
                                      "0.5x - 0.05 = 12.25",
                                      "x = (1 - 3sqrt(5))/2",
                                      "x = (1 - 3cbrt(5))/2",
                                      "x = root(4, 2) or x = -root(4, 2)",
                                      "-(-3)",
                                      "(2 * 3)/4 = x",
                                      "1/x^2 = 2^3 * x",
                                      "x^2(x + 1) = 1",
                                      "y/(2(y - 1)) = 1",
                                      "12(3 + 4)",
                                      "-x/2 = (-x)/2",
                                      "x - (2 - (3 - x)) = 0"}) {
    EXPECT_EQ(Canonical(text), text);
  }
}

TEST(AlgebraTextTest, OtherWaysOfWriting) {
  for (const auto& [text, canonical] : std::vector<std::pair<std::string_view, std::string_view>>{
           {" 2*x+3=7 ", "2x + 3 = 7"},
           {"2/3x = 4", "2/3 * x = 4"},
           {"1/2(x+4) = 3", "1/2 * (x + 4) = 3"},
           {"2x/3 = 4", "2x/3 = 4"},
           {"3/4 * 2/3", "3/4 * 2/3"},
           {"1/2 : 3/4", "(1/2)/(3/4)"},
           {"1 + (2 - 3)", "1 + 2 - 3"},
           {"2 + (-3)", "2 - 3"},
           {"2 * -3", "2 * (-3)"},
           {"--3", "-(-3)"},
           {"((x)) = 0.50", "x = 0.5"},
           {"007 + 2.0", "7 + 2"},
           {"x^1 = 3", "x = 3"},
           {"x = sqrt(8)", "x = 2sqrt(2)"},
           {"x = sqrt(9)", "x = 3"},
           {"x = root(2, 8)", "x = 2sqrt(2)"},
           {"x = cbrt(16)", "x = 2cbrt(2)"},
           {"x = root(6,9)", "x = cbrt(3)"},
           {"x = root(4, 32)/2 + 1", "x = 1 + root(4, 2)"},
           {"x = root(5, 32)", "x = 2"},
           {"x = 1; 2x - 4 != 0, x^2 - 3x + 2 != 0", "x = 1; x != 1, x != 2"},
           {"x = 1; x^2 + 1 != 0", "x = 1"},
           {"a=3 or a=4", "a = 3 or a = 4"},
           {"2(3x) = 1", "2 * 3x = 1"},
       }) {
    EXPECT_EQ(Canonical(text), canonical) << text;
    EXPECT_EQ(Canonical(canonical), canonical);
  }
}

TEST(AlgebraTextTest, WhatIsNoProblemIsRefusedWithAReason) {
  for (const auto& [text, error] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"", "position 0: expected a number, the unknown or '(', found the end"},
           {"x + y = 3", "position 4: there are two unknowns, x and y"},
           {"xy = 3", "position 0: an unknown is one letter"},
           {"2x + 1", "position 6: expected '=': an expression with an unknown is no problem"},
           {"x = = 3", "position 4: expected a number, the unknown or '(', found '='"},
           {"x = (3", "position 6: expected ')', found the end"},
           {"x = 3)", "position 5: expected an operation or the end, found ')'"},
           {"x = 3 = 4", "position 6: expected an operation or the end, found '='"},
           {"1 2", "position 2: expected an operation between two numbers"},
           {"1 3/2", "position 2: the fraction of a mixed number lies between 0 and 1"},
           {"1.", "position 2: expected a digit, found the end"},
           {"1/0", "position 0: this divides by zero"},
           {"1/(x - x) = 2", "position 0: this divides by zero"},
           {"0^0", "position 0: zero to the power of zero means nothing"},
           {"x^0 = 1", "position 2: the exponent of the unknown cannot be 0"},
           {"x^2^3 = 1", "position 3: a power of a power needs brackets"},
           {"2^1001", "position 2: an exponent can be 1000 at most"},
           {"x^13 = 1", "position 0: the numbers or powers are too large: more than 1000 digits or degree 12"},
           {"1 + sqrt(2)", "position 0: roots can stand in answers only"},
           {"x = cbrt(2) * cbrt(2)", "position 0: roots can stand in answers only, and of one whole number only"},
           {"x = cbrt(2) + sqrt(2)", "position 0: roots can stand in answers only, and of one whole number only"},
           {"x = root(13, 2)", "position 9: the degree of a root is 2 to 12"},
           {"x = root(2)", "position 10: expected ',', found ')'"},
           {"x = sqrt(2) + sqrt(3)", "position 0: roots can stand in answers only, and of one whole number only"},
           {"x = 1; x != x", "position 7: this condition never holds"},
           {"x = 2 or 1/x = 3", "position 0: of several equations, none can have the unknown in a denominator"},
       }) {
    EXPECT_EQ(Canonical(text), error) << text;
  }
}

TEST(AlgebraTextTest, NestingAndSizeAreBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  EXPECT_EQ(Canonical(nested(100)), "1");
  EXPECT_TRUE(Canonical(nested(5000)).ends_with("the brackets are nested too deeply"));
  EXPECT_FALSE(Read(std::string(30, '-') + "1").error);
  EXPECT_EQ(Canonical(std::string(50, '-') + "1"), "position 0: the expression is nested too deeply");
  EXPECT_TRUE(Read(std::string(5000, '-') + "1").error);
  EXPECT_TRUE(Read(std::string(1001, '9')).error);
  EXPECT_TRUE(Read("x = sqrt(" + std::string(1001, '9') + ")").error);
  EXPECT_FALSE(Read(std::string(1000, '9')).error);
  std::string sum = "1";
  for (int i = 0; i < 1100; ++i) sum += "+1";
  EXPECT_TRUE(Read(sum).error);  // its canonical text is longer than it is
}

TEST(AlgebraTextTest, Answers) {
  for (const std::string_view text :
       {"x = 2", "x = -1/2", "x = 0.5", "x = 1 or x = sqrt(2)", "no solution", "7", "-2/3", "0"}) {
    EXPECT_TRUE(IsSolved(Read(text).state)) << text;
  }
  for (const std::string_view text : {"2 = x", "x = 2/4", "x = 4/1", "x = 2; x != 1", "x = 2 or x = 2", "x = -0", "x = 1 + 1",
                                      "x = (-1)/2", "0/3", "-0", "1 1/2", "2 * 3"}) {
    EXPECT_FALSE(IsSolved(Read(text).state)) << text;
  }
}

}  // namespace
}  // namespace conpole::algebra
