// Exercises of a school book from the text to the answer: what is read, that every line is offered and judged equal to the one
// before, what the answer is, and what is refused.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "conpole/domain.h"
#include "domains/school/textbook.h"
#include "domains/school/textbook_problems.h"
#include "domains/school/textbook_value.h"
#include "notation/textbook_notation.h"
#include "subjects/free_notation.h"
#include "subjects/markup.h"
#include "tests/mathml_judge.h"
#include "verify/exercise_meaning.h"

namespace conpole {
namespace {

std::unique_ptr<Domain> SchoolAlgebra() { return MakeDomain("algebra"); }

// What is shown of a line says all that stands in it: put after what is to be done, it is read as the same line.
void ExpectReadBack(const Domain& domain, const std::string& state) {
  const std::string task = state.substr(0, state.find(": ") + 2);
  const NotationResult read = ReadNotation(domain, state);  // without a task that the domain does by itself
  const std::string latex = WriteLatex(domain, state);
  EXPECT_EQ(ReadNotation(domain, task + latex).state, read.state) << latex;
  const std::string mathml = MarkupOf(domain, state, "en").mathml;
  const std::optional<std::string> from_mathml = LatexFromMathml(mathml);
  ASSERT_TRUE(from_mathml) << mathml;
  EXPECT_EQ(ReadNotation(domain, task + *from_mathml).state, read.state) << *from_mathml;
  EXPECT_EQ(ReadNotation(domain, read.reading).state, read.state) << read.reading;
}

// Follows the lines to the end; each must be judged the same as the first.
std::string AnswerTo(const std::string& text) {
  const std::unique_ptr<Domain> domain = SchoolAlgebra();
  const NotationResult read = ReadNotation(*domain, text);
  if (read.error) return "unreadable: " + read.error->message.english();
  std::string state = read.state;
  for (int line = 0; line < 40; ++line) {
    Successors successors;
    const Status status = domain->Expand(state, Labels::kOn, successors);
    if (status == Status::kSolved) {
      if (!textbook::IsExercise(state)) return state;
      if (line > 0) {
        EXPECT_EQ(SameExercise(read.state, state), std::optional(true)) << text << ": " << state;
      }
      EXPECT_EQ(domain->Parse(state).state, state);
      return state.substr(state.find(": ") + 2);
    }
    if (status != Status::kOpen || successors.size() != 1) return "stuck at " + state;
    std::string next(successors.state(0));
    EXPECT_NE(SameExercise(state, next), std::optional(false)) << state << " -> " << next;
    EXPECT_EQ(domain->Parse(next).state, next);
    if (textbook::IsExercise(next)) ExpectReadBack(*domain, next);
    state = std::move(next);
  }
  return "too long";
}

struct ExerciseCase {
  const char* text;
  const char* answer;
};

TEST(TextbookExercises, AreSolvedToTheEnd) {
  for (const ExerciseCase& item : {
           ExerciseCase{"3x + 2x", "5x"},
           ExerciseCase{"Simplify: 18p+6q+15p+5q", "33p + 11q"},
           ExerciseCase{"Multiply: \\left(x+2\\right) \\left(x-3\\right)", "x^2 - x - 6"},
           ExerciseCase{"Factor completely. 2n^2-8n-42", "2(n - 7)(n + 3)"},
           ExerciseCase{"x^2 - 5x + 6", "(x - 3)(x - 2)"},
           ExerciseCase{"Factor the greatest common factor from the polynomial 3x^2+6x-9", "3(x^2 + 2x - 3)"},
           ExerciseCase{"Factor: 8x^3 + 27y^3", "(2x + 3y)(4x^2 - 6xy + 9y^2)"},
           ExerciseCase{"Divide: \\frac{2x^3-10x+28}{x+3}", "2x^2 - 6x + 8 + 4/(x + 3)"},
           ExerciseCase{"Add: 3/(x-3)+2/(x-2)", "(5x - 12)/((x - 3)(x - 2))"},
           ExerciseCase{"sqrt(50)", "5sqrt(2)"},
           ExerciseCase{"3√8 - √2", "5sqrt(2)"},
           ExerciseCase{"\\frac{4}{4+\\sqrt{2}}", "(8 - 2sqrt(2))/7"},
           ExerciseCase{"sqrt(x^2)", "abs(x)"},
           ExerciseCase{"(x^6)^(4/3)", "x^8"},
           ExerciseCase{"4^(-2)", "1/16"},
           ExerciseCase{"Evaluate 2x^2+3x+8 when x=4", "52"},
           ExerciseCase{"Solve the formula A=\\frac{1}{2} bh for h", "h = 2A/b"},
           ExerciseCase{"Solve the system: x+y=3, x-y=1", "x = 2; y = 1"},
           ExerciseCase{"x + y = 1; 2x + 2y = 5", "no solution"},
           ExerciseCase{"x^2+y^2=9; y=x-3", "x = 0; y = -3 or x = 3; y = 0"},
           ExerciseCase{"-2x-1 >= 5", "x <= -3"},
           ExerciseCase{"|5x-6| <= 4", "2/5 <= x <= 2"},
           ExerciseCase{"(x-3)/(x+4) >= 0", "x < -4 or x >= 3"},
           ExerciseCase{"x^2 - 4x + 2 <= 0", "2 - sqrt(2) <= x <= 2 + sqrt(2)"},
           ExerciseCase{"sqrt(15-2x)=x", "x = 3"},
           ExerciseCase{"sqrt(2u-3)+2=0", "no solution"},
           ExerciseCase{"|3x-5|-4=6", "x = 5 or x = -5/3"},
           ExerciseCase{"3^(3x-2)=81", "x = 2"},
           ExerciseCase{"10^(2x-1)=1000", "x = 2"},
           ExerciseCase{"12^x=144", "x = 2"},
           ExerciseCase{"10^x=7", "x = log(7)"},
           ExerciseCase{"ln(x)+ln(x-3) = ln(7x)", "x = 10"},
           ExerciseCase{"Condense: \\ln(x) + 3\\ln(z)", "ln(xz^3)"},
           ExerciseCase{"(3+4i)/(2-i)", "(2 + 11i)/5"},
           ExerciseCase{"Round 23,658 to the nearest hundred.", "23700"},
           ExerciseCase{"Find the greatest common factor. 24, 40", "8"},
           ExerciseCase{"What number is 45% of 80?", "36"},
           ExerciseCase{"9w^2-7w+5+2w^2-4", "11w^2 - 7w + 1"},
       }) {
    EXPECT_EQ(AnswerTo(item.text), item.answer) << item.text;
  }
}

TEST(TextbookExercises, OperationsNamedInWordsAreDone) {
  for (const ExerciseCase& item : {
           ExerciseCase{"What is the square root of 144?", "12"},
           ExerciseCase{"Find the absolute value of -7", "7"},
           ExerciseCase{"Find the cube of 3", "27"},
           ExerciseCase{"Write the mixed number 3 \\frac{2}{5} as an improper fraction.", "17/5"},
           ExerciseCase{"Express 6.02 x 10^{5} in standard notation", "602000"},
           ExerciseCase{"Find the value of 5n - 2 when n is 6", "28"},
           ExerciseCase{"Divide the polynomial x^3 - 8 by x - 2.", "x^2 + 2x + 4"},
           ExerciseCase{"Add 3 to 9", "12"},
           ExerciseCase{"Find the slope of the line 3x-2y=6", "3/2"},
           ExerciseCase{"Find the distance between (1,2) and (4,6)", "5"},
           ExerciseCase{"Find the equation of the line with slope -3 that passes through the point (4,8)", "y = -3x + 20"},
           ExerciseCase{"Find an equation of the line with slope -7 and y-intercept (0,-1)", "y = -7x - 1"},
           ExerciseCase{"Find the equation of the line through the points (5,4) and (3,6)", "y = -x + 9"},
           ExerciseCase{"Find the equation of the vertical line through the point (5,4)", "x = 5"},
           ExerciseCase{"Find the equation of the line parallel to y=2x+1 through the point (1,1)", "y = 2x - 1"},
           ExerciseCase{"Write y-3=2(x-1) in slope-intercept form", "y = 2x + 1"},
           ExerciseCase{"Find the inverse of the function f(x) = 4x+7", "y = x/4 - 7/4"},
           ExerciseCase{"If y varies inversely as x and y=6 when x=2, find the equation that relates x and y", "y = 12/x"},
           ExerciseCase{"Find the average rate of change of g(t)=t^2+3t+1 on the interval [0,a].", "a + 3"},
           ExerciseCase{"Find the discriminant of 2x^2-5x+1=0", "17"},
           ExerciseCase{"Find the value of c that makes x^2+12x+c a perfect square trinomial", "c = 36"},
           ExerciseCase{"Find the axis of symmetry of y=x^2-6x+1", "x = 3"},
           ExerciseCase{"Find the excluded values of \\frac{x}{x-3}", "x = 3"},
           ExerciseCase{"The length of a rectangular yard is five feet more than three times the width. The area is 350 square "
                        "feet. Find the length of the yard.",
                        "l = 35"},
       }) {
    EXPECT_EQ(AnswerTo(item.text), item.answer) << item.text;
  }
}

// Names and headings before a sentence that says what to do do not matter, nor what kind of exercise it is.
TEST(TextbookExercises, IntroductionsArePassedOver) {
  for (const ExerciseCase& item : {
           ExerciseCase{"Lawn care basics. Simplify: 3x + 4x", "7x"},
           ExerciseCase{"Use trial and error to factor 3x^2-10x+8", "(3x - 4)(x - 2)"},
           ExerciseCase{"Example 3 Solve: |y|=4", "y = 4 or y = -4"},
           ExerciseCase{"Factor Trinomials of the Form x^2+bx+c Factor: z^2+4z-5", "(z - 1)(z + 5)"},
           ExerciseCase{"Factor each trinomial of the form x^2+bx+c: a^2-5a-36", "(a - 9)(a + 4)"},
           ExerciseCase{"Solve Quadratic Equations of the Form ax^2=k Using the Square Root Property |x|=13",
                        "x = 13 or x = -13"},
           ExerciseCase{"Simplify Rational Expressions with Opposite Factors \\frac{14-2x}{x^2-49}", "-2/(x + 7)"},
           ExerciseCase{"Find a factorization of x^2-y^2", "(x - y)(x + y)"},
           ExerciseCase{"Find the sum of the complex numbers 3-4i and 2+5i", "5 + i"},
           ExerciseCase{"Adding Complex Numbers Add 3-4i and 2+5i", "5 + i"},
           ExerciseCase{"Find the square of the binomial: (2a+7)^2", "4a^2 + 28a + 49"},
           ExerciseCase{"Find |3-4i|", "5"},
           ExerciseCase{"Find the sum: \\frac{x}{3}+\\frac{2}{3}", "x/3 + 2/3"},
           ExerciseCase{"Löse: |x|=3!", "x = 3 or x = -3"},
           ExerciseCase{"15 is 60% of what?", "25"},
           ExerciseCase{"What is 15% more than 80?", "92"},
           ExerciseCase{"Find 20% less than 50", "40"},
           ExerciseCase{"Express 4 1/2 % as a decimal", "0.045"},
           ExerciseCase{"Convert \\frac{1}{2}\\% to a decimal", "0.005"},
           ExerciseCase{"Express 2/5 + 10% as a decimal", "0.5"},
           ExerciseCase{"Express 2/3 as a decimal rounded to the nearest hundredth", "0.67"},
           ExerciseCase{"Use < or > to compare: \\frac{2}{3} and \\frac{5}{8}", "2/3 > 5/8"},
           ExerciseCase{"Which of the two is larger, \\sqrt{10} or 3.1?", "sqrt(10) > 3.1"},
           ExerciseCase{"Round off \\$23.567 to the nearest cent", "23.57"},
           ExerciseCase{"Find the prime factors of 60", "2^2 * 3 * 5"},
           ExerciseCase{"Convert 30 percent to a decimal", "0.3"},
           ExerciseCase{"Simplify by multiplying by the reciprocal: \\frac{3}{8}\\div\\frac{9}{16}", "2/3"},
           ExerciseCase{"Simplify by adding the opposite: 5-(-3)", "8"},
           ExerciseCase{"Find the reciprocal of -\\frac{5}{9}", "-9/5"},
           ExerciseCase{"What fraction of 20 is 5?", "1/4"},
           ExerciseCase{"Approximate \\sqrt{30} to two decimal places", "5.48"},
       }) {
    EXPECT_EQ(AnswerTo(item.text), item.answer) << item.text;
  }
  const std::unique_ptr<Domain> domain = SchoolAlgebra();
  for (const char* const text : {"Differentiate. Simplify: x^2+3x", "Wumble and simplify: x^2+3x",
                                 "Wumble, then simplify your answer. 3x+x", "Let n be 5. Wumble. Simplify: n+2+n",
                                 "Simplify: 3x + 2x. Wumble.", "Write in the form a(x-h)^2+k of the form a(x-h)^2+k: x^2+6x"}) {
    EXPECT_TRUE(ReadNotation(*domain, text).error) << text << " is read as " << ReadNotation(*domain, text).state;
  }
}

// An answer to something else would be worse than none.
TEST(TextbookExercises, OperationsThatAreNotKnownAreNotLeftOut) {
  const std::unique_ptr<Domain> domain = SchoolAlgebra();
  for (const char* text : {"Find the leading coefficient of 5x^3-2x",
                           "List the factors of 12",
                           "List the first five multiples of 6",
                           "What is the numerator of 3/4?",
                           "Estimate 48 \\times 21",
                           "Identify the base and exponent: 5^3",
                           "Round 4.567",
                           "Find the positive solution of x^2=9",
                           "Find the smallest integer x with 2x>7",
                           "Write 45 in words",
                           "Find the volume of a cube with side 3",
                           "Find the number of terms in 3x^2+2x-1",
                           "Find the remainder when x^2-1 is divided by x",
                           "Find the inverse of the function f(x) = x^2",
                           "1/3!",
                           "Find the complex solutions of x^3+9=0",
                           "Is \\sqrt{2} rational?",
                           "Find the slope and y-intercept of y=3x-4",
                           "Use the discriminant to determine the number of solutions: x^2+6x+9=0",
                           "Solve x^2=16 for positive x",
                           "Solve 2x=7, where x is an integer",
                           "Solve x^2 - 4 = 0 for x < 0",
                           "Show that \\sqrt{2} is irrational",
                           "Find the number to complete the square: x^2+14x",
                           "The sum of a number and its reciprocal is 5/2. Find the number.",
                           "Half of the numbers is 13.",
                           "Find the square of the sum of 3 and 4",
                           "Find the opposite of the square root of 16",
                           "Half of 30% of 60",
                           "Find the square of 3^2",
                           "Find the square root of \\sqrt{49}",
                           "Subtract 20% from 50",
                           "Round 12,345 to the nearest hundred and thousand",
                           "Write 7/2 as a decimal and as a mixed number",
                           "How much greater is 8 than 5?",
                           "Find 20% less than half of 50",
                           "What is 5 less 3?",
                           "Find the remainder of 17 divided by 5",
                           "Between which two integers is \\sqrt{50}?",
                           "Solve x^2<10 over the integers",
                           "Solve x^2=25 and give the negative root",
                           "Find the vertex and axis of symmetry of y=x^2-4x+1",
                           "Factor over the real numbers: x^2-2",
                           "Determine the nature of roots x^2+x+1=0",
                           "Write in standard form: 3x-2=x^2",
                           "Convert 3.5 to a fraction and a percent",
                           "Find the LCM and GCF of 12 and 18",
                           "Round up 3.2 to the nearest integer",
                           "Find k so that x^2+kx+9 is a perfect square",
                           "What is the conjugate of 2+\\sqrt{3}?",
                           "Find the conjugate of 3-4i and multiply",
                           "Find the sign of (-2)^5",
                           "Find the imaginary part of (1+i)^2",
                           "How many solutions: 2x=4",
                           "Evaluate 3x+2",
                           "Simplify x!",
                           "Simplify (3)!",
                           "Evaluate: 2x + 3x!",
                           "Find f^{-1}(3) if f(x)=x+4"}) {
    EXPECT_TRUE(ReadNotation(*domain, text).error) << text << " is read as " << ReadNotation(*domain, text).state;
  }
}

// The text of (x - 1)^x begins with a bracket, of abs(x)^x with a function: they are powers all the same. A double root is
// found by the judge, too.
TEST(TextbookExercises, PowersWithLettersAboveAndPoints) {
  for (const ExerciseCase& item : {
           ExerciseCase{"((x + 1)^x - 1)^2", "1 - 2(x + 1)^x + (x + 1)^(2x)"},
           ExerciseCase{"(x (x - 1)^x - 1)^2", "(x - 1)^(2x)x^2 - 2(x - 1)^x * x + 1"},
           ExerciseCase{"(abs(x)^x + 1)^2", "1 + 2abs(x)^x + abs(x)^(2x)"},
           ExerciseCase{"|(x^2 - 1)^(1/3)|", "cbrt(abs(x^2 - 1))"},
           ExerciseCase{"log_2(x)^2 = 9", "x = 1/8 or x = 8"},
           ExerciseCase{"log_2 x^2 = 8", "x = -16 or x = 16"},
           ExerciseCase{"x^2 - y^2 = 9, x = 3", "x = 3; y = 0"},
           ExerciseCase{"Find the intercepts of the line: y = -3x - 4 What is the x-intercept?", "x = -4/3; y = 0"},
           ExerciseCase{"Find the y-intercept of 3x - 2y = 6", "x = 0; y = -3"},
           ExerciseCase{"Find the distance between the points (-4, 1) and (3, -4).", "sqrt(74)"},
       }) {
    EXPECT_EQ(AnswerTo(item.text), item.answer) << item.text;
  }
}

// The same question in the ways in which books ask it.
TEST(TextbookExercises, ManyWaysToAsk) {
  for (const ExerciseCase& item : {
           ExerciseCase{"Find the quotient: 56x^7\\div8x^3", "7x^4"},
           ExerciseCase{"Divide: (18x^3-36x^2)÷6x", "3x^2 - 6x"},
           ExerciseCase{"log 100", "2"},
           ExerciseCase{"e^(ln 7)", "7"},
           ExerciseCase{"\\ln e^{2x} = 8", "x = 4"},
           ExerciseCase{"log_2 8x", "3 + log(2, x)"},
           ExerciseCase{"3^x = 89", "x = log(3, 89)"},
           ExerciseCase{"Write as a radical expression z ** \\frac{1}{4}", "root(4, z)"},
           ExerciseCase{"\\left\\{\\begin{array}{l} 2x+y=7 \\\\ x-2y=6 \\end{array}\\right.", "x = 4; y = -1"},
           ExerciseCase{"Write the number in scientific notation. 8,750,000", "8.75 * 10^6"},
           ExerciseCase{"Convert to decimal form: 8.9\\times{10}^{-2}", "0.089"},
           ExerciseCase{"Round \\sqrt{5} to two decimal places", "2.24"},
           ExerciseCase{"How to Round Whole Numbers Round 103,978 to the nearest thousand", "104000"},
           ExerciseCase{"Find the place value of the digit 7 in 63,407,218.", "thousands"},
           ExerciseCase{"Find the GCF of 15x^5y and 40xy^10", "5xy"},
           ExerciseCase{"Find the LCD for \\frac{8}{x^2-2x-3}, \\frac{3x}{x^2+4x+3}", "(x - 3)(x + 1)(x + 3)"},
           ExerciseCase{"Compare 2/3 and 3/4", "2/3 < 3/4"},
           ExerciseCase{"Order the numbers, using < or > -1 ___ 9", "-1 < 9"},
           ExerciseCase{"250% of 65 is what number?", "325/2"},
           ExerciseCase{"Subtract 3x + 2 from 8x - 1", "5x - 3"},
           ExerciseCase{"A tank holds 14 gallons. Convert the volume to liters. Round to the nearest tenth.", "53.2"},
           ExerciseCase{"Find the midpoint of the segment with endpoints (5, -1) and (8, 3)", "x = 13/2; y = 1"},
           ExerciseCase{"Find the vertex of f(x) = 2x^2 - 8x + 1", "x = 2; y = -7"},
           ExerciseCase{"Find the intercepts of y = (x - 3)/2", "x = 0; y = -3/2 or x = 3; y = 0"},
           ExerciseCase{"Find the domain of f(x) = \\sqrt{3x-4}", "x >= 4/3"},
           ExerciseCase{"Find the domain: f(x) = (x + 1)/(x - 3)", "x < 3 or x > 3"},
           ExerciseCase{"For functions f(x)=4x-5 and g(x)=2x+3, find (f \\circ g)(x)", "8x + 7"},
           ExerciseCase{"Round to four decimal places. f(x)=1.2e^{2x}-0.3, for f(3)", "483.8146"},
           ExerciseCase{"The formula I=Prt is used for simple interest for t years. Solve I=Prt to find the principal, P",
                        "P = I/(rt)"},
           ExerciseCase{"(z**2)**{3/4}=z**n What is n?", "n = 3/2"},
           ExerciseCase{"Graph x<=-2 or x>2 on the number line and write in interval notation", "x <= -2 or x > 2"},
           ExerciseCase{"3log_2(x)+6log_2(x+1)", "log(2, (x + 1)^6x^3)"},
           ExerciseCase{"fraction: 0.75", "3/4"},
           ExerciseCase{"Write 19/8 as a mixed number", "2 3/8"},
           ExerciseCase{"Convert the improper fraction -20/8 to a mixed number", "-2 1/2"},
           ExerciseCase{"Subtract 5 1/2 - 2 3/4. Write the answer as a mixed number.", "2 3/4"},
           ExerciseCase{"Write 16/8 as a mixed number", "2"},
           ExerciseCase{"Write 3/8 as a mixed number", "3/8"},
           ExerciseCase{"Convert 2 3/8 to an improper fraction", "19/8"},
           ExerciseCase{"Is (2, 3) a solution of the system x + y = 5 and x - y = -1?", "true"},
           ExerciseCase{"Is (2, 3) a solution of the system x + y = 5, x - y = 1?", "false"},
           ExerciseCase{"Is x = 2 a solution of 3x - 1 > 4?", "true"},
           ExerciseCase{"Is (2,3) a solution of y < 2x - 1?", "false"},
           ExerciseCase{"(x^2 - 1)/(x + 3) ÷ (x + 1)/(2x + 6)", "2x - 2"},
           ExerciseCase{"Simplify x/y ÷ z/w", "wx/(yz)"},
           ExerciseCase{"Write in vertex form: y=x^2-6x+11", "(x - 3)^2 + 2"},
           ExerciseCase{"Rewrite by completing the square: 2x^2+12x+7", "2(x + 3)^2 - 11"},
           ExerciseCase{"What is the 4th root of 81?", "3"},
           ExerciseCase{"Find 5/6 of 42", "35"},
           ExerciseCase{"Problem 3. Factor x^2 - 1", "(x - 1)(x + 1)"},
           ExerciseCase{"1) Simplify 3x + 4x", "7x"},
           ExerciseCase{"Evaluate when x = 3: x^2 + 1", "10"},
           ExerciseCase{"Divide: 2/3 ÷ 5/9", "6/5"},
           ExerciseCase{"Convert 4,200 mL to L", "21/5"},
           ExerciseCase{"Solve: y = 4, 2x - y = 6", "x = 5; y = 4"},
           ExerciseCase{"Solve: x^2 + y^2 = 13; xy = 6", "x = -2; y = -3 or x = -3; y = -2 or x = 3; y = 2 or x = 2; y = 3"},
           ExerciseCase{"What is the domain of f(x)=\\sqrt[3]{2x^2+3}?", "every number"},
           ExerciseCase{"Find the quotient when x^3 - 64 is divided by x - 4", "x^2 + 4x + 16"},
           ExerciseCase{"Fill in <, > or =: 0.41 __ 0.409", "0.41 > 0.409"},
           ExerciseCase{"Find the least common multiple of 8 and 12 by listing multiples.", "24"},
       }) {
    EXPECT_EQ(AnswerTo(item.text), item.answer) << item.text;
  }
}

TEST(TextbookExercises, ValuesArePutInToSeeWhetherTheySolve) {
  const std::unique_ptr<Domain> domain = SchoolAlgebra();
  for (const ExerciseCase& item : {
           ExerciseCase{"Is x = 4 a solution of 3x - 2 = 10?", "3 * 4 - 2 = 10"},
           ExerciseCase{"Determine whether y = -3 is a solution of 4y + 3 = 2y - 3.", "4 * (-3) + 3 = 2 * (-3) - 3"},
           ExerciseCase{"Determine whether the ordered pair (1, 5) is a solution to y = 3x + 2", "5 = 3 * 1 + 2"},
           ExerciseCase{"Determine whether (2, 3) is a solution of y > x + 4", "test: 3 > 2 + 4"},
           ExerciseCase{"Is (2, 3) a solution of x + y = 5, x - y = 1?", "test: 2 + 3 = 5; 2 - 3 = 1"},
       }) {
    EXPECT_EQ(ReadNotation(*domain, item.text).state, item.answer) << item.text;
  }
  for (const char* const text : {"Determine whether x + 2 = 3 is an identity", "Is (2, 3) a solution of a + y = 5, x - y = 1?",
                                 "Is x = 2 a solution of 1/(x - 2) > 3?"}) {
    EXPECT_TRUE(ReadNotation(*domain, text).error) << text << " is read as " << ReadNotation(*domain, text).state;
  }
}

TEST(TextbookExercises, ResultsThatAreNoneAreNotConfirmed) {
  EXPECT_EQ(SameExercise("mixed: 19/8", "result: 2 3/8"), std::optional(true));
  for (const char* const text : {"result: 2 4/8", "result: -2 3/8", "result: 1 11/8", "result: 2 6/16"}) {
    EXPECT_EQ(SameExercise("mixed: 19/8", text), std::optional(false)) << text;
  }
  EXPECT_EQ(SameExercise("test: 2 + 3 = 5; 2 > 3", "result: true"), std::optional(false));
  EXPECT_EQ(SameExercise("solve x by complex: x^2 + 9 = 0", "solve x by complex: x = 3i or x = -3i"), std::optional(true));
  for (const char* const wrong : {"x = 3i", "x = 3 or x = -3", "x = 3i or x = -3i or x = 1", "2x^2 + 9 = 0"}) {
    EXPECT_EQ(SameExercise("solve x by complex: x^2 + 9 = 0", std::string("solve x by complex: ") + wrong),
              std::optional(false))
        << wrong;
  }
  EXPECT_EQ(SameExercise("test: 2 + 3 = 5; 2 > 3", "test: 5 = 5; 2 > 3"), std::optional(true));
  EXPECT_EQ(SameExercise("test: 2 + 3 = 5; 2 > 3", "test: 6 = 5; 2 > 3"), std::optional(false));
}

// What may be meant in two ways, or what is not known, is no other exercise.
TEST(TextbookExercises, SlipsAreNotReadAsSomethingElse) {
  const std::unique_ptr<Domain> domain = SchoolAlgebra();
  for (const char* const text : {"x=2,3", "w'", "R2 D2 w", "x2 + 3", "x≈0.33"}) {
    EXPECT_TRUE(ReadNotation(*domain, text).error) << text << " is read as " << ReadNotation(*domain, text).state;
  }
  EXPECT_NE(ReadNotation(*domain, "xy = 6").error->message.english().find("say which one to solve for"), std::string::npos);
}

// Where books teach several ways, the words or the task choose one.
TEST(TextbookExercises, AreSolvedByTheMethodThatIsNamed) {
  for (const ExerciseCase& item : {
           ExerciseCase{"solve x by formula: 2x^2 + 3x = 1", "x = (-3 - sqrt(17))/4 or x = (-3 + sqrt(17))/4"},
           ExerciseCase{"Use the quadratic formula: x^2 - 3x + 7 = 0", "no solution"},
           ExerciseCase{"Solve by completing the square: 2x^2 + 12x = 5", "x = (-6 - sqrt(46))/2 or x = (-6 + sqrt(46))/2"},
           ExerciseCase{"Solve by completing the square: x^2 + 2x + 5 = 0", "no solution"},
           ExerciseCase{"Solve by factoring: x^2 = 9", "x = 3 or x = -3"},
           ExerciseCase{"Solve over the complex numbers: x^2 + 9 = 0", "x = -3i or x = 3i"},
           ExerciseCase{"Find all complex solutions of 2x^2 = 4x - 5", "x = (2 - sqrt(6)i)/2 or x = (2 + sqrt(6)i)/2"},
           ExerciseCase{"Solve by factoring: x^2 = 2", "stuck at x^2 = 2"},  // the words are passed over
           ExerciseCase{"Solve by elimination: x + y = 3, x - y = 1", "x = 2; y = 1"},
           ExerciseCase{"solve x, y, z by elimination: 2x+3y+5z = 10; 3x-2y+4z=5; 5x+7y-3z=9", "x = 1; y = 1; z = 1"},
           ExerciseCase{"Solve by substitution: 3x + 2y = 12, 5x - 2y = 4", "x = 2; y = 3"},
       }) {
    EXPECT_EQ(AnswerTo(item.text), item.answer) << item.text;
  }
  EXPECT_EQ(textbook::FollowingLine("solve x by formula: 2x^2 + 3x - 1 = 0").state,
            "solve x by formula: x = (-3 - sqrt(3^2 - 4 * 2 * (-1)))/(2 * 2) or x = (-3 + sqrt(3^2 - 4 * 2 * (-1)))/(2 * 2)");
  EXPECT_EQ(textbook::FollowingLine("solve x by square: x^2 + 6x = 7").state, "solve x by square: x^2 + 6x + 9 = 7 + 9");
  EXPECT_EQ(textbook::FollowingLine("solve x, y by elimination: x + y = 3; x - y = 1").state,
            "solve x, y by elimination: x + y = 3; 2y = 2");
  EXPECT_TRUE(textbook::FollowingLine("solve x by factoring: x^2 - 2 = 0").refusal);
  EXPECT_TRUE(textbook::FollowingLine("solve x by complex: x^3 = 1").refusal);
  EXPECT_THROW(textbook::WithMethod("2x + y = 3", "guessing"), textbook::Refusal);
  EXPECT_THROW(textbook::WithMethod("solve x: x < 3", "formula"), textbook::Refusal);
  EXPECT_THROW(textbook::WithMethod("solve x, y: x + y = 3; x - y = 1", "formula"), textbook::Refusal);
  EXPECT_EQ(textbook::WithMethod("x^2 = 2x + 1", "square"), "solve x by square: x^2 = 2x + 1");
}

// Signs of LaTeX and Unicode mean the same wherever they stand.
TEST(TextbookExercises, SignsAreReadAsTheyLook) {
  for (const ExerciseCase& item : {
           ExerciseCase{"x⁵ · x⁻²", "x^3"},
           ExerciseCase{"x¹⁰/x³", "x^7"},
           ExerciseCase{"³√(8y³)", "2y"},
           ExerciseCase{"⅔x + ⅙x", "5x/6"},
           ExerciseCase{"2½x - x", "3x/2"},
           ExerciseCase{"\\cfrac{x}{4} + \\cfrac{x}{8}", "3x/8"},
           ExerciseCase{"\\(3x + 2x\\)", "5x"},
           ExerciseCase{"\\ln \\frac{1}{e^2}", "-2"},
           ExerciseCase{"5 e^\\ln(3x)", "15x"},
           ExerciseCase{"7^\\log_{7}\\left(4x\\right)", "4x"},
           ExerciseCase{"\\{x + 2\\} \\cdot 3", "3x + 6"},
           ExerciseCase{"2{x + 3} - x", "x + 6"},
           ExerciseCase{"\\textbf{Factor} x^2-4", "(x - 2)(x + 2)"},
       }) {
    EXPECT_EQ(AnswerTo(item.text), item.answer) << item.text;
  }
  const std::unique_ptr<Domain> domain = SchoolAlgebra();
  for (const char* const text : {"Simplify 20\\frac{3}{5} q + q", "3 + ln", "Multiplying by 1 -1\\times-16"}) {
    EXPECT_TRUE(ReadNotation(*domain, text).error) << text << " is read as " << ReadNotation(*domain, text).state;
  }
  EXPECT_NE(ReadNotation(*domain, "Simplify 3 ⊕ x + x").error->message.english().find("'⊕'"), std::string::npos);
}

TEST(TextbookExercises, EveryFamilyIsGeneratedAndSolved) {
  for (const std::string_view family : textbook::ExerciseFamilies()) {
    const std::unique_ptr<Domain> domain = MakeDomain("algebra:family=" + std::string(family));
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const std::string problem = domain->Generate(seed);
      EXPECT_EQ(domain->Parse(problem).state, problem);
      const std::string answer = AnswerTo(problem);
      EXPECT_FALSE(answer.starts_with("stuck") || answer.starts_with("unreadable") || answer == "too long")
          << family << ": " << problem << ": " << answer;
    }
  }
}

TEST(TextbookExercises, WordProblemsAreRefused) {
  for (const char* const text :
       {"Mia has 3 apples and buys 4 more. How many apples does she have?", "Find the sum of the solutions of x^2 - 4 = 0",
        "Translate: the sum of 8 and 12 apples", "Find the zeros of f(x) = x^3 + x",
        "Exercise #4: An account earns 3.6 interest. What is it worth in 20 years?",
        "Find the x-intercept and the y-intercept of y = 2x - 1"}) {
    EXPECT_TRUE(ReadNotation(*SchoolAlgebra(), text).error) << text;
    EXPECT_EQ(GuessDomain(text), "algebra") << text;
  }
}

TEST(TextbookExercises, TheJudgeFindsWrongLines) {
  for (const ExerciseCase& item : {
           ExerciseCase{"simplify: 3x + 2x", "simplify: 6x"},
           ExerciseCase{"simplify: sqrt(x^2)", "simplify: x"},
           ExerciseCase{"expand: (x + 2)(x - 3)", "expand: x^2 - 6"},
           ExerciseCase{"solve x: sqrt(15 - 2x) = x", "solve x: x = 3 or x = -5"},
           ExerciseCase{"solve x: abs(x) = 3", "solve x: x = 3"},
           ExerciseCase{"solve x: -2x < 6", "solve x: x < -3"},
           ExerciseCase{"solve x: x^2 <= 4", "solve x: -2 < x < 2"},
           ExerciseCase{"solve x, y: x + y = 3; x - y = 1", "solve x, y: x = 1; y = 2"},
           ExerciseCase{"solve x, y: x + y = 3; 2x + 2y = 6", "solve x, y: x = 1; y = 2"},
           ExerciseCase{"round 100: 23658", "result: 23600"},
           ExerciseCase{"gcf: 24, 40", "result: 4"},
           ExerciseCase{"evaluate: x^2; x = -2", "simplify: -4"},
       }) {
    EXPECT_EQ(SameExercise(item.text, item.answer), std::optional(false)) << item.text << " -> " << item.answer;
  }
}

TEST(TextbookTrees, AreReadAsTheyAreWritten) {
  for (const char* const text :
       {"2x/3", "2/3 * x", "x^(2/3)", "(-2)^4", "-2^4", "root(4, x^3)", "log(2, x)", "ln(x)", "abs(x - 1)", "2^(3x - 1)",
        "x * (y + 1)/(z - 2)", "sqrt(5)x", "s * q", "a(b + c)", "(x + 1)^2(x - 1)"}) {
    const std::string once = textbook::TextOf(textbook::ReadTree(text));
    EXPECT_EQ(textbook::TextOf(textbook::ReadTree(once)), once) << text;
    EXPECT_EQ(textbook::ValueOf(textbook::ReadTree(once)), textbook::ValueOf(textbook::ReadTree(text))) << text;
  }
}

}  // namespace
}  // namespace conpole
