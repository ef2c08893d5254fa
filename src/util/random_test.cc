#include "util/random.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

struct FirstNumbers {
  std::uint64_t seed;
  std::array<std::uint64_t, 2> numbers;
};

TEST(RandomTest, FirstNumbersOfSeedsAreTheSpecifiedOnes) {
  for (const FirstNumbers& first :
       {FirstNumbers{0, {0x52f21b5874603f42, 0x8834379829111399}}, FirstNumbers{1, {0xc33173152b424633, 0xa32e92fd16a79ed7}},
        FirstNumbers{10'000'000, {0x70e4092bcaf15731, 0xbd6b47fbc9d5e59d}}}) {
    Random random(first.seed);
    for (const std::uint64_t number : first.numbers) EXPECT_EQ(random.Next64(), number) << "seed " << first.seed;
  }
}

TEST(RandomTest, Next32IsTheLowHalfOfOneNext64) {
  Random random(0);
  EXPECT_EQ(random.Next32(), 0x74603f42U);
  EXPECT_EQ(random.Next32(), 0x29111399U);
}

TEST(RandomTest, CoinIsWhetherTheHighestBitIsClear) {
  Random coins(3);
  Random numbers(3);
  int heads = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool coin = coins.Coin();
    ASSERT_EQ(coin, numbers.Next64() >> 63 == 0);
    heads += coin ? 1 : 0;
  }
  EXPECT_GT(heads, 400);
  EXPECT_LT(heads, 600);
}

// Every value of a small range occurs, and none outside it.
template <class Draw>
void ExpectCovers(std::int64_t low, std::int64_t high, const Draw& draw) {
  std::set<std::int64_t> drawn;
  for (int i = 0; i < 2000; ++i) drawn.insert(draw());
  std::vector<std::int64_t> expected(static_cast<std::size_t>(high - low));
  std::iota(expected.begin(), expected.end(), low);
  EXPECT_EQ(std::vector(drawn.begin(), drawn.end()), expected);
}

TEST(RandomTest, SamplersCoverTheirRangeAndNothingElse) {
  Random random(1);
  ExpectCovers(-10, 0, [&] { return random.Int32(-10, 0); });
  ExpectCovers(0, 3, [&] { return random.Int32(0, 3); });
  ExpectCovers(1, 15, [&] { return random.Int64(1, 15); });
  ExpectCovers(-3, 4, [&] { return random.Int8(-3, 4); });
  ExpectCovers(0, 12, [&] { return static_cast<std::int64_t>(random.Uint64(0, 12)); });
}

TEST(RandomTest, RangesOfOneValueAndOfAlmostAllValuesWork) {
  Random random(2);
  EXPECT_EQ(random.Int32(7, 8), 7);
  EXPECT_EQ(random.Int64(-7, -6), -7);
  EXPECT_EQ(random.Int8(127 - 1, 127), 126);
  EXPECT_EQ(random.Uint64(5, 6), 5U);
  bool negative = false;
  bool positive = false;
  for (int i = 0; i < 100; ++i) {
    const std::int64_t value = random.Int64(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    (value < 0 ? negative : positive) = true;
    ASSERT_NE(random.Uint64(0, UINT64_MAX), UINT64_MAX);
    ASSERT_NE(random.Int32(INT32_MIN, INT32_MAX), INT32_MAX);
  }
  EXPECT_TRUE(negative && positive);
}

// The samplers differ in which draws they reject, and the rest of a problem depends on it.
TEST(RandomTest, RejectedDrawsFollowTheZones) {
  const auto draws = [](std::uint64_t seed, const auto& sample) {
    Random sampled(seed);
    Random counted(seed);
    sample(sampled);
    // The number of draws is found by comparing what comes next.
    const std::uint64_t next = sampled.Next64();
    int count = 0;
    while (counted.Next64() != next) ++count;
    return count;
  };
  int int64_draws = 0;
  int uint64_draws = 0;
  int int32_draws = 0;
  int int8_draws = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    int64_draws += draws(seed, [](Random& random) { random.Int64(0, 5); });
    uint64_draws += draws(seed, [](Random& random) { random.Uint64(0, 5); });
    int32_draws += draws(seed, [](Random& random) { random.Int32(0, 5); });
    int8_draws += draws(seed, [](Random& random) { random.Int8(0, 5); });
  }
  // 5 shifted to the top is 5/8 of all values, so 8/5 draws are needed on average; the others reject almost nothing.
  EXPECT_NEAR(int64_draws, 1600, 120);
  EXPECT_NEAR(int32_draws, 1600, 120);
  EXPECT_EQ(uint64_draws, 1000);
  EXPECT_EQ(int8_draws, 1000);
}

TEST(RandomTest, ShuffleSwapsFromTheEndWithAPlaceUpToThere) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<int> shuffled(10);
    std::iota(shuffled.begin(), shuffled.end(), 0);
    std::vector<int> expected = shuffled;
    Random random(seed);
    random.Shuffle(std::span(shuffled));
    Random again(seed);
    for (std::int32_t i = 9; i >= 1; --i) {
      std::swap(expected[static_cast<std::size_t>(i)], expected[static_cast<std::size_t>(again.Int32(0, i + 1))]);
    }
    ASSERT_EQ(shuffled, expected);
  }
}

TEST(RandomTest, ShufflingNothingDrawsNothing) {
  Random random(4);
  std::vector<int> one{5};
  random.Shuffle(std::span(one));
  random.Shuffle(std::span<int>());
  EXPECT_EQ(one, std::vector<int>{5});
  EXPECT_EQ(random.Next64(), Random(4).Next64());
}

}  // namespace
}  // namespace conpole
