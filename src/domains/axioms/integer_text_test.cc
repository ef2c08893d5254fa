#include "domains/axioms/integer_text.h"

#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(IntegerTextTest, ReadsDigitsUpToTheFirstOtherCharacter) {
  const std::string_view text = "0042x";
  std::int64_t value = -1;
  TermError error;
  EXPECT_EQ(ReadInteger(text.data(), text.data() + text.size(), value, error), text.data() + 4);
  EXPECT_EQ(value, 42);
}

TEST(IntegerTextTest, TheLargestIntegerIsRead) {
  const std::string_view text = "9223372036854775807";
  std::int64_t value = -1;
  TermError error;
  EXPECT_EQ(ReadInteger(text.data(), text.data() + text.size(), value, error), text.data() + text.size());
  EXPECT_EQ(value, INT64_MAX);
}

TEST(IntegerTextTest, FailuresPointAtTheStart) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  for (const Case& bad : {Case{"", "expected a digit, found the end"}, Case{"-1", "expected a digit, found '-'"},
                          Case{"9223372036854775808", "the number does not fit into 64 bits"}}) {
    std::int64_t value = 0;
    TermError error;
    EXPECT_EQ(ReadInteger(bad.text.data(), bad.text.data() + bad.text.size(), value, error), nullptr);
    EXPECT_EQ(error.at, bad.text.data());
    EXPECT_EQ(error.message, bad.message);
  }
}

}  // namespace
}  // namespace conpole
