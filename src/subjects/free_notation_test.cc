#include "subjects/free_notation.h"
#include "notation/notation.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"
#include "language/catalogue.h"
#include "math/expression.h"
#include "subjects/subject.h"
#include "tests/repetitions.h"
#include "util/random.h"
#include "verify/algebra_meaning.h"
#include "verify/exact.h"

namespace conpole {
namespace {

using Kind = NotationError::Kind;

struct Good {
  std::string text;
  std::string state;
};

// `guess` is the domain that the texts are guessed to be of; empty if they are not all of one.
void ExpectRead(std::string_view name, const std::vector<Good>& cases, std::string_view guess) {
  const std::unique_ptr<Domain> domain = MakeDomain(name);
  for (const Good& item : cases) {
    const NotationResult result = ReadNotation(*domain, item.text);
    EXPECT_FALSE(result.error) << item.text << ": " << (result.error ? result.error->message : "");
    EXPECT_EQ(result.state, item.state) << item.text;
    EXPECT_EQ(ReadNotation(*domain, result.reading).state, item.state) << item.text << " was read as " << result.reading;
    if (!guess.empty()) {
      EXPECT_EQ(GuessDomain(item.text), guess) << item.text;
    }
  }
}

struct Bad {
  std::string text;
  Kind kind;
  std::size_t position;
  std::string message;  // part of it
};

void ExpectRefused(std::string_view name, const std::vector<Bad>& cases) {
  const std::unique_ptr<Domain> domain = MakeDomain(name);
  for (const Bad& item : cases) {
    const NotationResult result = ReadNotation(*domain, item.text);
    if (!result.error) {
      ADD_FAILURE() << item.text << " was read as " << result.state;
      continue;
    }
    EXPECT_EQ(result.state, "") << item.text;
    EXPECT_EQ(result.error->kind, item.kind) << item.text << ": " << result.error->message;
    EXPECT_EQ(result.error->position, item.position) << item.text << ": " << result.error->message;
    EXPECT_NE(result.error->message.english().find(item.message), std::string::npos)
        << item.text << ": " << result.error->message;
    // In German a comma between digits is a decimal sign, so more can be read.
    const NotationResult german = ReadNotation(*domain, item.text, "de");
    if (german.error) {
      EXPECT_NE(german.error->message, result.error->message.english()) << item.text;
      EXPECT_EQ(german.error->message.english().find("expected"), std::string::npos) << german.error->message;
      EXPECT_EQ(german.error->message.english().find("found"), std::string::npos) << german.error->message;
    }
  }
}

TEST(NotationTest, ReadsEquations) {
  ExpectRead("equations",
             {{"2x+3=7", "(2x + 3) = 7"},
              {"3(x-2) = 9", "(3 * (x - 2)) = 9"},
              {"x/4=18", "(x / 4) = 18"},
              {"-x = 9(x-10)", "-x = (9 * (x - 10))"},
              {"2/3 x + 5 = 20 - x", "([2/3]x + 5) = (20 - x)"},
              {"0.5x = 3", "[1/2]x = 3"},
              {".25 x=1", "[1/4]x = 1"},
              {"1.50x = 2", "[3/2]x = 2"},
              {"2.0x = 2", "2x = 2"},
              {"3/9x = 1", "(3 / 9x) = 1"},
              {"3/9 x = 1", "((3 / 9) * x) = 1"},
              {"2/3x = 1", "(2 / 3x) = 1"},
              {"1/2(x+1) = 4", "(1 / (2 * (x + 1))) = 4"},
              {"1/2 (x+1) = 4", "([1/2] * (x + 1)) = 4"},
              {"(1/2)(x+1) = 4", "([1/2] * (x + 1)) = 4"},
              {"x = 1/2", "x = [1/2]"},
              {"x = -1/2", "x = ([-1/2])"},
              {"x = 6/3", "x = (6 / 3)"},
              {"x = 1 / 2", "x = (1 / 2)"},
              {"x = 1÷2", "x = (1 / 2)"},
              {"x = 1:2", "x = (1 / 2)"},
              {"x = (1)/2", "x = (1 / 2)"},
              {"x = 2/-3", "x = (2 / (-3))"},
              {"5*2/3 = x", "((5 * 2) / 3) = x"},
              {"x/2/3 = 1", "((x / 2) / 3) = 1"},
              {"1/2/3 = x", "([1/2] / 3) = x"},
              {"x - 1 - 2 = 3", "((x - 1) - 2) = 3"},
              {"2*x = 4", "2x = 4"},
              {"x*2 = 4", "(x * 2) = 4"},
              {"2 x = 4", "2x = 4"},
              {"-2x=4", "-2x = 4"},
              {"-(2x)=4", "-(2x) = 4"},
              {"--x=4", "-(-x) = 4"},
              {"x = +3", "x = 3"},
              {"2+-3x=1", "(2 + -3x) = 1"},
              {"x(x+1) = 2", "(x * (x + 1)) = 2"},
              {"(x+1)(x-1) = 3", "((x + 1) * (x - 1)) = 3"},
              {"(x+1)x = 3", "((x + 1) * x) = 3"},
              {"xx = 4", "(x * x) = 4"},
              {"2(3(x+1)+1) = 8", "(2 * ((3 * (x + 1)) + 1)) = 8"},
              {"[2/4]x = 1", "[1/2]x = 1"},
              {"[x+1]*2 = 3", "((x + 1) * 2) = 3"},
              {"{x+1}*2 = 3", "((x + 1) * 2) = 3"},
              {"y - 5 = 7", "(y - 5) = 7"},
              {"3t + 1 = 10", "(3t + 1) = 10"},
              {"2e+3=7", "(2e + 3) = 7"},
              {"5 = 2N", "5 = 2N"},
              {"2 = 2", "2 = 2"},
              {"x = 9223372036854775807", "x = 9223372036854775807"},
              {"\tx\n=\r\n3 ", "x = 3"}},
             "algebra");
}

TEST(NotationTest, ReadsUnicodeAndLatexEquations) {
  ExpectRead("equations",
             {{"2x − 3 = 7", "(2x - 3) = 7"},
              {"2x – 3 = −7", "(2x - 3) = (-7)"},
              {"2·x = 4", "2x = 4"},
              {"2⋅(x+1) = 4", "(2 * (x + 1)) = 4"},
              {"3×x = 9", "3x = 9"},
              {"x ÷ 4 = 18", "(x / 4) = 18"},
              {"½x = 3", "[1/2]x = 3"},
              {"¾ x + ⅓ = 1", "([3/4]x + [1/3]) = 1"},
              {"2 x = 4", "2x = 4"},
              {"1⁄2 = x", "[1/2] = x"},
              {"2𝑥 + 3 = 7", "(2x + 3) = 7"},
              {R"(\frac{2}{3}x+5=20-x)", "([2/3]x + 5) = (20 - x)"},
              {R"(\frac23 x = 1)", "[2/3]x = 1"},
              {R"(-\frac{2}{3}x = 1)", "[-2/3]x = 1"},
              {R"(\frac{-2}{3}x = 1)", "[-2/3]x = 1"},
              {R"(\frac{6}{3}x = 1)", "((6 / 3) * x) = 1"},
              {R"(\frac{x}{4} = 18)", "(x / 4) = 18"},
              {R"(\frac{x+1}{2} = \frac{x-1}{3})", "((x + 1) / 2) = ((x - 1) / 3)"},
              {R"(\frac{\frac{1}{2}}{x} = 3)", "([1/2] / x) = 3"},
              {R"(\dfrac{1}{2}\left(x-1\right)=3)", "([1/2] * (x - 1)) = 3"},
              {R"(2 \cdot x = 4)", "2x = 4"},
              {R"(2\times\left( x+1 \right) = 4)", "(2 * (x + 1)) = 4"},
              {R"(x \div 4 = 18)", "(x / 4) = 18"},
              {R"(2 \div 3 = x)", "(2 / 3) = x"},
              {"$2x+3=7$", "(2x + 3) = 7"},
              {R"(\(2x+3=7\))", "(2x + 3) = 7"},
              {R"(\[ 2x + 3 = 7 \])", "(2x + 3) = 7"},
              {R"(2\,x\;=\quad 4)", "2x = 4"},
              {R"(2/3\,x = 4)", "[2/3]x = 4"},
              {"{2}{x} = 4", "2x = 4"}},
             "algebra");
}

TEST(NotationTest, RefusesWhatIsNoEquation) {
  ExpectRefused("equations", {{"", Kind::kUnreadable, 0, "expected a number or a term, found the end"},
                              {"2x+3", Kind::kUnreadable, 4, "expected '=' and the other side"},
                              {"2x+=7", Kind::kUnreadable, 3, "expected a number or a term, found '='"},
                              {"2x+3=", Kind::kUnreadable, 5, "found the end"},
                              {"=7", Kind::kUnreadable, 0, "expected a number or a term"},
                              {"2x+3=7=8", Kind::kUnreadable, 6, "a second '='"},
                              {"2x==4", Kind::kUnreadable, 3, "expected a number or a term, found '='"},
                              {"(2x=4)", Kind::kUnreadable, 3, "'=' inside brackets"},
                              {"(2x+3=7", Kind::kUnreadable, 5, "'=' inside brackets"},
                              {"2x=(4", Kind::kUnreadable, 3, "'(' is never closed"},
                              {"2x+3)=7", Kind::kUnreadable, 4, "')' closes nothing"},
                              {"(2x+3]=7", Kind::kUnreadable, 5, "']' does not close '('"},
                              {"()=7", Kind::kUnreadable, 1, "expected a number or a term, found ')'"},
                              {"2x 3 = 7", Kind::kUnreadable, 3, "expected an operator or the end, found '3'"},
                              {"x2 = 7", Kind::kUnreadable, 1, "expected an operator"},
                              {"2 1/4 x = 3", Kind::kUnreadable, 2, "write 2 + 1/4 or 2 * 1/4"},
                              {"2½ x = 3", Kind::kUnreadable, 1, "write 2 + 1/4"},
                              {R"(2\frac{1}{4} = x)", Kind::kUnreadable, 1, "write 2 + 1/4"},
                              {"1,5x = 3", Kind::kUnreadable, 1, "decimals with a point"},
                              {"x = 1,000", Kind::kUnreadable, 5, "without separators"},
                              {"x = 5%", Kind::kUnreadable, 5, "found '%'"},
                              {"x = 3 €", Kind::kUnreadable, 6, "found '€'"},
                              {"α = 3", Kind::kUnreadable, 0, "found 'α'"},
                              {R"(\frac{1}x = 3)", Kind::kUnreadable, 8, "'{' and the denominator"},
                              {R"(\frac x2 = 3)", Kind::kUnreadable, 6, "'{' and the numerator"},
                              {R"(\frac{1}{2 = x)", Kind::kUnreadable, 11, "'=' inside brackets"},
                              {R"(\foo = 3)", Kind::kUnreadable, 0, R"(found '\foo')"},
                              {"x = 9223372036854775808", Kind::kUnreadable, 4, "too large"},
                              {"x = 0.1234567890123456789012", Kind::kUnreadable, 4, "too large"},
                              {"x = \x01", Kind::kUnreadable, 4, "expected a number or a term"},
                              {"x = \xff", Kind::kUnreadable, 4, "expected a number or a term"},
                              {"x^2 = 4", Kind::kNotExpressible, 1, "a power"},
                              {"x² = 4", Kind::kNotExpressible, 1, "a power"},
                              {"x**2 = 4", Kind::kNotExpressible, 1, "a power"},
                              {"2^x = 4", Kind::kNotExpressible, 1, "a power"},
                              {"2x + y = 4", Kind::kNotExpressible, 5, "second unknown beside 'x'"},
                              {"2xy = 4", Kind::kNotExpressible, 2, "second unknown"},
                              {"x = X", Kind::kNotExpressible, 4, "second unknown"},
                              {"2x < 4", Kind::kNotExpressible, 3, "inequality"},
                              {"2x <= 4", Kind::kNotExpressible, 3, "'<=' makes this an inequality"},
                              {"2x ≥ 4", Kind::kNotExpressible, 3, "inequality"},
                              {R"(2x \leq 4)", Kind::kNotExpressible, 3, "inequality"},
                              {"2x != 4", Kind::kNotExpressible, 3, "inequality"},
                              {"sqrt(x) = 2", Kind::kNotExpressible, 0, "functions"},
                              {R"(2 + \sin(x) = 2)", Kind::kNotExpressible, 4, "functions"},
                              {"√x = 2", Kind::kNotExpressible, 0, "functions"},
                              {"|x| = 2", Kind::kNotExpressible, 0, "absolute value"}});
}

TEST(NotationTest, ReadsFractions) {
  ExpectRead("fractions",
             {{"1/2 + 1/3", "[1]/[2] + [1]/[3]"},
              {"1/2+1/3", "[1]/[2] + [1]/[3]"},
              {"3 - 2 1/4", "3 - [((2 * 4) + 1)]/[4]"},
              {"2½ + 1", "[((2 * 2) + 1)]/[2] + 1"},
              {"-2 1/4 + 1", "[((-2 * 4) - 1)]/[4] + 1"},
              {"2/3 * 4/5", "[2]/[3] * [4]/[5]"},
              {"2 / 3 * 4 / 5", "[2]/[3] * [4]/[5]"},
              {"5 · 7/10", "5 * [7]/[10]"},
              {"6/4", "[6]/[4]"},
              {"(2*3)/(3*5)", "[(2 * 3)]/[(3 * 5)]"},
              {"(1/2) - (1/3)", "[1]/[2] - [1]/[3]"},
              {"(1/2 - 1/3)", "[1]/[2] - [1]/[3]"},
              {"1/2 - -1/3", "[1]/[2] - [-1]/[3]"},
              {"-(1/2) + 1", "[-1]/[2] + 1"},
              {"1/(-4)", "[1]/[-4]"},
              {"0.5 + 1/3", "[5]/[10] + [1]/[3]"},
              {"½ + ⅓", "[1]/[2] + [1]/[3]"},
              {R"(\frac{1}{2} + \frac{1}{3})", "[1]/[2] + [1]/[3]"},
              {R"(\frac{2 \cdot 3}{5} - 1)", "[(2 * 3)]/[5] - 1"},
              {R"(\frac12-\tfrac13)", "[1]/[2] - [1]/[3]"},
              {"[1]/[2] + [1]/[3]", "[1]/[2] + [1]/[3]"},
              {"7", "7"},
              {"1 + 2 + 3", "(1 + 2) + 3"},
              {"(1 + 2)", "(1 + 2)"},
              {"9 ÷ 6", "[9]/[6]"}},
             "algebra");
}

TEST(NotationTest, RefusesWhatIsNoFraction) {
  ExpectRefused("fractions", {{"1/2 +", Kind::kUnreadable, 5, "found the end"},
                              {"1/2 1/3", Kind::kUnreadable, 4, "a sum or a product?"},
                              {"2 5/4", Kind::kUnreadable, 2, "less than 1"},
                              {"1/0", Kind::kUnreadable, 0, "a fraction over 0"},
                              {"1/2 + x", Kind::kNotExpressible, 6, "no unknowns"},
                              {"2x", Kind::kNotExpressible, 1, "no unknowns"},
                              {"1/2 = 0.5", Kind::kNotExpressible, 4, "an equation"},
                              {"1/2 + 1/3 + 1/4", Kind::kNotExpressible, 1, "one operation"},
                              {"1/2 / 1/3", Kind::kNotExpressible, 1, "one operation"},
                              {"(1/2)/3", Kind::kNotExpressible, 2, "one operation"},
                              {"-(1 + 2)", Kind::kNotExpressible, 0, "a minus before parentheses"},
                              {"(1/2)^2", Kind::kNotExpressible, 5, "a power"},
                              {"9223372036854775808/2", Kind::kUnreadable, 0, "too large"}});
}

TEST(NotationTest, ReadsProducts) {
  ExpectRead("multiplication",
             {{"12 * 345", "(12e0 * 345e0)"},
              {"12*345", "(12e0 * 345e0)"},
              {"12 × 345", "(12e0 * 345e0)"},
              {"12 x 345", "(12e0 * 345e0)"},
              {"12x345", "(12e0 * 345e0)"},
              {"12·345", "(12e0 * 345e0)"},
              {R"(12 \cdot 345)", "(12e0 * 345e0)"},
              {"12e1 * 3e2", "(12e1 * 3e2)"},
              {"12 * 10^3 * 4", "(12e3 * 4e0)"},
              {"12·10³·4", "(12e3 * 4e0)"},
              {R"(12 \cdot 10^{3} \cdot 4)", "(12e3 * 4e0)"},
              {"10^2 * 3", "(1e2 * 3e0)"},
              {"12 * 345 + 7", "((12e0 * 345e0) + 7e0)"},
              {"(12+3)(4+5)", "((12e0 + 3e0) * (4e0 + 5e0))"},
              {"2*3*4", "((2e0 * 3e0) * 4e0)"},
              {"2 * (-3)", "(2e0 * -3e0)"},
              {"007 * 2", "(7e0 * 2e0)"},
              {"99999999999999999999999 * 3", "(99999999999999999999999e0 * 3e0)"}},
             "");
  for (const char* const text : {"12e1 * 3e2", "(12e0 * 345e0)", "7e2"}) EXPECT_EQ(GuessDomain(text), "multiplication") << text;
}

TEST(NotationTest, RefusesWhatIsNoProduct) {
  ExpectRefused("multiplication", {{"12 *", Kind::kUnreadable, 4, "found the end"},
                                   {"12 345", Kind::kUnreadable, 3, "expected an operator"},
                                   {"1,234 * 5", Kind::kUnreadable, 1, "without separators"},
                                   {"12 / 3", Kind::kNotExpressible, 3, "a division"},
                                   {"1.5 * 3", Kind::kNotExpressible, 0, "a decimal fraction"},
                                   {"½ * 3", Kind::kNotExpressible, 0, "a fraction"},
                                   {R"(\frac{1}{2} * 3)", Kind::kNotExpressible, 0, "a fraction"},
                                   {"12 * y", Kind::kNotExpressible, 5, "no unknowns"},
                                   {"12 * 3 = 36", Kind::kNotExpressible, 7, "an equation"},
                                   {"12^2", Kind::kNotExpressible, 2, "a power"},
                                   {"-(1 + 2)", Kind::kNotExpressible, 0, "a minus before parentheses"},
                                   {"10^x", Kind::kNotExpressible, 3, "no unknowns"},
                                   {"1e99999", Kind::kUnreadable, 0, "too large"}});
}

TEST(NotationTest, ReadsLists) {
  ExpectRead("sorting",
             {{"[3,1,2]", "[===|=|==]"},
              {"[ 3, 1, 2 ]", "[===|=|==]"},
              {"(3;1;2)", "[===|=|==]"},
              {"{3, 1, 2}", "[===|=|==]"},
              {R"(\{3, 1, 2\})", "[===|=|==]"},
              {R"(\left[3, 1, 2\right])", "[===|=|==]"},
              {"[===|=|==]", "[===|=|==]"},
              {"[=== | = | ==]", "[===|=|==]"},
              {"[0, 2]", "[|==]"},
              {"[-0, -0.0, .5, 007]", "[0|0|0.5|7]"},
              {"[99999, 1]", "[99999|1]"},
              {"[9000, 9000]", "[9000|9000]"},
              {"[123456789012345678901234567890, 2]", "[123456789012345678901234567890|2]"},
              {"[]", "[]"}},
             "sorting");
  // Without brackets they are read as lists only where the domain is named.
  ExpectRead("sorting",
             {{"5", "[=====]"},
              {"3, 1, 2", "[===|=|==]"},
              {"3 1 2", "[===|=|==]"},
              {"3|1|2", "[===|=|==]"},
              {"3, -1, 2.5", "[3|-1|2.5]"}},
             "algebra");
  ExpectRead("sorting", {{"3 -1 2.50", "[3|-1|2.5]"}, {"[3|-1|2.5]", "[3|-1|2.5]"}}, {});
  ExpectRefused("sorting", {{"", Kind::kUnreadable, 0, "a list of numbers"},
                            {"[3,1", Kind::kUnreadable, 4, "the end of the list"},
                            {"[3,,1]", Kind::kUnreadable, 3, "a number"},
                            {"[3,1] 2", Kind::kUnreadable, 6, "expected the end"},
                            {"[3,a]", Kind::kUnreadable, 3, "a number, found 'a'"},
                            {"[3,-]", Kind::kUnreadable, 4, "a number"},
                            {"[3/1]", Kind::kUnreadable, 2, "',' or the end of the list"},
                            {"[=== | x]", Kind::kUnreadable, 7, "expected '='"}});
}

TEST(NotationTest, ReadsTernarySums) {
  ExpectRead("ternary-addition",
             {{"c3 b5 b3", "#(c3 b5 b3)"},
              {"#(c3 b5 b3)", "#(c3 b5 b3)"},
              {"(c3 b5 b3)", "#(c3 b5 b3)"},
              {"c3 + b5 + b3", "#(c3 b5 b3)"},
              {"c3, b5, b3", "#(c3 b5 b3)"},
              {"c3b5b3", "#(c3 b5 b3)"},
              {"c10 a0", "#(c: a0)"},
              {"#()", "#()"}},
             "ternary-addition");
  // To people these are numbers to be worked out.
  ExpectRead("ternary-addition",
             {{"2*3^3 + 1*3^5 + 3^3", "#(c3 b5 b3)"},
              {"2·3³ + 3⁵", "#(c3 b5)"},
              {R"(2 \cdot 3^{3} + 1 \cdot 3^{12})", "#(c3 b<)"},
              {"2*3^2 + 2*3 + 1", "#(c2 c1 b0)"}},
             "algebra");
  ExpectRefused("ternary-addition", {{"", Kind::kUnreadable, 0, "a digit such as c3"},
                                     {"d3", Kind::kUnreadable, 0, "a digit a, b or c"},
                                     {"c", Kind::kUnreadable, 1, "a power right after the digit"},
                                     {"c 3", Kind::kUnreadable, 2, "a power right after the digit"},
                                     {"#(c3 b5", Kind::kUnreadable, 7, "another digit or ')'"},
                                     {"#(c3) b5", Kind::kUnreadable, 6, "expected the end"},
                                     {"c3 - b5", Kind::kUnreadable, 3, "a digit such as c3"},
                                     {"2*5^3", Kind::kUnreadable, 2, "a power of 3"},
                                     {"4*3^3", Kind::kNotExpressible, 0, "not 0, 1 or 2"},
                                     {"c79", Kind::kNotExpressible, 0, "powers above 78"}});
}

TEST(NotationTest, ReadsCubes) {
  const std::string solved = "A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f";
  ExpectRead("rubiks-cube",
             {{solved, solved},
              {"R R'", solved},
              {"R2 R2", solved},
              {"(R U R' U')(U R U' R')", solved},
              {"R U R-1 U-1 U1 R1 U' R’", solved},
              {"RUR'U' URU'R3", solved},
              {"UUUUUUUUU RRRRRRRRR FFFFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB", solved},
              {"UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", solved},
              {"000000000111111111222222222333333333444444444555555555", solved}},
             "rubiks-cube");
  // A turn of the right face shows the front's colour on the upper face's right column.
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const NotationResult turned = ReadNotation(*domain, "R");
  EXPECT_EQ(turned.reading, "UUFUUFUUF RRRRRRRRR FFDFFDFFD DDBDDBDDB LLLLLLLLL UBBUBBUBB");
  ExpectRefused("rubiks-cube", {{"", Kind::kUnreadable, 0, "a turn such as R"},
                                {"R U Q", Kind::kUnreadable, 4, "a turn such as R"},
                                {"R5", Kind::kUnreadable, 1, "quarter turns"},
                                {"R-2", Kind::kUnreadable, 2, "R-1"},
                                {"R + U", Kind::kUnreadable, 2, "a turn such as R"},
                                {"000000000111111111222222222333333333444444444555555550", Kind::kUnreadable, 0, "9 times"}});
}

TEST(NotationTest, WritesForPeople) {
  const std::vector<std::array<std::string, 4>> cases{
      {"equations", "(2x + 3) = (-7)", "2x + 3 = -7", "2x + 3 = -7"},
      {"equations", "([2/3]x + 5) = (20 - x)", "(2/3)x + 5 = 20 - x", R"(\frac{2}{3}x + 5 = 20 - x)"},
      {"equations", "([-2/3] * (x - 1)) = ([-1/2])", "-(2/3)(x - 1) = -1/2",
       R"(-\frac{2}{3}\left(x - 1\right) = -\frac{1}{2})"},
      {"equations", "(3 / 9x) = (2 / 3)", "3 / (9x) = 2 / 3", R"(\frac{3}{9x} = 2 \div 3)"},
      {"equations", "(x - (2 - x)) = (x - (-3))", "x - (2 - x) = x - (-3)", R"(x - \left(2 - x\right) = x - \left(-3\right))"},
      {"equations", "-(2x) = -((x + 1) * 2)", "-(2x) = -((x + 1) * 2)",
       R"(-\left(2x\right) = -\left(\left(x + 1\right) \cdot 2\right))"},
      {"fractions", "[(2 * 3)]/[5] - [-1]/[2]", "(2 * 3)/5 - (-1/2)", R"(\frac{2 \cdot 3}{5} - \frac{-1}{2})"},
      {"multiplication", "((12e1 * 3e0) + 4e0)", "12e1 * 3 + 4", R"(12 \cdot 10^{1} \cdot 3 + 4)"},
      {"sorting", "[===|=|==]", "[3, 1, 2]", "[3, 1, 2]"},
      {"ternary-addition", "#(c3 b:)", "c3 b10", R"(2 \cdot 3^{3} + 1 \cdot 3^{10})"}};
  for (const auto& [name, state, plain, latex] : cases) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    EXPECT_EQ(WriteNotation(*domain, state), plain);
    EXPECT_EQ(WriteLatex(*domain, state), latex);
  }
}

// States far from problems: random walks, which pile up operations, signs and numbers.
TEST(NotationTest, ReadsBackWhatItWrites) {
  for (const char* const name : {"equations:max_nodes=60,max_bytes=400", "fractions:max_nodes=40", "multiplication", "sorting",
                                 "ternary-addition", "rubiks-cube"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    Random random(7);
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < Repetitions(200U, 10U); ++seed) {
      std::string state = domain->Generate(seed);
      for (int step = 0; step < 25; ++step) {
        if (seen.insert(state).second) {
          for (const std::string& text : {WriteNotation(*domain, state), WriteLatex(*domain, state), state}) {
            const NotationResult result = ReadNotation(*domain, text);
            ASSERT_EQ(result.state, state) << text << ": " << (result.error ? result.error->message : "");
          }
        }
        Successors next;
        if (domain->Expand(state, Labels::kOff, next) != Status::kOpen) break;
        state = std::string(next.state(static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(next.size())))));
        // Walks can divide fractions by 0, which is not to be read.
        if (domain->Parse(state).error) break;
      }
    }
    EXPECT_GT(seen.size(), Repetitions(500U, 25U)) << name;
  }
}

