#include "vectors/pca.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "util/random.h"

namespace conpole {
namespace {

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<float> NarrowingVectors(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values;
  for (std::size_t i = 0; i < count * dimension; ++i) {
    // Later dimensions vary less, so that components differ.
    values.push_back(static_cast<float>(random.Int32(-1000, 1001)) / static_cast<float>(100 * (1 + i % dimension)));
  }
  return values;
}

TEST(PcaTest, EigenvectorsAreThoseOfAMatrixKnownByHand) {
  const Eigensystem system = SymmetricEigensystem({2, 1, 1, 2}, 2);
  ASSERT_EQ(system.values.size(), 2U);
  EXPECT_NEAR(system.values[0], 3, 1e-14);
  EXPECT_NEAR(system.values[1], 1, 1e-14);
  EXPECT_NEAR(std::abs(system.vectors[0][0]), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(system.vectors[0][0], system.vectors[0][1], 1e-14);
  EXPECT_NEAR(system.vectors[1][0], -system.vectors[1][1], 1e-14);
}

TEST(PcaTest, EigenvectorsSolveAnyMatrix) {
  for (const std::size_t size : {0U, 1U, 3U, 17U, 40U}) {
    Random random(size);
    std::vector<double> matrix(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        matrix[i * size + j] = matrix[j * size + i] = static_cast<double>(random.Int32(-500, 501)) / 100;
      }
    }
    const Eigensystem system = SymmetricEigensystem(matrix, size);
    ASSERT_EQ(system.values.size(), size);
    for (std::size_t v = 0; v < size; ++v) {
      if (v > 0) {
        EXPECT_GE(system.values[v - 1], system.values[v]);
      }
      for (std::size_t i = 0; i < size; ++i) {
        double product = 0;
        for (std::size_t j = 0; j < size; ++j) product += matrix[i * size + j] * system.vectors[v][j];
        EXPECT_NEAR(product, system.values[v] * system.vectors[v][i], 1e-11) << size;
      }
      for (std::size_t w = 0; w < size; ++w) {
        EXPECT_NEAR(Dot(system.vectors[v], system.vectors[w]), v == w ? 1 : 0, 1e-12);
      }
    }
  }
}

TEST(PcaTest, FindsTheLineThatPointsLieOn) {
  // Points 1, 2 and 6 steps along (3, 4) from (10, 10).
  const std::vector<float> points{13, 14, 16, 18, 28, 34};
  const PrincipalComponents components = FindPrincipalComponents(points, 2, 2);
  EXPECT_NEAR(components.mean[0], 19, 1e-12);
  EXPECT_NEAR(components.directions[0][0], 0.6, 1e-12);
  EXPECT_NEAR(components.directions[0][1], 0.8, 1e-12);
  EXPECT_NEAR(components.Share(0), 1, 1e-12);
  EXPECT_EQ(components.variances[1], 0) << "nothing varies across the line";
  EXPECT_EQ(components.directions[1], (std::vector<double>{0, 0}));
  EXPECT_NEAR(components.places[0][0], -10, 1e-10);
  EXPECT_NEAR(components.places[1][0], -5, 1e-10);
  EXPECT_NEAR(components.places[2][0], 15, 1e-10);
  EXPECT_NEAR(components.variances[0], 175, 1e-10);
}

// Both ways to compute them, by the covariance and by scalar products, on either side of where one takes over.
TEST(PcaTest, ComponentsAreOrthogonalAndTellTheVariance) {
  for (const std::size_t count : {5U, 11U, 12U, 13U, 60U}) {
    constexpr std::size_t kDimension = 12;
    const std::vector<float> vectors = NarrowingVectors(count, kDimension, count);
    const PrincipalComponents components = FindPrincipalComponents(vectors, kDimension, 3);
    ASSERT_EQ(components.places.size(), count);
    for (std::size_t c = 0; c < 3; ++c) {
      double square = 0;
      double sum = 0;
      for (const std::vector<double>& place : components.places) {
        square += place[c] * place[c];
        sum += place[c];
      }
      EXPECT_NEAR(sum, 0, 1e-9);
      EXPECT_NEAR(square / static_cast<double>(count - 1), components.variances[c], 1e-9 * components.variances[0]);
      for (std::size_t d = 0; d < 3; ++d) {
        EXPECT_NEAR(Dot(components.directions[c], components.directions[d]), c == d ? 1 : 0, 1e-9);
        if (c == d) continue;
        double together = 0;
        for (const std::vector<double>& place : components.places) together += place[c] * place[d];
        EXPECT_NEAR(together, 0, 1e-8 * square) << "places along two components do not vary together";
      }
    }
    EXPECT_GE(components.variances[0], components.variances[1]);
    // No other direction has more variance than the first.
    Random random(7);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> direction;
      for (std::size_t k = 0; k < kDimension; ++k) direction.push_back(random.Int32(-100, 101));
      const double length = std::sqrt(Dot(direction, direction));
      double variance = 0;
      for (std::size_t i = 0; i < count; ++i) {
        double along = 0;
        for (std::size_t k = 0; k < kDimension; ++k) {
          along += (static_cast<double>(vectors[i * kDimension + k]) - components.mean[k]) * direction[k] / length;
        }
        variance += along * along / static_cast<double>(count - 1);
      }
      EXPECT_LE(variance, components.variances[0] * (1 + 1e-9));
    }
  }
}

TEST(PcaTest, SignsDoNotDependOnTheOrderOfTheVectorsOrOnTheirSign) {
  constexpr std::size_t kDimension = 6;
  for (const std::size_t count : {4U, 30U}) {
    const std::vector<float> vectors = NarrowingVectors(count, kDimension, 3);
    std::vector<float> reversed;
    std::vector<float> negated;
    for (std::size_t i = count; i-- > 0;) {
      reversed.insert(reversed.end(), vectors.begin() + static_cast<std::ptrdiff_t>(i * kDimension),
                      vectors.begin() + static_cast<std::ptrdiff_t>((i + 1) * kDimension));
    }
    for (const float value : vectors) negated.push_back(-value);
    const PrincipalComponents components = FindPrincipalComponents(vectors, kDimension, 2);
    for (const std::vector<float>& others : {reversed, negated}) {
      const PrincipalComponents same = FindPrincipalComponents(others, kDimension, 2);
      for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t k = 0; k < kDimension; ++k) {
          EXPECT_NEAR(same.directions[c][k], components.directions[c][k], 1e-9);
        }
      }
    }
  }
}

TEST(PcaTest, FewOrEqualVectorsLieAtTheirMean) {
  const PrincipalComponents none = FindPrincipalComponents({}, 3, 2);
  EXPECT_TRUE(none.places.empty());
  EXPECT_EQ(none.Share(0), 0);
  for (const std::size_t count : {1U, 2U, 9U}) {
    std::vector<float> equal;
    for (std::size_t i = 0; i < count; ++i) equal.insert(equal.end(), {1, 2, 3});
    const PrincipalComponents components = FindPrincipalComponents(equal, 3, 2);
    EXPECT_EQ(components.places, std::vector<std::vector<double>>(count, {0, 0}));
    EXPECT_EQ(components.total_variance, 0);
  }
}

}  // namespace
}  // namespace conpole
