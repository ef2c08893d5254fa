#include "domains/school/algebra_polynomial.h"

#include <gtest/gtest.h>

namespace conpole::algebra {
namespace {

TEST(AlgebraPolynomialTest, Arithmetic) {
  const Polynomial a{1, 1};   // x + 1
  const Polynomial b{-1, 1};  // x - 1
  EXPECT_EQ(Multiply(a, b), (Polynomial{-1, 0, 1}));
  EXPECT_EQ(Add(a, Scale(a, -1)), Polynomial{});
  const Division division = Divide({-1, 0, 0, 1}, b);
  EXPECT_EQ(division.quotient, (Polynomial{1, 1, 1}));
  EXPECT_TRUE(division.remainder.empty());
  EXPECT_EQ(CommonDivisor(Multiply(a, a), Multiply(a, b)), a);
  EXPECT_EQ(CommonDivisor(a, b), Polynomial{1});
  EXPECT_EQ(CommonDivisor({}, Scale(a, 3)), a);
  EXPECT_EQ(ValueAt({1, 2, 3}, Exact(1, 2)), Exact(11, 4));
}

TEST(AlgebraPolynomialTest, ContentTakesFractionsAndSignsOut) {
  const Polynomial p{Exact(-1, 2), Exact(-3, 4)};
  EXPECT_EQ(Content(p), Exact(-1, 4));
  EXPECT_EQ(Primitive(p), (Polynomial{2, 3}));
}

TEST(AlgebraPolynomialTest, RationalRoots) {
  EXPECT_EQ(RationalRoots({6, -5, 1}), (std::vector<Exact>{2, 3}));
  EXPECT_EQ(RationalRoots({0, 0, 1}), (std::vector<Exact>{0}));
  EXPECT_EQ(RationalRoots({-2, 0, 1}), std::vector<Exact>{});
  EXPECT_EQ(RationalRoots({1, 0, 1}), std::vector<Exact>{});
  EXPECT_EQ(RationalRoots({-6, 11, -6, 1}), (std::vector<Exact>{1, 2, 3}));
  // (2x - 1)^2 (x^2 - 2) (3x + 5)
  const Polynomial p = Multiply(Multiply({1, -4, 4}, {-2, 0, 1}), {5, 3});
  EXPECT_EQ(RationalRoots(p), (std::vector<Exact>{Exact(-5, 3), Exact(1, 2)}));
}

TEST(AlgebraPolynomialTest, RootsAreNotLookedForAmongDivisorsOfLargeNumbers) {
  // Each times x^2 - 2. One million is the limit for the first and for the last coefficient.
  const Polynomial irrational{-2, 0, 1};
  EXPECT_EQ(RationalRoots(Multiply({-500'000, 1}, irrational)), std::vector<Exact>{500'000});
  EXPECT_EQ(RationalRoots(Multiply({-500'003, 1}, irrational)), std::vector<Exact>{});
  EXPECT_EQ(RationalRoots(Multiply({-1, 1'000'000}, irrational)), std::vector<Exact>{Exact(1, 1'000'000)});
  EXPECT_EQ(RationalRoots(Multiply({-1, 1'000'001}, irrational)), std::vector<Exact>{});
}

TEST(AlgebraPolynomialTest, SizesAreLimited) {
  const Integer largest = (Integer(1) << kMaxBits) - 1;
  EXPECT_TRUE(Small(Exact(largest)));
  EXPECT_FALSE(Small(Exact(largest + 1)));
  EXPECT_TRUE(Small(Exact(1, largest)));
  EXPECT_FALSE(Small(Exact(1, largest + 1)));
  Polynomial power(kMaxDegree + 1);
  power.back() = 1;
  EXPECT_TRUE(Small(power));
  power.front() = largest + 1;
  EXPECT_FALSE(Small(power));
  power.front() = 0;
  power.insert(power.begin(), 0);
  EXPECT_FALSE(Small(power));
  // The cube root of p/q takes the bits of p, and those of q twice.
  const Integer third = Integer(1) << (kMaxBits / 3 - 1);
  EXPECT_TRUE(RootOf(Exact(third - 1, third), 3));
  EXPECT_FALSE(RootOf(Exact(8 * third - 1, 8 * third), 3));
}

TEST(AlgebraPolynomialTest, RootFactorsHaveTheRealRoots) {
  // (x - 1)^2 (x^2 - 2)^2 (x^2 + 1) has a rest of degree 4, which is left together.
  const Polynomial square = Multiply({-2, 0, 1}, {-2, 0, 1});
  EXPECT_EQ(RootFactors(Multiply(Multiply({1, -2, 1}, square), {1, 0, 1})),
            (std::vector<Polynomial>{{-1, 1}, {-2, 0, -1, 0, 1}}));
  EXPECT_EQ(RootFactors({1, 0, 1}), std::vector<Polynomial>{});
  EXPECT_EQ(RootFactors({5}), std::vector<Polynomial>{});
}

TEST(AlgebraPolynomialTest, SurdsAreSimplified) {
  const Surd surd = Simplified({1, 2, 72});
  EXPECT_EQ(surd.factor, 12);
  EXPECT_EQ(surd.radicand, 2);
  const Surd whole = Simplified({1, 2, 49});
  EXPECT_EQ(whole.rational, 15);
  EXPECT_TRUE(whole.factor.is_zero());
  // Square factors are looked for up to 1,000, which is what people see.
  EXPECT_EQ(Simplified({0, 1, 2 * 1'000 * 1'000}).radicand, 2);
  EXPECT_EQ(Simplified({0, 1, 2 * 1'009 * 1'009}).radicand, 2 * 1'009 * 1'009);
}

TEST(AlgebraPolynomialTest, QuadraticRoots) {
  EXPECT_FALSE(QuadraticRoots({1, 0, 1}));
  ASSERT_EQ(QuadraticRoots({1, -2, 1})->size(), 1U);
  const std::vector<Surd> golden = *QuadraticRoots({-1, -1, 1});
  ASSERT_EQ(golden.size(), 2U);
  EXPECT_EQ(golden[0].rational, Exact(1, 2));
  EXPECT_EQ(golden[0].factor, Exact(1, 2));
  EXPECT_EQ(golden[1].factor, Exact(-1, 2));
  EXPECT_EQ(golden[0].radicand, 5);
  EXPECT_EQ(MinimalPolynomial(golden[0]), (Polynomial{-1, -1, 1}));
}

TEST(AlgebraPolynomialTest, ExactRoots) {
  EXPECT_EQ(ExactRoot(Exact(9, 4), 2), Exact(3, 2));
  EXPECT_EQ(ExactRoot(Exact(2), 2), std::nullopt);
  EXPECT_EQ(ExactRoot(Exact(Integer("1000000000000000000000000000000")), 3), Exact(Integer("10000000000")));
  EXPECT_EQ(ExactRoot(Exact(0), 4), Exact(0));
  EXPECT_EQ(ExactRoot(Exact(81), 4), Exact(3));
  EXPECT_EQ(ExactRoot(Exact(80), 4), std::nullopt);
}

}  // namespace
}  // namespace conpole::algebra