TEST(NotationTest, GuessesAlgebraForEquationsAndNumbers) {
  for (const char* const text : {"2x+3=7",
                                 "2/3x = 4",
                                 "1/2 + 1/3",
                                 "12 * 345",
                                 "12 x 345",
                                 "12x345",
                                 "12·345 + 7",
                                 R"(12 \cdot 10^{3})",
                                 "7",
                                 "-3/3",
                                 "3^2",
                                 "2*3^3 + 1",
                                 "3a = 6",
                                 "2a + 3",
                                 "c3 = 4",
                                 "1 1/2",
                                 "2,5 + 1,5",
                                 "3 - 1",
                                 "3 -1",
                                 "-5",
                                 "x = 2 or x = 3",
                                 "(2 / 3x) = 4",
                                 "[1]/[2] + [1]/[3]",
                                 "[5/2]x = 1",
                                 "a",
                                 "R = 3",
                                 "2e = 4"}) {
    EXPECT_EQ(GuessDomain(text), "algebra") << text;
  }
  for (const char* const text : {"[3, -1, 2]", "[-3 2]", "(3,1)", "sort 3, -1, 2", "Sortiere -3; 1.5", "3 -1 2 in order"}) {
    EXPECT_EQ(GuessDomain(text), "sorting") << text;
  }
  // Nobody said what to do with these.
  for (const char* const text : {"48,300", "54, 36", "3 -1 2", "3,1", "3, 1, 2"})
    EXPECT_EQ(GuessDomain(text), "algebra") << text;
}

