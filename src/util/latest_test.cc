#include "util/latest.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(LatestTest, ATextIsWorkedOnOnceWhileItIsKept) {
  Latest<std::size_t, 2> latest;
  int made = 0;
  const auto length = [&](std::string_view text) {
    ++made;
    return text.size();
  };
  EXPECT_EQ(latest.Of("", length), 0U);
  EXPECT_EQ(latest.Of("one", length), 3U);
  EXPECT_EQ(latest.Of("", length), 0U);
  EXPECT_EQ(latest.Of("one", length), 3U);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(latest.Of("three", length), 5U);  // in place of the oldest
  EXPECT_EQ(latest.Of("one", length), 3U);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(latest.Of("", length), 0U);
  EXPECT_EQ(made, 4);
}

}  // namespace
}  // namespace conpole
