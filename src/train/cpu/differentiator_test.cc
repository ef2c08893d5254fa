#include "train/cpu/differentiator.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "nn/network_scorer.h"
#include "tests/example_batches.h"
#include "train/cpu/losses.h"
#include "util/random.h"

namespace conpole {
namespace {

using Parameters = std::tuple<Loss, std::pair<std::string, int>>;  // and a kind of network with its layers

class DifferentiatorTest : public testing::TestWithParam<Parameters> {
 protected:
  // With spaces skipped "x = 4" and "x=4" read the same.
  DifferentiatorTest() : batch_(ExampleBatch()), pool_(1) {
    architecture_ = SmallNetwork(std::get<1>(GetParam()).first, std::get<1>(GetParam()).second, std::get<0>(GetParam()));
    architecture_.skips_spaces = true;
    model_ = InitialModel(architecture_, 5);
    TrainingBatch more;
    for (std::size_t i = 0; i < batch_.pairs().size(); ++i) {
      const ScoreBatch::Pair& pair = batch_.pairs()[i];
      more.AddPair(batch_.texts()[pair.parent], batch_.texts()[pair.candidate], batch_.targets()[i]);
    }
    more.EndExample();
    for (const char* const candidate : {"x = 4", "x=4", "", "x", "\xc3\xa9"}) more.AddPair("x = 4 ", candidate, 0.2F);
    more.EndExample();
    more.Seal();
    batch_ = std::move(more);
  }

  double LossAt(NetworkWeights& weights, Differentiator& differentiator, const std::vector<float>& values,
                std::vector<float>& gradient) {
    weights.Pack(values, pool_);
    gradient.assign(values.size(), 0.0F);
    const Loss loss = std::get<0>(GetParam());
    return differentiator.Run(batch_, loss, static_cast<double>(WeightOf(loss, batch_)), gradient.data());
  }

  TrainingBatch batch_;
  ThreadPool pool_;
  Architecture architecture_;
  Model model_;
};

INSTANTIATE_TEST_SUITE_P(LossesAndNetworks, DifferentiatorTest,
                         testing::Combine(testing::Values(Loss::kContrastive, Loss::kBinary, Loss::kSquared),
                                          testing::Values(std::pair{"lstm", 1}, std::pair{"lstm", 2}, std::pair{"lstm", 3},
                                                          std::pair{"bag", 1})),
                         [](const auto& param_info) {
                           return NameOf(std::get<0>(param_info.param)) + "_" + std::get<1>(param_info.param).first +
                                  std::to_string(std::get<1>(param_info.param).second);
                         });

TEST_P(DifferentiatorTest, TheLossIsThatOfTheScoresThatSearchSees) {
  NetworkWeights weights(architecture_);
  const TextReader reader(architecture_);
  Differentiator differentiator(weights, reader);
  std::vector<float> gradient;
  const double actual = LossAt(weights, differentiator, weights.VectorOf(model_.tensors), gradient);
  NetworkScorer scorer(model_, pool_);
  const std::vector<std::uint64_t> hashes(batch_.texts().size());
  std::vector<float> scores(batch_.pairs().size());
  scorer.Score({batch_.texts(), hashes, batch_.pairs()}, scores);
  const Loss loss = std::get<0>(GetParam());
  EXPECT_NEAR(actual, LossOf(loss, batch_, scores, static_cast<double>(WeightOf(loss, batch_)), gradient), 1e-5);
  EXPECT_EQ(reader.unknown_characters(), 1U);
  EXPECT_EQ(weights.TensorsOf(weights.VectorOf(model_.tensors)), model_.tensors);
}

// Along random directions of each tensor's weights.
TEST_P(DifferentiatorTest, GradientsAreDifferencesOfTheLoss) {
  NetworkWeights weights(architecture_);
  const TextReader reader(architecture_);
  Differentiator differentiator(weights, reader);
  const std::vector<float> values = weights.VectorOf(model_.tensors);
  std::vector<float> gradient;
  LossAt(weights, differentiator, values, gradient);
  Random random(1);
  for (const auto& [name, tensor] : model_.tensors) {
    const std::size_t begin = weights.PlaceOf(name);
    for (int direction = 0; direction < 3; ++direction) {
      std::vector<float> signs(tensor.values.size());
      double expected = 0;
      double size = 0;
      for (std::size_t i = 0; i < signs.size(); ++i) {
        signs[i] = random.Next32() % 2 == 0 ? 1.0F : -1.0F;
        expected += static_cast<double>(gradient[begin + i] * signs[i]);
        size += static_cast<double>(gradient[begin + i] * gradient[begin + i]);
      }
      const auto step = static_cast<float>(0.001 / std::sqrt(static_cast<double>(signs.size())));
      const auto loss_at = [&](float by) {
        std::vector<float> changed = values;
        for (std::size_t i = 0; i < signs.size(); ++i) changed[begin + i] += by * signs[i];
        std::vector<float> unused;
        return LossAt(weights, differentiator, changed, unused);
      };
      const double actual = (loss_at(step) - loss_at(-step)) / static_cast<double>(2 * step);
      EXPECT_NEAR(actual, expected, 2e-3 * std::sqrt(size) + 2e-3 / std::sqrt(static_cast<double>(signs.size())) + 1e-3)
          << name;
    }
  }
}

}  // namespace
}  // namespace conpole