TEST(NotationTest, GuessesTheDomainOfWhatItCannotRead) {
  for (const char* const text : {"x^2 = 4", "2x < 4", "2x + 3", "y", "x + y = 2", "|x| = 2", "3 < 4"}) {
    EXPECT_EQ(GuessDomain(text), "algebra") << text;
  }
  EXPECT_EQ(GuessDomain(""), "algebra");
  EXPECT_EQ(GuessDomain("[=|"), "sorting");
  EXPECT_EQ(GuessDomain("R U M"), "rubiks-cube");
}

TEST(NotationTest, HostileTextEndsSoon) {
  const std::size_t most = Repetitions(kMaxStateBytes, kMaxStateBytes / 16);
  for (const DomainType* type : DomainTypes()) {
    const std::unique_ptr<Domain> domain = MakeDomain(type->name);
    for (const std::string piece : {"(", "-",   "1+", "(1+", "x", "2x ", R"(\frac{)", "[",    "{",      "1/", "1e",     "9",
                                    "R", "c3 ", "=",  "|",   ",", "\\",  "½",         "\xff", "2 1/3 ", "^",  "1 1/2(", ")("}) {
      std::string text;
      while (text.size() + piece.size() <= most) text += piece;
      const NotationResult result = ReadNotation(*domain, text);
      if (result.error) {
        EXPECT_LE(result.error->position, text.size());
      }
      GuessDomain(text);
    }
    const std::string deep = std::string(2000, '(') + "1" + std::string(2000, ')');
    ReadNotation(*domain, type->name == "equations" ? "x = " + deep : deep);
    EXPECT_TRUE(ReadNotation(*domain, std::string(kMaxStateBytes + 1, '1')).error);
  }
  const std::unique_ptr<Domain> equations = MakeDomain("equations");
  EXPECT_EQ(ReadNotation(*equations, std::string(2000, '(') + "x" + std::string(2000, ')') + "=1").state, "x = 1");
}

