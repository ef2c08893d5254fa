#include "explain/action.h"

#include <gtest/gtest.h>

namespace conpole {
namespace {

using Operands = std::vector<std::string>;

TEST(ActionTest, ReadsThePartsOfALabel) {
  const Action eval = ReadLabel("eval 5, (2 * 3)", LoneNumber::kPosition);
  EXPECT_EQ(eval.label, "eval 5, (2 * 3)");
  EXPECT_EQ(eval.axiom, "eval");
  EXPECT_EQ(eval.position, 5U);
  EXPECT_EQ(eval.operands, Operands{"(2 * 3)"});
  EXPECT_EQ(ReadLabel("factorize 5, 6, 2*3", LoneNumber::kPosition).operands, (Operands{"6", "2*3"}));
  const Action refl = ReadLabel("refl", LoneNumber::kOperand);
  EXPECT_EQ(refl.axiom, "refl");
  EXPECT_FALSE(refl.position);
  EXPECT_TRUE(refl.operands.empty());
}

TEST(ActionTest, ALoneNumberIsWhatTheSubjectSays) {
  EXPECT_EQ(ReadLabel("swap 3", LoneNumber::kPosition).position, 3U);
  EXPECT_TRUE(ReadLabel("swap 3", LoneNumber::kPosition).operands.empty());
  EXPECT_FALSE(ReadLabel("sub 3", LoneNumber::kOperand).position);
  EXPECT_EQ(ReadLabel("sub 3", LoneNumber::kOperand).operands, Operands{"3"});
}

TEST(ActionTest, AnyTextIsRead) {
  for (const char* const label : {"", " ", "a ", "a ,", "a -3, b", "a 99999999999999999999, b", "a 3x, b"}) {
    EXPECT_FALSE(ReadLabel(label, LoneNumber::kPosition).position) << label;
  }
}

}  // namespace
}  // namespace conpole
