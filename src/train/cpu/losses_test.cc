#include "train/cpu/losses.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TrainingBatch MakeBatch(const std::vector<std::vector<float>>& targets) {
  TrainingBatch batch;
  for (const std::vector<float>& example : targets) {
    for (const float target : example) batch.AddPair("s", "c", target);
    batch.EndExample();
  }
  batch.Seal();
  return batch;
}

// The loss, after comparing its gradients with differences.
double Value(Loss loss, std::vector<float> scores, const std::vector<std::vector<float>>& targets) {
  constexpr float kStep = 0x1p-9F;
  const TrainingBatch batch = MakeBatch(targets);
  const auto weight = static_cast<double>(WeightOf(loss, batch));
  std::vector<float> gradients(scores.size());
  std::vector<float> unused(scores.size());
  const double value = LossOf(loss, batch, scores, weight, gradients);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto at = [&](float score) {
      const float before = std::exchange(scores[i], score);
      const double changed = LossOf(loss, batch, scores, weight, unused);
      scores[i] = before;
      return changed;
    };
    const double expected = (at(scores[i] + kStep) - at(scores[i] - kStep)) / static_cast<double>(2 * kStep);
    EXPECT_NEAR(static_cast<double>(gradients[i]), expected, 1e-5) << i;
  }
  return value;
}

TEST(LossesTest, ContrastiveIsTheCrossEntropyWithinEachExample) {
  // Examples of different lengths; the second prefers two of its pairs.
  const double first = -std::log(std::exp(1) / (std::exp(1) + std::exp(2)));
  const double sum = std::exp(0.5) + std::exp(-1) + std::exp(3);
  const double second = -(0.25 * std::log(std::exp(0.5) / sum) + 0.75 * std::log(std::exp(-1) / sum));
  EXPECT_NEAR(Value(Loss::kContrastive, {1, 2, 0.5, -1, 3}, {{1, 0}, {0.25, 0.75, 0}}), (first + second) / 2, 1e-6);
  EXPECT_NEAR(Value(Loss::kContrastive, {1000, 900}, {{0, 1}}), 100, 1e-6);
}

TEST(LossesTest, BinaryTakesTargetsBetweenZeroAndOne) {
  const double q = 1 / (1 + std::exp(-2.0));
  EXPECT_NEAR(Value(Loss::kBinary, {2, 0}, {{0.3F}, {1}}), (-0.3 * std::log(q) - 0.7 * std::log(1 - q) + std::log(2)) / 2,
              1e-6);
  EXPECT_NEAR(Value(Loss::kBinary, {-200, 200}, {{1}, {1}}), 100, 1e-6);
}

TEST(LossesTest, SquaredIsHalfTheSquareOfTheDifference) {
  EXPECT_NEAR(Value(Loss::kSquared, {2, -1}, {{5, 1}}), (4.5 + 2) / 2, 1e-6);
}

TEST(LossesTest, PartsAddUpByTheirWeights) {
  const TrainingBatch batch = MakeBatch({{1, 0, 0}, {1, 0}});
  EXPECT_EQ(WeightOf(Loss::kContrastive, batch), 2U);
  EXPECT_EQ(WeightOf(Loss::kBinary, batch), 5U);
  EXPECT_EQ(WeightOf(Loss::kSquared, batch), 5U);
}

}  // namespace
}  // namespace conpole