TEST(NotationTest, WordsAroundAProblemAreLeftOut) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  for (const Good& item : std::vector<Good>{{"solve 2x+3=7", "2x + 3 = 7"},
                                            {"Solve for x: 2x+3=7", "2x + 3 = 7"},
                                            {"what is 1/2+1/3?", "1/2 + 1/3"},
                                            {"Berechne 3/4*2", "3/4 * 2"},
                                            {"x in 2x+3=7", "2x + 3 = 7"},
                                            {"Löse 2x+3=7 nach x auf.", "2x + 3 = 7"},
                                            {"a) 2x = 4", "2x = 4"}}) {
    EXPECT_EQ(GuessDomain(item.text), "algebra") << item.text;
    const NotationResult read = ReadNotation(*algebra, item.text);
    EXPECT_EQ(read.state, item.state) << item.text << ": " << (read.error ? read.error->message : "");
  }
  EXPECT_EQ(GuessDomain("sort 3 1 2"), "sorting");
  EXPECT_EQ(ReadNotation(*MakeDomain("sorting"), "Sort the list [3, 1, 2]!").state, "[===|=|==]");
  const NotationResult unknown = ReadNotation(*algebra, "solve 2x + apples = 3");
  ASSERT_TRUE(unknown.error);
  EXPECT_EQ(unknown.error->position, 11U);
  EXPECT_EQ(unknown.error->message, "'apples' is no word that is understood here; an unknown is one letter");
}

