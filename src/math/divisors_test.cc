#include "math/divisors.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

using Divisors = std::vector<std::uint64_t>;

Divisors SmallDivisors(std::uint64_t n) {
  Divisors out;
  AppendSmallDivisors(n, out);
  return out;
}

Divisors ByTrial(std::uint64_t n) {
  Divisors out;
  for (std::uint64_t k = 2; k * k <= n; ++k) {
    if (n % k == 0) out.push_back(k);
  }
  return out;
}

TEST(DivisorsTest, SmallNumbersAgreeWithTrialDivision) {
  // Beyond the end of the table, so that both ways are taken.
  for (std::uint64_t n = 0; n < 40'000; ++n) ASSERT_EQ(SmallDivisors(n), ByTrial(n)) << n;
}

TEST(DivisorsTest, LargerNumbersAgreeWithTrialDivision) {
  for (std::uint64_t n = 999'999'000; n < 999'999'300; ++n) ASSERT_EQ(SmallDivisors(n), ByTrial(n)) << n;
  for (const std::uint64_t n : {std::uint64_t{1} << 40, std::uint64_t{1'000'003} * 1'000'003, std::uint64_t{1021} * 1021 * 1021,
                                std::uint64_t{1031} * 1031 * 1031, std::uint64_t{1031} * 1033 * 1039}) {
    ASSERT_EQ(SmallDivisors(n), ByTrial(n)) << n;
  }
}

TEST(DivisorsTest, ResultsAreAppended) {
  Divisors out{99};
  AppendSmallDivisors(12, out);
  AppendSmallDivisors(1'000'003 * std::uint64_t{7}, out);
  EXPECT_EQ(out, (Divisors{99, 2, 3, 7}));
}

TEST(DivisorsTest, LargePrimesHaveNone) {
  for (const std::uint64_t prime :
       {std::uint64_t{2'147'483'647}, std::uint64_t{4'294'967'291}, std::uint64_t{1'000'000'000'039},
        std::uint64_t{9'223'372'036'854'775'783}, std::uint64_t{18'446'744'073'709'551'557U}}) {
    EXPECT_EQ(SmallDivisors(prime), Divisors()) << prime;
  }
}

TEST(DivisorsTest, LargeSemiprimesHaveTheirSmallerFactor) {
  EXPECT_EQ(SmallDivisors(std::uint64_t{4'294'967'291} * 4'294'967'279), Divisors{4'294'967'279});
  EXPECT_EQ(SmallDivisors(std::uint64_t{3'037'000'493} * 3'037'000'453), Divisors{3'037'000'453});
  EXPECT_EQ(SmallDivisors(std::uint64_t{2} * 9'223'372'036'854'775'783U), Divisors{2});
  EXPECT_EQ(SmallDivisors(std::uint64_t{1021} * 9'007'199'254'740'881), Divisors{1021});
  EXPECT_EQ(SmallDivisors(std::uint64_t{1031} * 9'007'199'254'740'881), Divisors{1031});
}

TEST(DivisorsTest, SquaresHaveTheirRoot) {
  EXPECT_EQ(SmallDivisors(std::uint64_t{4'294'967'291} * 4'294'967'291), Divisors{4'294'967'291});
  EXPECT_EQ(SmallDivisors(std::uint64_t{2'147'483'647} * 2'147'483'647), Divisors{2'147'483'647});
  // A fourth power, and just around a square.
  const std::uint64_t p = 65'521;
  EXPECT_EQ(SmallDivisors(p * p * p * p), (Divisors{p, p * p}));
  EXPECT_EQ(SmallDivisors(std::uint64_t{4'294'967'295} * 4'294'967'295).back(), 4'294'967'295U);
}

TEST(DivisorsTest, NumbersThatFoolWeakPrimalityTests) {
  // Carmichael numbers and strong pseudoprimes to several bases.
  EXPECT_EQ(SmallDivisors(3'215'031'751), ByTrial(3'215'031'751));
  EXPECT_EQ(SmallDivisors(2'152'302'898'747), ByTrial(2'152'302'898'747));
  EXPECT_EQ(SmallDivisors(3'825'123'056'546'413'051), (Divisors{149'491, 747'451, 34'233'211}));
}

TEST(DivisorsTest, HighlyCompositeNumbersHaveThemAll) {
  // The number below 2^64 with the most divisors has 103,680; no square, so half of them are small, and 1 is not listed.
  const std::uint64_t n = 897'612'484'786'617'600;
  const Divisors divisors = SmallDivisors(n);
  ASSERT_EQ(divisors.size(), 103'680U / 2 - 1);
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    ASSERT_EQ(n % divisors[i], 0U);
    ASSERT_LE(divisors[i], n / divisors[i]);
    ASSERT_GT(divisors[i], i == 0 ? 1 : divisors[i - 1]);
  }
  // A power of two, where every divisor repeats the same prime.
  EXPECT_EQ(SmallDivisors(std::uint64_t{1} << 63).size(), 31U);
}

}  // namespace
}  // namespace conpole
