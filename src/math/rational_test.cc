#include "math/rational.h"

#include <cstdint>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

namespace conpole {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// Over and under as they must come out.
void ExpectIs(const std::optional<Rational>& value, std::int64_t over, std::int64_t under) {
  ASSERT_TRUE(value);
  EXPECT_EQ(value->numerator(), over);
  EXPECT_EQ(value->denominator(), under);
}

TEST(RationalTest, MakeGivesLowestTermsWithAPositiveDenominator) {
  ExpectIs(Rational::Make(6, 4), 3, 2);
  ExpectIs(Rational::Make(-6, 4), -3, 2);
  ExpectIs(Rational::Make(6, -4), -3, 2);
  ExpectIs(Rational::Make(-6, -4), 3, 2);
  ExpectIs(Rational::Make(0, -7), 0, 1);
  ExpectIs(Rational::Make(kMax, kMax), 1, 1);
}

TEST(RationalTest, MakeReducesNumbersBeyond64BitsFirst) {
  const Int128 big = Int128{kMax} * kMax;
  ExpectIs(Rational::Make(big, big), 1, 1);
  ExpectIs(Rational::Make(-big, Int128{kMax} * 2), -kMax, 2);
  EXPECT_FALSE(Rational::Make(big, 2));
  EXPECT_FALSE(Rational::Make(1, big));
}

TEST(RationalTest, TheSmallestIntegerHasNoPlace) {
  EXPECT_FALSE(Rational::Make(std::numeric_limits<std::int64_t>::min(), 1));
  EXPECT_FALSE(Rational::Make(1, std::numeric_limits<std::int64_t>::min()));
  ExpectIs(Rational::Make(std::numeric_limits<std::int64_t>::min(), 2), std::numeric_limits<std::int64_t>::min() / 2, 1);
  ExpectIs(Rational::Make(-Int128{kMax}, 1), -kMax, 1);
}

TEST(RationalTest, ADenominatorOfZeroGivesNothing) {
  EXPECT_FALSE(Rational::Make(1, 0));
  EXPECT_FALSE(Rational::Make(0, 0));
  EXPECT_FALSE(Rational::Apply('/', Rational(1), Rational(0)));
}

TEST(RationalTest, ArithmeticIsExact) {
  const Rational half = *Rational::Make(1, 2);
  const Rational third = *Rational::Make(1, 3);
  ExpectIs(Rational::Apply('+', half, third), 5, 6);
  ExpectIs(Rational::Apply('-', third, half), -1, 6);
  ExpectIs(Rational::Apply('*', half, third), 1, 6);
  ExpectIs(Rational::Apply('/', half, -third), -3, 2);
  EXPECT_FALSE(Rational::Apply('^', half, third));
}

TEST(RationalTest, ResultsThatLeave64BitsAreNotGiven) {
  EXPECT_FALSE(Rational::Apply('+', Rational(kMax), Rational(1)));
  EXPECT_FALSE(Rational::Apply('-', Rational(-kMax), Rational(1)));
  EXPECT_FALSE(Rational::Apply('*', Rational(kMax), Rational(2)));
  EXPECT_FALSE(Rational::Apply('/', *Rational::Make(1, kMax), Rational(2)));
  // The way there may leave 64 bits.
  const Rational tiny = *Rational::Make(1, kMax);
  ExpectIs(Rational::Apply('+', tiny, tiny), 2, kMax);
  ExpectIs(Rational::Apply('*', Rational(kMax), tiny), 1, 1);
  ExpectIs(Rational::Apply('/', Rational(kMax), Rational(-kMax)), -1, 1);
}

TEST(RationalTest, Predicates) {
  EXPECT_TRUE(Rational(4).IsInteger());
  EXPECT_FALSE(Rational::Make(1, 2)->IsInteger());
  EXPECT_TRUE(Rational().Is(0));
  EXPECT_TRUE(Rational(4).Is(4));
  EXPECT_FALSE(Rational::Make(1, 2)->Is(1));
  EXPECT_EQ(-Rational(4), Rational(-4));
  EXPECT_FALSE(*Rational::Make(1, 2) == *Rational::Make(1, 3));
}

}  // namespace
}  // namespace conpole