TEST(NotationTest, ABarIsNeverTheEndOfAProblem) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  struct Bar {
    std::string_view text;
    std::string_view state;
  };
  for (const Bar& good : {Bar{"10-3|9-3(3-1)|", "simplify: 10 - 3abs(9 - 3(3 - 1))"}, Bar{"5 = 2x|3|", "solve x: 5 = 2xabs(3)"},
                          Bar{"2|3|+1", "simplify: 2abs(3) + 1"}, Bar{"-2|k-4| \\leq -6", "solve k: -2abs(k - 4) <= -6"},
                          Bar{"5 = 2x \\lvert -3 \\rvert", "solve x: 5 = 2xabs(-3)"}}) {
    EXPECT_EQ(ReadNotation(*algebra, good.text).state, good.state) << good.text;
  }
  EXPECT_TRUE(ReadNotation(*algebra, "5 = 2x∣-3∣").error);
  // A remark belongs to a solution that is checked.
  EXPECT_TRUE(ReadNotation(*algebra, "2x+3=7 | -3").error);
  EXPECT_EQ(ReadNextLine(*algebra, "2x + 3 = 7", "2x+3=7 | -3").state, "2x + 3 = 7");
  EXPECT_TRUE(ReadNextLine(*algebra, "2x + 3 = 7", "2x+3=7|3|").error);
}

