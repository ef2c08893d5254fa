#include "math/expression.h"

#include <string>

#include <gtest/gtest.h>

namespace conpole {
namespace {

// Postfix order, with blanks between.
std::string Postfix(std::string_view text) {
  const std::optional<Expression> expression = ReadCanonical(text);
  if (!expression) return "unreadable";
  std::string postfix;
  for (const ExpressionNode& node : *expression) {
    if (!postfix.empty()) postfix += ' ';
    switch (node.kind) {
      case ExpressionNode::Kind::kNumber:
        postfix += node.number.str();
        if (node.exponent != 0) postfix += "e" + std::to_string(node.exponent);
        break;
      case ExpressionNode::Kind::kNegation:
        postfix += "neg";
        break;
      default:
        postfix += node.symbol;
    }
  }
  EXPECT_EQ(expression->back().size, expression->size());
  return postfix;
}

TEST(ExpressionTest, ReadsCanonicalTextOfAllTerms) {
  EXPECT_EQ(Postfix("(2x + 3) = (-7)"), "2 x * 3 + -7 =");
  EXPECT_EQ(Postfix("[-1/2]x = ([-7/10])"), "-1/2 x * -7/10 =");
  EXPECT_EQ(Postfix("-(2x) = -(-x)"), "2 x * neg x neg neg =");
  EXPECT_EQ(Postfix("((x / 3) - [1/2]) = -x"), "x 3 / 1/2 - x neg =");
  EXPECT_EQ(Postfix("[1]/[2] - [(3 * 5)]/[-4]"), "1 2 / 3 5 * -4 / -");
  EXPECT_EQ(Postfix("5 * [7]/[10]"), "5 7 10 / *");
  EXPECT_EQ(Postfix("((12e3 * -4e1) + 0e0)"), "12e3 -4e1 * 0 +");
  EXPECT_EQ(Postfix("[007/010]x = 0"), "7/10 x * 0 =");
}

TEST(ExpressionTest, RefusesOtherText) {
  for (const char* const text : {"", " ", "1 +", "(1", "1)", "[1)", "(1]", "1 2", "x y", "1 ++ 2", "(1 = 2)", "1 n 2",
                                 "1 = 2 = 3", "1e99999999999 + 2", "#(b3)"}) {
    EXPECT_EQ(Postfix(text), "unreadable") << text;
  }
}

}  // namespace
}  // namespace conpole
