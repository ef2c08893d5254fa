#include "math/polynomial.h"

#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

constexpr std::uint64_t kPlenty = 1'000'000;

Polynomial Product(const std::vector<Polynomial>& factors) {
  Work work(kPlenty);
  Polynomial product{1};
  for (const Polynomial& factor : factors) product = Multiply(product, factor, work);
  return product;
}

RealRoots RootsOf(const Polynomial& p) {
  Work work(kPlenty);
  return FindRealRoots(p, work);
}

TEST(PolynomialTest, FindsRationalRootsOfAnyDegree) {
  EXPECT_EQ(RootsOf({-3, 2}).rational, (std::vector<Exact>{Exact(3, 2)}));
  EXPECT_EQ(RootsOf({0, 0, 5}).rational, (std::vector<Exact>{0}));
  EXPECT_EQ(RootsOf({7}).rational, std::vector<Exact>());
  // (2x - 3)^2 (x + 5) (7x - 1) x
  const RealRoots roots = RootsOf(Product({{-3, 2}, {-3, 2}, {5, 1}, {-1, 7}, {0, 1}}));
  EXPECT_EQ(roots.rational, (std::vector<Exact>{-5, 0, Exact(1, 7), Exact(3, 2)}));
  EXPECT_EQ(roots.irrational, 0U);
}

TEST(PolynomialTest, CountsIrrationalRootsAndNoComplexOnes) {
  EXPECT_EQ(RootsOf({-2, 0, 1}).irrational, 2U);
  EXPECT_EQ(RootsOf({1, 0, 1}).irrational, 0U);
  // x^3 = 2, times x^2 + 1, times x - 4
  const RealRoots roots = RootsOf(Product({{-2, 0, 0, 1}, {1, 0, 1}, {-4, 1}}));
  EXPECT_EQ(roots.irrational, 1U);
  EXPECT_EQ(roots.rational, (std::vector<Exact>{4}));
}

TEST(PolynomialTest, RoundsIrrationalRoots) {
  Work work(kPlenty);
  // 3x^2 = 7: 1.5275...
  EXPECT_EQ(RoundedRoots(RootsOf({-7, 0, 3}), 10'000, work), (std::vector<Integer>{-15275, 15275}));
  EXPECT_EQ(RoundedRoots(RootsOf({-7, 0, 3}), 1, work), (std::vector<Integer>{-2, 2}));
  // x^3 - 3x + 1, times x - 2
  EXPECT_EQ(RoundedRoots(RootsOf(Product({{1, -3, 0, 1}, {-2, 1}})), 1'000'000, work),
            (std::vector<Integer>{-1879385, 347296, 1532089}));
  // Both lie between 1.4 and 1.42.
  EXPECT_TRUE(RoundedRoots(RootsOf(Product({{-2, 0, 1}, {-2001, 0, 1000}})), 10, work).empty());
}

TEST(PolynomialTest, ComparesRealRoots) {
  Work work(kPlenty);
  const RealRoots plain = RootsOf({-2, 0, 1});
  EXPECT_TRUE(SameRoots(plain, RootsOf(Product({{-2, 0, 1}, {1, 0, 1}})), work));
  EXPECT_TRUE(SameRoots(plain, RootsOf(Product({{-2, 0, 1}, {-2, 0, 1}})), work));
  EXPECT_FALSE(SameRoots(plain, RootsOf({-3, 0, 1}), work));
  EXPECT_FALSE(SameRoots(plain, RootsOf(Product({{-2, 0, 1}, {0, 1}})), work));
}

TEST(PolynomialTest, RemovesSharedRoots) {
  Work work(kPlenty);
  EXPECT_EQ(WithoutRootsOf(Product({{0, 1}, {0, 1}, {-1, 1}}), {0, 3}, work), (Polynomial{-1, 1}));
  EXPECT_EQ(WithoutRootsOf({-1, 1}, {5}, work), (Polynomial{-1, 1}));
}

TEST(PolynomialTest, StopsWhenTheWorkIsSpent) {
  Work work(1000);
  Polynomial p{1};
  EXPECT_THROW(while (true) p = Multiply(p, {Integer(123456789), Integer(987654321)}, work), OutOfWork);
}

}  // namespace
}  // namespace conpole