TEST(NotationTest, WhatStandsBetweenNumbersDoesNotJoinThem) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  for (const char* const text : {"5$6", "5&6", "5\u200b6", "5%3", "x²3 = 5", "\\begin{2}5", "5\\6", "2)+3"}) {
    const NotationResult read = ReadNotation(*algebra, text);
    EXPECT_TRUE(read.error) << text << " is read as " << read.state;
  }
  // What is left out besides words is said by showing the reading.
  for (const char* const text : {"12) 2x = 4", "a) 2x = 4", "solve for y: 2x = 4", "12 * 34 ="}) {
    EXPECT_TRUE(ReadNotation(*algebra, text).ambiguous) << text;
  }
  EXPECT_FALSE(ReadNotation(*algebra, "solve for x: 2x = 4").ambiguous);
}

TEST(NotationTest, AListToSortStandsInBrackets) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  for (const char* const text : {"54, 36", "3, -1, 2", "3 1 2", "3,1,2"}) {
    const NotationResult read = ReadNotation(*algebra, text);
    ASSERT_TRUE(read.error) << text;
    EXPECT_EQ(read.error->message, "a list of numbers to be sorted is written in brackets, as in [3, 1, 2]") << text;
  }
  EXPECT_EQ(ReadNotation(*algebra, "48,300").error->message,
            "a comma before three digits may mean thousands; write 1000, or 1.000");
}

