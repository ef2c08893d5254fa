#include "torch/losses.h"

#include <cmath>

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

double Value(Loss loss, const std::vector<float>& scores, const std::vector<std::vector<float>>& targets) {
  return LossOf(loss, torch::tensor(scores), MakeBatch(targets)).value.item<double>();
}

TEST(LossesTest, ContrastiveIsTheCrossEntropyWithinEachExample) {
  // Examples of different lengths; the second prefers two of its pairs.
  const double first = -std::log(std::exp(1) / (std::exp(1) + std::exp(2)));
  const double sum = std::exp(0.5) + std::exp(-1) + std::exp(3);
  const double second = -(0.25 * std::log(std::exp(0.5) / sum) + 0.75 * std::log(std::exp(-1) / sum));
  EXPECT_NEAR(Value(Loss::kContrastive, {1, 2, 0.5, -1, 3}, {{1, 0}, {0.25, 0.75, 0}}), (first + second) / 2, 1e-5);
}

TEST(LossesTest, BinaryTakesTargetsBetweenZeroAndOne) {
  const double q = 1 / (1 + std::exp(-2.0));
  EXPECT_NEAR(Value(Loss::kBinary, {2, 0}, {{0.3F}, {1}}), (-0.3 * std::log(q) - 0.7 * std::log(1 - q) + std::log(2)) / 2,
              1e-5);
}

TEST(LossesTest, SquaredIsHalfTheSquareOfTheDifference) {
  EXPECT_NEAR(Value(Loss::kSquared, {2, -1}, {{5, 1}}), (4.5 + 2) / 2, 1e-6);
}

// By differences of the values, which are rounded to 32 bits.
TEST(LossesTest, GradientsAreThoseOfTheValues) {
  const std::vector<float> scores{1, 2, 0.5, -1, 3};
  const std::vector<std::vector<float>> targets{{1, 0}, {0.25, 0.75, 0}};
  for (const Loss loss : {Loss::kContrastive, Loss::kBinary, Loss::kSquared}) {
    const torch::Tensor gradient = LossOf(loss, torch::tensor(scores), MakeBatch(targets)).gradient;
    ASSERT_EQ(gradient.numel(), 5);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      std::vector<float> less = scores;
      std::vector<float> more = scores;
      less[i] -= 0.05F;
      more[i] += 0.05F;
      EXPECT_NEAR(gradient[static_cast<std::int64_t>(i)].item<double>(),
                  (Value(loss, more, targets) - Value(loss, less, targets)) / 0.1, 1e-4)
          << static_cast<int>(loss) << ", score " << i;
    }
  }
}

}  // namespace
}  // namespace conpole
