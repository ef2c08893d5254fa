// Misconceptions of algebra and of operations with numbers that research on learning describes, four lines of our own for each.
// How many of those that can be read get a reason is counted; one reason per kind is not enough.
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "tutor/check_step.h"

namespace conpole {
namespace {

// A misconception per line: its name, then lines before and after the mistake.
constexpr std::string_view kMisconceptions = R"(
unlike terms are joined | 2x + 3 = 15 -> 5x = 15 | 4 + 3x = 21 -> 7x = 21 | 6x - 2 = 8 -> 4x = 8 | 5 + x = 12 -> 5x = 12
the answer must be one term | 3x + 4 = 28 -> 7 = 28 | 2x + 5 = 9 -> 7x = 9 | x + 8 = 16 -> 8x = 16 | 9x - 4 = 10 -> 5x = 10
a letter has no value of its own | 5x - x = 20 -> 5 = 20 | 7x - x = 42 -> 7 = 42 | 3x - x = 8 -> 3 = 8 | 9x - x = 16 -> 9 = 16
a letter without a number counts nothing | 4x + x = 20 -> 4x = 20 | 6x + x = 28 -> 6x = 28 | x + 2x = 9 -> 2x = 9 | 8x + x = 45 -> 8x = 45
letters are multiplied when added | x + x = 10 -> x^2 = 10 | 2x + 3x = 20 -> 5x^2 = 20 | 4x + x = 15 -> 5x^2 = 15 | 3x + 3x = 24 -> 6x^2 = 24
coefficients are multiplied when added | 2x + 5x = 21 -> 10x = 21 | 3x + 4x = 35 -> 12x = 35 | 6x + 2x = 16 -> 12x = 16 | 5x + 3x = 24 -> 15x = 24
letters are added when multiplied | x * x = 16 -> 2x = 16 | x * x = 49 -> 2x = 49 | 3x * x = 27 -> 6x = 27 | 2x * 3x = 24 -> 5x = 24
coefficients are added when multiplied | 2x * 3x = 54 -> 5x^2 = 54 | 4x * 2x = 32 -> 6x^2 = 32 | 3x * 5x = 60 -> 8x^2 = 60 | 6x * 2x = 48 -> 8x^2 = 48
the factor is for the first term | 2(x + 5) = 16 -> 2x + 5 = 16 | 4(x - 3) = 8 -> 4x - 3 = 8 | 3(2x + 1) = 15 -> 6x + 1 = 15 | 5(x + 2) = 30 -> 5x + 2 = 30
the factor is for the last term | 2(x + 5) = 16 -> x + 10 = 16 | 4(x - 3) = 8 -> x - 12 = 8 | 3(2x + 1) = 15 -> 2x + 3 = 15 | 6(x + 4) = 36 -> x + 24 = 36
the bracket is multiplied together | 2(x + 5) = 30 -> 10x = 30 | 3(x + 4) = 24 -> 12x = 24 | 5(x + 2) = 40 -> 10x = 40 | 4(x + 6) = 48 -> 24x = 48
the minus is for the first term | 10 - (x + 3) = 2 -> 10 - x + 3 = 2 | 8 - (x - 2) = 5 -> 8 - x - 2 = 5 | 15 - (2x + 1) = 4 -> 15 - 2x + 1 = 4 | 20 - (3x - 4) = 9 -> 20 - 3x - 4 = 9
the minus before a factor is for the first term | 10 - 2(x + 3) = 2 -> 10 - 2x + 6 = 2 | 9 - 3(x - 1) = 3 -> 9 - 3x - 3 = 3 | 20 - 4(x + 1) = 8 -> 20 - 4x + 4 = 8 | 7 - 5(x - 2) = 2 -> 7 - 5x - 10 = 2
from left to right before a bracket | 3 + 2(x + 1) = 15 -> 5(x + 1) = 15 | 7 - 4(x + 1) = 9 -> 3(x + 1) = 9 | 6 + 3(x - 2) = 18 -> 9(x - 2) = 18 | 10 - 2(x + 4) = 24 -> 8(x + 4) = 24
the square of a sum is the sum of squares | (x + 3)^2 = 25 -> x^2 + 9 = 25 | (x + 5)^2 = 36 -> x^2 + 25 = 36 | (x - 2)^2 = 16 -> x^2 + 4 = 16 | (2x + 1)^2 = 9 -> 4x^2 + 1 = 9
the square of a difference is the difference of squares | (x - 3)^2 = 16 -> x^2 - 9 = 16 | (x - 5)^2 = 9 -> x^2 - 25 = 9 | (2x - 1)^2 = 9 -> 4x^2 - 1 = 9 | (x - 7)^2 = 4 -> x^2 - 49 = 4
first with first and last with last | (x + 2)(x + 3) = 12 -> x^2 + 6 = 12 | (x + 4)(x - 1) = 14 -> x^2 - 4 = 14 | (x - 2)(x - 5) = 10 -> x^2 + 10 = 10 | (2x + 1)(x + 3) = 18 -> 2x^2 + 3 = 18
a term keeps its sign when it moves | x + 7 = 12 -> x = 19 | 3x - 4 = 11 -> 3x = 7 | 5x + 2 = 17 -> 5x = 19 | 2x - 9 = 5 -> 2x = -4
the unknown keeps its sign when it moves | 5x = 2x + 9 -> 7x = 9 | 6x + 1 = 2x + 13 -> 8x + 1 = 13 | 4x = 10 - x -> 3x = 10 | 9x - 2 = 3x + 10 -> 12x - 2 = 10
a term is moved on one side only | x + 7 = 12 -> x = 12 | 3x - 4 = 11 -> 3x = 11 | 5x + 2 = 17 -> 5x = 17 | 2x + 9 = 15 -> 2x = 15
a factor is taken away like a term | 4x = 20 -> x = 16 | 7x = 21 -> x = 14 | 3x = 30 -> x = 27 | 6x = 18 -> x = 12
a factor is added | 4x = 20 -> x = 24 | 7x = 21 -> x = 28 | 3x = 30 -> x = 33 | 6x = 18 -> x = 24
a term is divided away | x + 4 = 20 -> x = 5 | x + 7 = 21 -> x = 3 | x + 3 = 30 -> x = 10 | x + 6 = 18 -> x = 3
a product is undone by multiplying | 4x = 20 -> x = 80 | 7x = 21 -> x = 147 | 3x = 12 -> x = 36 | 5x = 15 -> x = 75
a quotient is undone by dividing | x/4 = 20 -> x = 5 | x/3 = 12 -> x = 4 | x/5 = 30 -> x = 6 | x/2 = 14 -> x = 7
a quotient is undone by subtracting | x/4 = 20 -> x = 16 | x/3 = 12 -> x = 9 | x/5 = 30 -> x = 25 | x/2 = 14 -> x = 12
the larger is divided by the smaller | 20x = 4 -> x = 5 | 21x = 7 -> x = 3 | 30x = 6 -> x = 5 | 18x = 3 -> x = 6
the sign of the divisor is lost | -4x = 20 -> x = 5 | -3x = -12 -> x = -4 | -5x = 35 -> x = 7 | -2x = -18 -> x = -9
only one side is divided | 4x = 20 -> x = 20 | 7x = 35 -> x = 35 | 3x = 18 -> x = 18 | 9x = 63 -> x = 63
not every term is divided | 4x + 8 = 20 -> x + 8 = 5 | 3x + 6 = 21 -> x + 6 = 7 | 5x - 10 = 30 -> x - 10 = 6 | 2x + 9 = 14 -> x + 9 = 7
not every term is multiplied | x/2 + 3 = 7 -> x + 3 = 14 | x/5 - 1 = 4 -> x - 1 = 20 | x/3 + 2 = 6 -> x + 2 = 18 | x/4 + 5 = 8 -> x + 5 = 32
denominators vanish | x/2 + 3 = 7 -> x + 3 = 7 | (x + 1)/3 = (x + 5)/4 -> x + 1 = x + 5 | x/2 + x/3 = 10 -> x + x = 10 | (x - 2)/5 + 1 = 4 -> x - 2 + 1 = 4
across instead of crosswise | x/3 = 8/6 -> 3x = 48 | (x + 1)/2 = 9/3 -> 2(x + 1) = 27 | x/4 = 5/2 -> 4x = 10 | (x - 1)/5 = 2/3 -> 5(x - 1) = 6
terms are cancelled | (x + 4)/4 = 3 -> x = 3 | (x + 6)/6 = 2 -> x = 2 | (2x + 5)/5 = 7 -> 2x = 7 | (3x + 8)/8 = 4 -> 3x = 4
one term is divided | (2x + 6)/2 = 9 -> x + 6 = 9 | (4x + 8)/4 = 5 -> x + 8 = 5 | (6x - 9)/3 = 7 -> 2x - 9 = 7 | (10x + 15)/5 = 11 -> 2x + 15 = 11
a product is split although it is not zero | x(x - 2) = 3 -> x = 3 or x - 2 = 3 | (x - 1)(x + 2) = 4 -> x - 1 = 4 or x + 2 = 4 | x(x + 5) = 6 -> x = 6 or x + 5 = 6 | (x - 3)(x - 4) = 2 -> x - 3 = 2 or x - 4 = 2
a square is undone by halving | x^2 = 16 -> x = 8 | x^2 = 36 -> x = 18 | x^2 = 100 -> x = 50 | x^2 = 64 -> x = 32
a number and its opposite are one root | x^2 = 16 -> x = 4 | x^2 = 25 -> x = 5 | x^2 = 81 -> x = 9 | (x - 1)^2 = 4 -> x = 3
the signs of roots are those of the brackets | (x - 2)(x + 5) = 0 -> x = -2 or x = 5 | (x + 1)(x + 6) = 0 -> x = 1 or x = 6 | (x - 4)(x - 7) = 0 -> x = -4 or x = -7 | (x + 3)(x - 8) = 0 -> x = 3 or x = -8
divided by the unknown | x^2 = 5x -> x = 5 | x^2 = 9x -> x = 9 | 2x^2 = 6x -> 2x = 6 | x^2 + 4x = 0 -> x + 4 = 0
a power is base times exponent | 3^2 + 1 -> 6 + 1 | 5^3 + 2 -> 15 + 2 | 4^2 - 3 -> 8 - 3 | 2^4 + 7 -> 8 + 7
exponents are multiplied | x^2 * x^3 = 32 -> x^6 = 32 | x^3 * x^4 = 128 -> x^12 = 128 | 2^3 * 2^2 -> 2^6 | 3^2 * 3^4 -> 3^8
exponents are added in a power of a power | (x^2)^3 = 64 -> x^5 = 64 | (x^3)^2 = 64 -> x^5 = 64 | (2^3)^2 -> 2^5 | (3^2)^3 -> 3^5
the exponent is for one factor | (2x)^2 = 36 -> 2x^2 = 36 | (3x)^2 = 81 -> 3x^2 = 81 | (5x)^2 = 100 -> 5x^2 = 100 | (4x)^2 = 64 -> 4x^2 = 64
the exponent is for the coefficient too | 2x^2 = 18 -> 4x^2 = 18 | 3 * 2^2 -> 36 | 5 * 3^2 -> 225 | 2 * 4^2 -> 64
the minus is squared too | -3^2 -> 9 | -5^2 -> 25 | -4^2 + 1 -> 16 + 1 | -2^4 -> 16
the square keeps the minus | (-3)^2 -> -9 | (-5)^2 -> -25 | (-4)^2 + 1 -> -16 + 1 | (-6)^2 -> -36
from left to right always | 2 + 3 * 4 -> 20 | 10 - 2 * 3 -> 24 | 5 + 4 * 6 -> 54 | 20 - 8 * 2 -> 24
addition before subtraction | 10 - 3 + 2 -> 5 | 20 - 6 + 4 -> 10 | 15 - 7 + 3 -> 5 | 30 - 12 + 8 -> 10
minus and minus is plus in a sum | -3 - 4 -> 7 | -5 - 2 -> 7 | -8 - 6 -> 14 | -1 - 9 -> 10
the smaller from the larger | 3 - 8 -> 5 | 4 - 9 -> 5 | 2 - 10 -> 8 | 6 - 11 -> 5
minus times minus is minus | (-3) * (-4) -> -12 | (-5) * (-2) -> -10 | (-7) * (-6) -> -42 | (-9) * (-3) -> -27
subtracting a negative number subtracts | 5 - (-3) -> 2 | 8 - (-2) -> 6 | 1 - (-6) -> -5 | 10 - (-4) -> 6
fractions are added across | 1/2 + 1/3 -> 2/5 | 2/5 + 1/4 -> 3/9 | 3/4 + 1/2 -> 4/6 | 1/6 + 2/3 -> 3/9
only the denominators are made equal | 1/2 + 1/3 -> 2/6 | 2/5 + 1/4 -> 3/20 | 3/4 + 1/6 -> 4/12 | 2/3 + 1/7 -> 3/21
a whole number goes into both parts | 3 * 2/5 -> 6/15 | 4 * 3/7 -> 12/28 | 2 * 5/9 -> 10/18 | 6 * 1/4 -> 6/24
a quotient of fractions is a product | 2/3 : 4/5 -> 8/15 | 1/2 : 3/4 -> 3/8 | 5/6 : 2/7 -> 10/42 | 3/5 : 1/2 -> 3/10
decimals are multiplied like whole numbers | 0.3 * 0.2 -> 0.6 | 0.4 * 0.5 -> 2 | 0.2 * 0.7 -> 1.4 | 0.6 * 0.3 -> 1.8
tens are not carried | 45 + 38 -> 73 | 68 + 27 -> 815 | 23 * 4 -> 812 | 57 + 36 -> 83
the smaller digit from the larger | 62 - 38 -> 36 | 83 - 47 -> 44 | 500 - 123 -> 423 | 71 - 25 -> 54
ones below tens | 305 + 20 -> 505 | 412 + 30 -> 712 | 650 + 4 -> 690 | 128 + 5 -> 178
the line of a fraction is a point | 3/8 -> 3.8 | 1/5 -> 0.5 | 2/7 -> 2.7 | 1/6 -> 0.6
per cent divide | 25/100 * 80 -> 80/25 | 20/100 * 60 -> 3 | 5/100 * 40 -> 8 | 30/100 * 90 -> 3
only the product of the brackets counts | x^2 + 5x + 6 = 0 -> (x + 1)(x + 6) = 0 | x^2 + 8x + 12 = 0 -> (x + 3)(x + 4) = 0 | x^2 - 7x + 10 = 0 -> (x - 1)(x - 10) = 0 | x^2 + 9x + 20 = 0 -> (x + 2)(x + 10) = 0
only the sum of the brackets counts | x^2 + 5x + 6 = 0 -> (x + 1)(x + 4) = 0 | x^2 + 8x + 12 = 0 -> (x + 3)(x + 5) = 0 | x^2 + 7x + 10 = 0 -> (x + 3)(x + 4) = 0 | x^2 + 9x + 20 = 0 -> (x + 2)(x + 7) = 0
the root is taken of each term | x^2 + 9 = 25 -> x + 3 = 5 | x^2 + 16 = 25 -> x + 4 = 5 | x^2 + 25 = 169 -> x + 5 = 13 | x^2 - 9 = 16 -> x - 3 = 4
a factor is for each factor | 4 * 2x = 40 -> 8 + 4x = 40 | 3 * 5x = 60 -> 15 + 3x = 60 | 2 * 3x * 5 = 90 -> 60x = 90 | 5 * 2x = 70 -> 10 + 5x = 70
a bracket is taken into the sum before it | 3 - 6(y - 15) = 9 -> -3y + 90 = 9 | 7 + 2(x + 4) = 33 -> 9x + 8 = 33 | 10 - 3(x + 2) = 1 -> 7x - 6 = 1 | 5 + 4(x - 1) = 28 -> 9x - 4 = 28
a sum in a denominator is split | 6/(1 + 2) -> 6/1 + 6/2 | 12/(2 + 4) -> 6 + 3 | 20/(4 + 1) -> 5 + 20 | 8/(2 + 2) -> 4 + 4
)";

std::vector<std::string> Split(const std::string& text, std::string_view at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(at); end != std::string::npos; end = text.find(at, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + at.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

TEST(MisconceptionsTest, MostHaveAReason) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  std::size_t kinds = 0;
  std::size_t lines = 0;
  std::size_t named = 0;
  std::string without;
  std::istringstream table{std::string(kMisconceptions)};
  for (std::string row; std::getline(table, row);) {
    if (row.empty()) continue;
    ++kinds;
    const std::vector<std::string> parts = Split(row, " | ");
    ASSERT_EQ(parts.size(), 5U) << row;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::vector<std::string> sides = Split(parts[i], " -> ");
      ASSERT_EQ(sides.size(), 2U) << parts[i];
      const NotationResult before = ReadNotation(*domain, sides[0]);
      ASSERT_FALSE(before.error) << parts[i];
      const StepCheck check = CheckStep(*domain, before.state, sides[1]);
      ASSERT_EQ(check.kind, StepCheck::Kind::kNotEquivalent) << parts[i] << ": " << check.message;
      ++lines;
      const bool has_reason = !check.mistake.empty() && !check.mistake.ends_with("_slip");
      if (has_reason) ++named;
      if (!has_reason) without += parts[0] + ": " + parts[i] + "\n";
    }
  }
  EXPECT_GE(kinds, 55U);
  EXPECT_GE(100 * named, 85 * lines) << named << " of " << lines << "; without:\n" << without;
  RecordProperty("named", static_cast<int>(named));
  RecordProperty("lines", static_cast<int>(lines));
}

}  // namespace
}  // namespace conpole