TEST(NotationTest, OfSeveralLinesTheFirstIsNamed) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  for (const char* const text : {"2x+3=7\n2x=4", " 2x+3=7 \\\\ 2x = 4", "Solve 2x+3=7\r\n\r\nx=2\n"}) {
    const NotationResult read = ReadNotation(*algebra, text);
    ASSERT_TRUE(read.error) << text;
    EXPECT_NE(read.error->message.english().find("this is more than one line; the first one alone would be a problem: '"),
              std::string::npos)
        << read.error->message;
  }
  EXPECT_EQ(ReadNotation(*algebra, "2x + 3\n  = 7\n").state, "2x + 3 = 7");
}

TEST(NotationTest, SaysWhichTextsOthersMightReadInAnotherWay) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  for (const char* const text : {"2/3x = 4", "1/2(x+4) = 3", "1/x(x+1) = 2", "1/(2)(x+1) = 2", "(2 / 3x) = 4"}) {
    EXPECT_TRUE(ReadNotation(*algebra, text).ambiguous) << text;
  }
  for (const char* const text : {"2/3 x = 4", "2x/3 = 4", "2/3 * x = 4", "2/(3x) = 4", "(2/3)x = 4", "1/2 + 1/3", "x/2 = 3"}) {
    EXPECT_FALSE(ReadNotation(*algebra, text).ambiguous) << text;
  }
  EXPECT_EQ(ReadNotation(*algebra, "2/3x = 4").reading, "2/3 * x = 4");
}

