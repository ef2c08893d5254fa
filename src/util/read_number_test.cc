#include "util/read_number.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(ReadNumberTest, ReadsTheWholeTextOrNothing) {
  EXPECT_EQ(ReadNumber<std::uint64_t>("0"), 0U);
  EXPECT_EQ(ReadNumber<std::uint64_t>("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(ReadNumber<int>("-7"), -7);
  EXPECT_EQ(ReadNumber<double>("-2.5e-1"), -0.25);
  for (const char* const wrong : {"", " 1", "1 ", "+1", "1x", "0x10", "nan", "inf", "-inf", "1e999"}) {
    EXPECT_EQ(ReadNumber<double>(wrong), std::nullopt) << wrong;
    EXPECT_EQ(ReadNumber<std::uint64_t>(wrong), std::nullopt) << wrong;
  }
  for (const char* const wrong : {"-1", "1.0", "1e3", "18446744073709551616"}) {
    EXPECT_EQ(ReadNumber<std::uint64_t>(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace conpole
