#include "domains/school/algebra_tidy.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "domains/school/algebra_text.h"

namespace conpole::algebra {
namespace {

Node LeftSide(std::string_view text) { return Read(std::string(text) + " = 0").state.equations.at(0).left; }

TEST(AlgebraTidyTest, LikeTermsAreMadeOneWhereTheFirstStands) {
  for (const auto& [text, tidied] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"4x + 2 - x + 5", "3x + 7"},
           {"2 + 3x - 1", "1 + 3x"},
           {"7 - x", "7 - x"},
           {"x/2 + x/3", "5x/6"},
           {"2 * 3x", "6x"},
           {"x * x", "x^2"},
           {"6x/4", "3x/2"},
           {"2/3 * x", "2x/3"},
           {"1/2 * (x + 4)", "(x + 4)/2"},
           {"3(x + 1 + 2)", "3(x + 3)"},
           {"3(x + 1) + 2(x + 1)", "5(x + 1)"},
           {"1(x + 1) + 2", "x + 3"},
           {"x - x", "0"},
           {"2/(x + 1) + 3/(x + 1)", "5/(x + 1)"},
           {"x/x", "x/x"},
           {"0/(x + 1) + 2", "2"},
           {"(2 + 3)x", "5x"},
           {"(2x)^2", "4x^2"},
           {"0.5x + 0.25x", "0.75x"},
           {"1 1/2 * x + x/2", "2x"},
           {"-(-x)", "x"},
       }) {
    const Node side = LeftSide(text);
    const Node result = Tidied(side, StyleOf(side));
    EXPECT_EQ(TextOf(result, 'x'), tidied) << text;
    EXPECT_EQ(Tidied(result, StyleOf(result)), result) << text;
    EXPECT_EQ(FindNormalForm(result).form, FindNormalForm(side).form) << text;
  }
}

TEST(AlgebraTidyTest, BracketsAreMultipliedOut) {
  for (const auto& [text, expanded] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"3(x - 2)", "3x - 6"},
           {"-(x + 2)", "-x - 2"},
           {"x(x - 5)", "x^2 - 5x"},
           {"(x + 1)(x - 2)", "x^2 - x - 2"},
           {"(x - 1)^2", "x^2 - 2x + 1"},
           {"2(3(x + 1) - 4)", "6(x + 1) - 8"},
           {"2(1 + 1/x)", "2 + 2/x"},
           {"(10x + 10)/5", "2x + 2"},
           {"0.5(x + 4)", "0.5x + 2"},
       }) {
    const Node side = LeftSide(text);
    const std::optional<std::vector<Term>> terms = Expanded(side, StyleOf(side));
    ASSERT_TRUE(terms) << text;
    EXPECT_EQ(TextOf(NodeOf(*terms, StyleOf(side)), 'x'), expanded) << text;
  }
  for (const std::string_view text : {"3x", "(x + 1)/2", "2/(x + 1)", "x + 1", "(x + 1)/(x - 1)"}) {
    EXPECT_FALSE(Expanded(LeftSide(text), NumberStyle::kFractions)) << text;
  }
}

}  // namespace
}  // namespace conpole::algebra
