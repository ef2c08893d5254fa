#include "verify/algebra_meaning.h"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace conpole {
namespace {

using MeaningKind = AlgebraMeaning::Kind;

std::optional<bool> Same(std::string_view a, std::string_view b) { return SameMeaning(ReadAlgebra(a), ReadAlgebra(b)); }

TEST(AlgebraMeaningTest, NumbersHaveTheirValue) {
  const auto value = [](std::string_view text) {
    const AlgebraMeaning meaning = ReadAlgebra(text);
    EXPECT_EQ(meaning.kind, MeaningKind::kValue) << text;
    return meaning.value;
  };
  EXPECT_EQ(value("1/2 + 3 * (4 - 1 1/2)"), 8);
  EXPECT_EQ(value("-2^2 + 0.25"), Exact(-15, 4));
  EXPECT_EQ(value("(1/2)/(3/4)"), Exact(2, 3));
  EXPECT_EQ(value("2 * 1/2"), 1);
  EXPECT_EQ(value("007"), 7);
  EXPECT_EQ(ReadAlgebra("1/0").kind, MeaningKind::kNotKnown);
  EXPECT_EQ(ReadAlgebra("2x").kind, MeaningKind::kNotKnown);
  EXPECT_EQ(ReadAlgebra("(1 + 2)^1000^1000").kind, MeaningKind::kNotKnown);
}

TEST(AlgebraMeaningTest, EquationsHaveTheirSolutions) {
  EXPECT_EQ(Same("2x + 3 = 7", "x = 2"), true);
  EXPECT_EQ(Same("2x/3 = 4", "x = 6"), true);
  EXPECT_EQ(Same("2/3 * x = 4", "x = 6"), true);
  EXPECT_EQ(Same("x^2 = 9", "x = 3 or x = -3"), true);
  EXPECT_EQ(Same("x^2 = 9", "x = 3"), false);
  EXPECT_EQ(Same("x = x + 1", "no solution"), true);
  EXPECT_EQ(Same("x^2 = -1", "no solution"), true);
  EXPECT_EQ(Same("2(x + 1) = 2x + 2", "every number"), true);
  EXPECT_EQ(Same("x/x = 1", "every number"), false);
  EXPECT_EQ(Same("x/x = 1", "every number; x != 0"), true);
  EXPECT_EQ(Same("1/(x^2 - 2) = 1/(x^2 - 2)", "every number; x^2 - 2 != 0"), true);
  EXPECT_EQ(Same("x = 1; x != 1", "no solution"), true);
  EXPECT_EQ(Same("x = 1 or x = 2; x != 1, x != 3", "x = 2"), true);
  EXPECT_EQ(Same("x(x - 1)/(x - 1) = 1", "x = 1"), false);
  EXPECT_EQ(Same("x = 1", "2"), false);
  EXPECT_EQ(Same("x = 1", "x ="), std::nullopt);
  EXPECT_EQ(Same("x = 1", "x = 1 or y = 2"), std::nullopt);
}

TEST(AlgebraMeaningTest, RootsCountWithTheirConjugates) {
  EXPECT_EQ(Same("x^2 = 5", "x = sqrt(5) or x = -sqrt(5)"), true);
  EXPECT_EQ(Same("x^2 = 5", "x = sqrt(5)"), false);
  EXPECT_EQ(Same("x^2 = 5", "x = sqrt(5) or x = -sqrt(3)"), false);
  EXPECT_EQ(Same("x^2 = 5", "x = sqrt(5) or x = sqrt(5)"), false);
  EXPECT_EQ(Same("x^2 - x - 1 = 0", "x = (1 + sqrt(5))/2 or x = (1 - sqrt(5))/2"), true);
  EXPECT_EQ(Same("x^2 - x - 1 = 0", "x = (1 + sqrt(5))/2 or x = (2 - sqrt(5))/2"), false);
  EXPECT_EQ(Same("x(x^2 - 2) = 0", "x = 0 or x = sqrt(2) or x = -sqrt(2)"), true);
  EXPECT_TRUE(ReadAlgebra("x = sqrt(5)").half);
  EXPECT_EQ(Same("x^3 = 2", "x = cbrt(2)"), true);
  EXPECT_EQ(Same("x^3 = -2", "x = cbrt(2)"), false);
  EXPECT_EQ(Same("x^3 = 2", "x = cbrt(3)"), false);
  EXPECT_EQ(Same("8x^3 = 5", "x = cbrt(5)/2"), true);
  EXPECT_EQ(Same("(x - 1)^4 = 2", "x = 1 + root(4, 2) or x = 1 - root(4, 2)"), true);
  EXPECT_EQ(Same("(x - 1)^4 = 2", "x = 1 + root(4, 2)"), false);
  EXPECT_EQ(Same("x^4 = 2", "x = root(6, 2) or x = -root(6, 2)"), false);
  EXPECT_FALSE(ReadAlgebra("x = cbrt(5)").half);
}

TEST(AlgebraMeaningTest, HostileTextsEndSoon) {
  std::string nested;
  for (int i = 0; i < 4'000; ++i) nested += '(';
  EXPECT_EQ(ReadAlgebra(nested).kind, MeaningKind::kNotKnown);
  std::string powers = "x^12";
  while (powers.size() < 3'900) powers += " * (x^12 + 9)^1000";
  EXPECT_EQ(ReadAlgebra(powers + " = 1").kind, MeaningKind::kNotKnown);
  const auto in_brackets = [](std::size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  EXPECT_EQ(ReadAlgebra(in_brackets(499)).value, 1);
  EXPECT_EQ(ReadAlgebra(in_brackets(500)).kind, MeaningKind::kNotKnown);
  EXPECT_EQ(ReadAlgebra("1^1000").value, 1);
  EXPECT_EQ(ReadAlgebra("1^1001").kind, MeaningKind::kNotKnown);
  EXPECT_EQ(ReadAlgebra("x = root(12, 2)").kind, MeaningKind::kSolutions);
  EXPECT_EQ(ReadAlgebra("x = root(13, 2)").kind, MeaningKind::kNotKnown);
  // Eleven nodes in brackets. Each counts twice in a power, which may come to 20,000.
  EXPECT_TRUE(ReadAlgebraTerm("(x + 1 + 2 + 3 + 4 + 5)^909"));
  EXPECT_FALSE(ReadAlgebraTerm("(x + 1 + 2 + 3 + 4 + 5)^910"));
  std::string sum = "x^1000";  // 1,999 nodes, and another for each sign
  for (int i = 0; i < 9; ++i) sum += " + x^1000";
  EXPECT_TRUE(ReadAlgebraTerm(sum));
  EXPECT_FALSE(ReadAlgebraTerm(sum + " + x^1000"));
  EXPECT_FALSE(ReadAlgebraTerm("1 +"));
  EXPECT_TRUE(ReadAlgebraTerm("2(x + 1)/3"));
}

TEST(AlgebraMeaningTest, IncludesSomeOrAllSolutions) {
  const auto includes = [](std::string_view set, std::string_view part) {
    return Includes(ReadAlgebra(set).solutions, ReadAlgebra(part).solutions);
  };
  EXPECT_EQ(includes("x^2 = 4", "x = 2"), true);
  EXPECT_EQ(includes("x = 2", "x^2 = 4"), false);
  EXPECT_EQ(includes("x^3 = 2x", "x^2 = 2"), true);
  EXPECT_EQ(includes("x^2 = 2", "x^3 = 2x"), false);
  EXPECT_EQ(includes("x = 2", "no solution"), true);
  EXPECT_EQ(includes("no solution", "x = 2"), false);
  EXPECT_EQ(includes("every number", "x = 2"), true);
  EXPECT_EQ(includes("every number; x != 2", "x = 2"), false);
  EXPECT_EQ(includes("x = 2", "every number"), false);
  EXPECT_EQ(includes("every number", "every number; x != 2"), true);
  EXPECT_EQ(includes("every number; x != 2", "every number"), false);
}

TEST(AlgebraMeaningTest, ARootWithoutItsConjugateIsOneSolution) {
  const auto same = [](std::string_view a, std::string_view b) { return SameMeaning(ReadAlgebra(a), ReadAlgebra(b)); };
  EXPECT_EQ(same("x = sqrt(5)", "x = sqrt(5)"), true);
  EXPECT_EQ(same("x = sqrt(5)", "x = -sqrt(5)"), false);
  EXPECT_EQ(same("x = sqrt(5)", "x^2 = 5"), false);
  EXPECT_EQ(same("x = sqrt(5) or x = -sqrt(5)", "x^2 = 5"), true);
}

}  // namespace
}  // namespace conpole
