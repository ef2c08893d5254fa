#include "http/rate_limit.h"

#include <string>

#include <gtest/gtest.h>

namespace conpole {
namespace {

using std::chrono::milliseconds;

TEST(RateLimitTest, ABurstAndThenARate) {
  RateLimit limit(2, 3);
  const RateLimit::Time start{};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.Ask("a", start), 0U);
  EXPECT_EQ(limit.Ask("a", start), 1U);
  EXPECT_EQ(limit.Ask("b", start), 0U);  // others have buckets of their own
  EXPECT_EQ(limit.Ask("a", start + milliseconds(400)), 1U);
  EXPECT_EQ(limit.Ask("a", start + milliseconds(500)), 0U);
  EXPECT_EQ(limit.Ask("a", start + milliseconds(500)), 1U);
  // A pause fills no more than the bucket.
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.Ask("a", start + milliseconds(60'000)), 0U);
  EXPECT_NE(limit.Ask("a", start + milliseconds(60'000)), 0U);
}

TEST(RateLimitTest, SlowRatesSayHowLong) {
  RateLimit limit(0.1, 1);
  EXPECT_EQ(limit.Ask("a", {}), 0U);
  EXPECT_EQ(limit.Ask("a", {}), 10U);
}

TEST(RateLimitTest, WithoutALimitNothingIsKept) {
  RateLimit limit(0, 1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(limit.Ask("a", {}), 0U);
  EXPECT_EQ(limit.clients(), 0U);
}

TEST(RateLimitTest, WhoWasAwayIsForgotten) {
  RateLimit limit(1, 1);
  for (int i = 0; i < 100'000; ++i) limit.Ask(std::to_string(i), RateLimit::Time() + milliseconds(i * 10));
  EXPECT_LT(limit.clients(), 2'000U);
}

}  // namespace
}  // namespace conpole
