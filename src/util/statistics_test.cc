#include "util/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(StatisticsTest, IntervalsEqualPublishedOnes) {
  // Wilson's interval without correction, as statistics packages print it.
  const Interval half = RateInterval(10, 20);
  EXPECT_NEAR(half.low, 0.2993, 5e-5);
  EXPECT_NEAR(half.high, 0.7007, 5e-5);
  // Newcombe 1998, Table I: 81 of 263 and 15 of 148.
  const Interval third = RateInterval(81, 263);
  EXPECT_NEAR(third.low, 0.2553, 5e-5);
  EXPECT_NEAR(third.high, 0.3662, 5e-5);
  const Interval tenth = RateInterval(15, 148);
  EXPECT_NEAR(tenth.low, 0.0624, 5e-5);
  EXPECT_NEAR(tenth.high, 0.1605, 5e-5);
}

TEST(StatisticsTest, IntervalsStayWithinZeroAndOneAroundTheRate) {
  for (std::size_t trials = 1; trials <= 60; ++trials) {
    for (std::size_t successes = 0; successes <= trials; ++successes) {
      const Interval interval = RateInterval(successes, trials);
      const double rate = static_cast<double>(successes) / static_cast<double>(trials);
      EXPECT_GE(interval.low, 0);
      EXPECT_LE(interval.low, rate + 1e-12);
      EXPECT_GE(interval.high, rate - 1e-12);
      EXPECT_LE(interval.high, 1);
      const Interval mirrored = RateInterval(trials - successes, trials);
      EXPECT_NEAR(mirrored.low, 1 - interval.high, 1e-12);
    }
  }
  EXPECT_EQ(RateInterval(0, 0).low, 0);
  EXPECT_EQ(RateInterval(0, 0).high, 1);
}

TEST(StatisticsTest, PercentilesAreNearestRanks) {
  const std::vector<double> values{50, 15, 40, 20, 35};
  EXPECT_EQ(Percentile(values, 0), 15);
  EXPECT_EQ(Percentile(values, 0.05), 15);
  EXPECT_EQ(Percentile(values, 0.3), 20);
  EXPECT_EQ(Percentile(values, 0.4), 20);
  EXPECT_EQ(Percentile(values, 0.5), 35);
  EXPECT_EQ(Percentile(values, 0.95), 50);
  EXPECT_EQ(Percentile(values, 1), 50);
  EXPECT_EQ(Percentile({7}, 0.5), 7);
  EXPECT_EQ(Percentile({}, 0.5), 0);
  std::vector<double> hundred;
  for (int i = 100; i >= 1; --i) hundred.push_back(i);
  EXPECT_EQ(Percentile(hundred, 0.5), 50);
  EXPECT_EQ(Percentile(hundred, 0.95), 95);
}

TEST(StatisticsTest, BootstrapIntervalsAreThoseOfTheNormalDistributionForManyValues) {
  // 1,000 values 0 and 1, of which 300 are 1: the standard error is sqrt(0.3 * 0.7 / 1000).
  std::vector<double> values(1000, 0);
  std::fill_n(values.begin(), 300, 1);
  const Bootstrap bootstrap(values.size(), 1);
  const Interval interval = bootstrap.OfMean(values);
  const double error = std::sqrt(0.3 * 0.7 / 1000);
  EXPECT_NEAR(interval.low, 0.3 - 1.96 * error, 0.003);
  EXPECT_NEAR(interval.high, 0.3 + 1.96 * error, 0.003);
  const Interval again = Bootstrap(values.size(), 1).OfMean(values);
  EXPECT_EQ(interval.low, again.low);
  EXPECT_EQ(interval.high, again.high);
  // Values of which hardly two sums are equal.
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sqrt(static_cast<double>(i));
  EXPECT_NE(bootstrap.OfMean(values).low, Bootstrap(values.size(), 2).OfMean(values).low);
}

TEST(StatisticsTest, BootstrapIntervalsOfEqualValuesHaveNoWidth) {
  const std::vector<double> values(7, 2.5);
  EXPECT_EQ(Bootstrap(7).OfMean(values).low, 2.5);
  EXPECT_EQ(Bootstrap(7).OfMean(values).high, 2.5);
  EXPECT_EQ(Bootstrap(0).OfMean({}).high, 0);
}

TEST(StatisticsTest, MeanOfNothingIsZero) {
  EXPECT_EQ(Mean({}), 0);
  EXPECT_EQ(Mean({1, 2, 6}), 3);
}

}  // namespace
}  // namespace conpole
