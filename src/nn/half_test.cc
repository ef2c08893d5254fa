#include "nn/half.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "util/bit_cast.h"
#include "util/random.h"

namespace conpole {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// By the definition of the format, for finite halves.
double ValueOf(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int mantissa = half & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(HalfTest, EveryHalfHasTheValueOfTheDefinitionAndComesBack) {
  for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = HalfToFloat(half);
    if ((half & 0x7FFF) > 0x7C00) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_EQ(FloatToHalf(value), (half & 0x8000) | 0x7E00) << bits;
      continue;
    }
    if ((half & 0x7FFF) == 0x7C00) {
      EXPECT_EQ(value, (half & 0x8000) != 0 ? -kInfinity : kInfinity);
    } else {
      EXPECT_EQ(value, ValueOf(half)) << bits;
      EXPECT_EQ(std::signbit(value), (half & 0x8000) != 0) << bits;
    }
    EXPECT_EQ(FloatToHalf(value), half) << bits;
  }
}

// Rounding is monotonic, so its steps are all there is to check: halfway between two neighbours the even one wins, and a float
// further on either side the nearer one.
TEST(HalfTest, FloatsRoundToTheNearestHalfAndTiesToEven) {
  for (unsigned bits = 0; bits < 0x7C00; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);  // the greatest one's neighbour would be 65536, and is infinite
    const auto even = (low & 1) == 0 ? low : high;
    const double above = high == 0x7C00 ? 65536.0 : ValueOf(high);
    const auto middle = static_cast<float>((ValueOf(low) + above) / 2);
    for (const int sign : {1, -1}) {
      const unsigned sign_bit = sign < 0 ? 0x8000 : 0;
      const auto signed_half = [&](float value) { return FloatToHalf(std::copysign(value, static_cast<float>(sign))); };
      EXPECT_EQ(signed_half(middle), even | sign_bit) << bits;
      EXPECT_EQ(signed_half(std::nextafter(middle, 0.0F)), low | sign_bit) << bits;
      EXPECT_EQ(signed_half(std::nextafter(middle, kInfinity)), high | sign_bit) << bits;
    }
  }
}

TEST(HalfTest, TooLargeBecomesInfiniteAndTooSmallZero) {
  EXPECT_EQ(FloatToHalf(kMaxHalf), 0x7BFF);
  EXPECT_EQ(FloatToHalf(65519.996F), 0x7BFF);
  EXPECT_EQ(FloatToHalf(65520.0F), 0x7C00);
  EXPECT_EQ(FloatToHalf(65536.0F), 0x7C00);
  EXPECT_EQ(FloatToHalf(-std::numeric_limits<float>::max()), 0xFC00);
  EXPECT_EQ(FloatToHalf(-kInfinity), 0xFC00);
  EXPECT_EQ(FloatToHalf(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(FloatToHalf(-0.0F), 0x8000);
}

TEST(HalfTest, RandomFloatsAreNoFurtherThanHalfAStepAway) {
  Random random(1);
  for (int i = 0; i < 200'000; ++i) {
    const auto value = BitCast<float>(random.Next32());
    if (!(std::abs(value) <= kMaxHalf)) continue;
    const double step = std::ldexp(1.0, std::max(std::ilogb(value), -14) - 10);
    ASSERT_LE(std::abs(double{HalfToFloat(FloatToHalf(value))} - double{value}), step / 2) << value;
  }
}

TEST(HalfTest, Bfloat16IsTheUpperHalfOfAFloat) {
  EXPECT_EQ(Bfloat16ToFloat(0x3F80), 1.0F);
  EXPECT_EQ(Bfloat16ToFloat(0xC049), -3.140625F);
  EXPECT_EQ(Bfloat16ToFloat(0x7F80), kInfinity);
  EXPECT_TRUE(std::isnan(Bfloat16ToFloat(0x7FC0)));
}

static_assert(HalfToFloat(FloatToHalf(0.5F)) == 0.5F);

}  // namespace
}  // namespace conpole