// What the domain equations prints keeps its meaning when it is read as algebra.
TEST(NotationTest, StatesOfEquationsKeepTheirMeaningInAlgebra) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  const std::unique_ptr<Domain> equations = MakeDomain("equations");
  EXPECT_EQ(ReadNotation(*algebra, "(2 / 3x) = 4").state, "2/(3x) = 4");
  EXPECT_EQ(ReadNotation(*algebra, "(([2/3] / 3x) + (-1)) = ([-1/2])").state, "(2/3)/(3x) - 1 = -1/2");
  std::size_t divisions = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string state = equations->Generate(seed);
    const NotationResult read = ReadNotation(*algebra, state);
    ASSERT_FALSE(read.error) << state << ": " << read.error->message;
    if (state.find('/') == std::string::npos) continue;
    ++divisions;
    const std::optional<Expression> before = ReadCanonical(state);
    const AlgebraMeaning after = ReadAlgebra(read.state);
    ASSERT_TRUE(before && after.left && after.right) << state;
    const Expression left = Subexpression(*before, LeftOperand(*before, before->size() - 1));
    const Expression right = Subexpression(*before, RightOperand(*before, before->size() - 1));
    EXPECT_TRUE(SameFunction(left, *after.left).value_or(false)) << state << " became " << read.state;
    EXPECT_TRUE(SameFunction(right, *after.right).value_or(false)) << state << " became " << read.state;
  }
  EXPECT_GT(divisions, 20U);
}

TEST(NotationTest, ACommaBetweenDigitsIsGerman) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  EXPECT_EQ(ReadNotation(*algebra, "1,125x = 3", "de").state, "1.125x = 3");
  EXPECT_TRUE(ReadNotation(*algebra, "1,125x = 3").error);
  EXPECT_EQ(ReadNotation(*MakeDomain("equations"), "1,5x = 3", "de").state, "[3/2]x = 3");
  EXPECT_EQ(GuessDomain("2,5", "de"), "algebra");
  EXPECT_EQ(GuessDomain("[3,1]", "de"), "sorting");
  EXPECT_EQ(ReadNotation(*algebra, "keine Lösung").state, "no solution");
  EXPECT_EQ(ReadNotation(*algebra, "Jede Zahl; x != 1").state, "every number; x != 1");
  EXPECT_EQ(ReadNotation(*algebra, "x = 1,5 oder x = 2", "de").state, "x = 1.5 or x = 2");
  EXPECT_EQ(ReadNotation(*algebra, "x = 1,5 o bien x = 2", "es").state, "x = 1.5 or x = 2");
  EXPECT_EQ(ReadNotation(*algebra, "x = 1,5 ou x = 2", "fr").state, "x = 1.5 or x = 2");
  EXPECT_EQ(ReadNotation(*algebra, "ninguna solución", "es").state, "no solution");
  EXPECT_EQ(ReadNotation(*algebra, "tout nombre", "fr").state, "every number");
  EXPECT_EQ(ReadNotation(*algebra, "25 % de 80", "fr").state, ReadNotation(*algebra, "25 % of 80").state);
  EXPECT_EQ(ReadNotation(*algebra, "y más 3 es 7", "es").state, "y + 3 = 7");
  for (const std::string& language : Catalogue::Languages()) {
    const bool comma = ReadNotation(*algebra, "2x = 3,141", language).state == "2x = 3.141";
    EXPECT_EQ(comma, language != "en") << language;
  }
}

TEST(NotationTest, ListsOfAnyNumbersInGerman) {
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  EXPECT_EQ(ReadNotation(*sorting, "2; -3; 1,5", "de").state, "[2|-3|1.5]");
  EXPECT_EQ(ReadNotation(*sorting, "[3,1]", "de").state, "[===|=]");
  EXPECT_EQ(SubjectOf(*sorting).Localise("de", Script::kPlain, "[2, -3, 1.5]"), "[2; -3; 1,5]");
  EXPECT_EQ(SubjectOf(*sorting).Localise("de", Script::kPlain, "[2, -3]"), "[2, -3]");
}

TEST(NotationTest, ReadsKhanAcademyEquationsAsTheDomainDoes) {
  const std::string path = CONPOLE_SHARED "/data/khan.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path;
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const nlohmann::json kinds = nlohmann::json::parse(std::ifstream(path));
  for (const nlohmann::json& equations : kinds) {
    for (const std::string equation : equations) {
      EXPECT_EQ(ReadNotation(*domain, equation).state, domain->Parse(equation).state);
    }
  }
}

}  // namespace
}  // namespace conpole
