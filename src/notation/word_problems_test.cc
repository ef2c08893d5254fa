#include "notation/word_problems.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace conpole {
namespace {

struct Story {
  const char* text;
  const char* meaning;
};

TEST(WordProblems, SentencesAreEquations) {
  for (const Story& story : {
           Story{"The sum of two numbers is fifty-eight. One number is four more than the other. Find the numbers.",
                 "solve x, y: x + y = 58; x = (y + 4)"},
           Story{"Number problems One number is eight more than twice another. Their sum is negative four. Find the numbers",
                 "solve x, y: x = ((2 * y) + 8); x + y = (-4)"},
           Story{"Five less than three times a number is 16. What is the number?", "solve x: ((3 * x) - 5) = 16"},
           Story{"The sum of seven times a number and eight is thirty-six. Find the number.", "solve x: ((7 * x) + 8) = 36"},
           Story{"One number exceeds another by 17 and their sum is 31. Find the larger number.", "solve x: x + x - 17 = 31"},
           Story{"The sum of three consecutive odd integers is 45. Find the integers.",
                 "solve x, y, z: x + y + z = 45; y = x + 2; z = y + 2"},
           Story{"Two angles are complementary. The measure of the larger angle is ten more than four times the measure of the "
                 "smaller angle. Find the measures of both angles.",
                 "solve x, y: x + y = 90; x = ((4 * y) + 10)"},
           Story{"The length of a rectangle is 5 feet more than twice the width. The perimeter is 70 feet. Find the width.",
                 "solve w: 2(2w + 5) + 2w = 70"},
           Story{
               "Sam has a jar of nickels and dimes. The total value of the coins is $2.50. The number of dimes is 4 more than "
               "the number of nickels. How many nickels does Sam have?",
               "solve n: 5n + 10(n + 4) = 100 * 2.50"},
           Story{"Translate and solve. The sum of three-fourths and x is five-sixths.", "solve x: ((3/4) + x) = (5/6)"},
       }) {
    EXPECT_EQ(ReadWordProblem(story.text).value_or("nothing"), story.meaning) << story.text;
  }
}

TEST(WordProblems, FormulasTakeTheirNumbersByTheWordsBesideThem) {
  for (const Story& story : {
           Story{"Ann deposited $12,500 in an account that earns 4% interest. How much interest will she earn in 5 years?",
                 "evaluate: Prt; P = 12500, r = 4/100, t = 5"},
           Story{"Ben paid $7, 683.20 in simple interest for a five-year loan at 9.8%. How much did Ben borrow?",
                 "solve P: 7683.20 = P * 9.8/100 * 5"},
           Story{"Find the percent decrease. Last year the price was $42,000. This year the price was $37,800.",
                 "percent: (42000 - 37800)/42000"},
           Story{"A trip is 520 miles long. At a rate of 65 miles per hour, how many hours will it take?",
                 "evaluate: d/r; d = 520, r = 65"},
           Story{"Find the perimeter of a rectangle with length 5 and width 3.", "evaluate: 2l + 2w; l = 5, w = 3"},
           Story{"Find the average of 3, 5 and 10.", "simplify: ((3) + (5) + (10))/3"},
           Story{"Write the number with digits: two million, four hundred thousand, fifty-one", "simplify: 2400051"},
           Story{"$800 is invested at 6% interest compounded quarterly. What is the balance after 10 years?",
                 "round 0.01: 800 * (1 + 6/100/4)^(4 * 10)"},
       }) {
    EXPECT_EQ(ReadWordProblem(story.text).value_or("nothing"), story.meaning) << story.text;
  }
}

// A number without a place, a relation that is not known, too few sentences, or no question.
TEST(WordProblems, WhatIsNotCertainIsNotRead) {
  for (const char* text : {
           "The sum of two numbers is 15. Find the numbers.",
           "The sum of two numbers is 15. One number is three less than the other.",
           "The sum of two numbers is 15. One number is three less than the other. A third is 4. Find the numbers.",
           "One number is three less than the square of the other. Their sum is 15. Find the numbers.",
           "Tom is twice as old as Ann. In 5 years their ages add up to 40. Find their ages.",
           "Ann invested $100 at 4% and $200 at 5%. How much interest will she earn in 2 years?",
           "The wind blows. A plane flies 300 miles with the wind in 2 hours. What is the speed of the plane?",
           "The length of a rectangle is twice its width. Find the width.",
           "A shirt was $20 before a discount of 10%. What was the price with tax?",
           "Two cars leave at 50 miles per hour and drive 100 miles apart. How long does it take?",
       }) {
    EXPECT_EQ(ReadWordProblem(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace conpole
