#include "vectors/unit_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "util/random.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

std::vector<float> RandomVectors(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count * dimension);
  for (float& value : values) value = static_cast<float>(random.Int32(-1000, 1001)) / 1000.0F;
  return values;
}

double ExactCosine(const float* a, const float* b, std::size_t dimension) {
  double product = 0;
  double square_a = 0;
  double square_b = 0;
  for (std::size_t i = 0; i < dimension; ++i) {
    product += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    square_a += static_cast<double>(a[i]) * static_cast<double>(a[i]);
    square_b += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return product / std::sqrt(square_a * square_b);
}

TEST(UnitVectorsTest, NormaliseGivesLengthOne) {
  std::vector<float> vector{3, 0, -4};
  Normalise(vector);
  EXPECT_FLOAT_EQ(vector[0], 0.6F);
  EXPECT_FLOAT_EQ(vector[2], -0.8F);
  std::vector<float> zeros(3, 0.0F);
  Normalise(zeros);
  EXPECT_EQ(zeros, std::vector<float>(3, 0.0F));
  std::vector<float> large(3, 1e30F);
  Normalise(large);
  EXPECT_FLOAT_EQ(large[0], static_cast<float>(1 / std::sqrt(3.0)));
  std::vector<float> infinite{1, std::numeric_limits<float>::infinity()};
  EXPECT_THROW(Normalise(infinite), Error);
}

// Sizes around those of a tile and a block, and dimensions that fill no whole register.
TEST(UnitVectorsTest, FindsTheNearestAsCosinesInDoublePrecisionDo) {
  ThreadPool pool(3);
  for (const std::size_t dimension : {1UL, 3UL, 31UL, 64UL, 257UL}) {
    for (const std::size_t count : {1UL, 63UL, 65UL, 8191UL, 8193UL, 20000UL}) {
      if (dimension == 257 && count > 8193) continue;
      const std::vector<float> values = RandomVectors(count, dimension, dimension * 100'003 + count);
      const std::vector<float> query = RandomVectors(1, dimension, 7);
      UnitVectors vectors(dimension);
      vectors.Add(values);
      ASSERT_EQ(vectors.size(), count);
      const std::vector<Neighbour> nearest = vectors.Nearest(query, 10, pool);
      ASSERT_EQ(nearest.size(), std::min<std::size_t>(10, count));
      std::vector<double> exact(count);
      for (std::size_t i = 0; i < count; ++i) exact[i] = ExactCosine(query.data(), values.data() + i * dimension, dimension);
      std::vector<double> sorted = exact;
      std::sort(sorted.rbegin(), sorted.rend());
      for (std::size_t i = 0; i < nearest.size(); ++i) {
        EXPECT_NEAR(nearest[i].cosine, exact[nearest[i].row], 1e-4);
        EXPECT_NEAR(nearest[i].cosine, sorted[i], 1e-4);
      }
    }
  }
}

TEST(UnitVectorsTest, ResultsDoNotDependOnTheNumberOfThreads) {
  const std::vector<float> values = RandomVectors(30'000, 16, 1);
  UnitVectors vectors(16);
  vectors.Add(values);
  ThreadPool one(1);
  ThreadPool four(4);
  for (std::size_t row = 0; row < 20; ++row) {
    const std::span<const float> vector = std::span(values).subspan(16 * row, 16);
    EXPECT_EQ(vectors.Nearest(vector, 50, one, row), vectors.Nearest(vector, 50, four, row));
  }
}

TEST(UnitVectorsTest, EqualOnesComeInTheirOrderAndARowIsNotItsOwnNeighbour) {
  UnitVectors vectors(2);
  for (int i = 0; i < 20'000; ++i) vectors.Add(std::vector<float>{1, 1});
  ThreadPool pool(2);
  const std::vector<Neighbour> nearest = vectors.Nearest(std::vector<float>{1, 1}, 3, pool, 1);
  ASSERT_EQ(nearest.size(), 3U);
  EXPECT_EQ(nearest[0].row, 0U);
  EXPECT_EQ(nearest[1].row, 2U);
  EXPECT_EQ(nearest[2].row, 3U);
  EXPECT_NEAR(nearest[0].cosine, 1.0F, 1e-4F);
  EXPECT_EQ(vectors.Nearest(std::vector<float>{1, 1}, 1, pool).front().row, 0U);
}

TEST(UnitVectorsTest, AsksForAllAndForNone) {
  ThreadPool pool(1);
  UnitVectors vectors(2);
  EXPECT_TRUE(vectors.Nearest(std::vector<float>{1, 0}, 5, pool).empty());
  vectors.Add(std::vector<float>{1, 0, 0, 1, -1, 0});
  EXPECT_TRUE(vectors.Nearest(std::vector<float>{1, 0}, 0, pool).empty());
  const std::vector<Neighbour> all = vectors.Nearest(std::vector<float>{2, 0}, std::numeric_limits<std::size_t>::max(), pool);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_FLOAT_EQ(all[0].cosine, 1.0F);
  EXPECT_FLOAT_EQ(all[1].cosine, 0.0F);
  EXPECT_FLOAT_EQ(all[2].cosine, -1.0F);
  EXPECT_EQ(vectors.Nearest(std::vector<float>{2, 0}, 5, pool, 0).front().row, 1U);
  EXPECT_FLOAT_EQ(vectors.Cosine(0, 2), -1.0F);
}

}  // namespace
}  // namespace conpole
