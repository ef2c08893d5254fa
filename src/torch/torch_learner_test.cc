// The learner with LibTorch beside our own (train/cpu/cpu_learner.h), which has tests of what learners do.
#include "torch/torch_learner.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/alphabet.h"
#include "tests/example_batches.h"
#include "torch/network.h"
#include "train/cpu/cpu_learner.h"
#include "train/cpu/differentiator.h"
#include "train/cpu/losses.h"

namespace conpole {
namespace {

// The definition, of which LibTorch works out the gradient.
torch::Tensor LossWithGradient(Loss loss, const torch::Tensor& scores, const TrainingBatch& batch) {
  const torch::Tensor targets = torch::tensor(std::vector<float>(batch.targets().begin(), batch.targets().end()));
  if (loss == Loss::kBinary) return torch::binary_cross_entropy_with_logits(scores, targets);
  if (loss == Loss::kSquared) return (scores - targets).square().mean() / 2;
  torch::Tensor sum = torch::zeros({});
  std::int64_t begin = 0;
  for (const std::size_t example_end : batch.example_ends()) {
    const auto end = static_cast<std::int64_t>(example_end);
    sum = sum - (scores.slice(0, begin, end).log_softmax(0) * targets.slice(0, begin, end)).sum();
    begin = end;
  }
  return sum / static_cast<double>(batch.examples());
}

using Parameters = std::tuple<Loss, std::pair<std::string, int>>;  // and a kind of network with its layers

class TorchLearnerTest : public testing::TestWithParam<Parameters> {
 protected:
  static Loss LossOfTest() { return std::get<0>(GetParam()); }
  static Model MakeModel(std::uint64_t seed = 3) {
    return InitialModel(SmallNetwork(std::get<1>(GetParam()).first, std::get<1>(GetParam()).second, LossOfTest()), seed);
  }
  static LearnerOptions Options() { return {.loss = LossOfTest(), .target = {.every = 2, .average = 0.25}, .threads = 1}; }

  static std::vector<float> ScoresOf(Learner& learner, const TrainingBatch& batch, bool slow) {
    const std::vector<std::uint64_t> hashes(batch.texts().size());
    std::vector<float> scores(batch.pairs().size());
    const ScoreBatch asked{batch.texts(), hashes, batch.pairs()};
    slow ? learner.ScoreBySlowCopy(asked, scores, nullptr) : learner.Score(asked, scores, nullptr);
    return scores;
  }

  static void ExpectNear(const std::vector<float>& actual, const std::vector<float>& expected, double tolerance) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
  }
};

INSTANTIATE_TEST_SUITE_P(LossesAndNetworks, TorchLearnerTest,
                         testing::Combine(testing::Values(Loss::kContrastive, Loss::kBinary, Loss::kSquared),
                                          testing::Values(std::pair{"lstm", 1}, std::pair{"lstm", 2}, std::pair{"lstm", 3},
                                                          std::pair{"bag", 1})),
                         [](const auto& param_info) {
                           return NameOf(std::get<0>(param_info.param)) + "_" + std::get<1>(param_info.param).first +
                                  std::to_string(std::get<1>(param_info.param).second);
                         });

TEST_P(TorchLearnerTest, OurGradientsAreThoseOfAutograd) {
  const Model model = MakeModel();
  const TrainingBatch batch = ExampleBatch();
  Network network(model.architecture);
  network->SetTensors(model.tensors);
  const torch::Tensor scores = network->ScorePairs(network->Encode(batch.texts()), PairRows(batch.pairs(), torch::kCPU));
  const torch::Tensor loss = LossWithGradient(LossOfTest(), scores, batch);
  loss.backward();

  ThreadPool pool(1);
  NetworkWeights weights(model.architecture);
  const TextReader reader(model.architecture);
  Differentiator differentiator(weights, reader);
  const std::vector<float> values = weights.VectorOf(model.tensors);
  weights.Pack(values, pool);
  std::vector<float> gradient(weights.size(), 0.0F);
  const double own_loss =
      differentiator.Run(batch, LossOfTest(), static_cast<double>(WeightOf(LossOfTest(), batch)), gradient.data());
  EXPECT_NEAR(own_loss, loss.item<double>(), 1e-5);

  std::size_t place = 0;
  for (const auto& parameter : network->named_parameters()) {
    const torch::Tensor expected = parameter.value().grad().contiguous();
    const auto count = static_cast<std::size_t>(expected.numel());
    ASSERT_LE(place + count, gradient.size());
    const auto largest = expected.abs().max().item<double>();
    EXPECT_GT(largest, 0) << parameter.key();
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_NEAR(gradient[place + i], expected.data_ptr<float>()[i], 2e-5 * largest + 1e-8) << parameter.key() << ", " << i;
      ASSERT_EQ(values[place + i], parameter.value().data_ptr<float>()[i]) << parameter.key() << ", " << i;
    }
    place += count;
  }
  EXPECT_EQ(place, gradient.size());
}

TEST_P(TorchLearnerTest, EitherLearnerGoesOnWithWhatTheOtherSaved) {
  const TrainingBatch batch = ExampleBatch();
  const std::unique_ptr<Learner> torch = MakeTorchLearner(MakeModel(), {.learner = Options()});
  const std::unique_ptr<Learner> own = MakeCpuLearner(MakeModel(7), Options());
  for (int i = 0; i < 3; ++i) torch->Learn(batch, 1e-3);
  own->Restore(torch->Save());
  EXPECT_EQ(own->Save(), torch->Save());
  EXPECT_EQ(own->SaveForScoring(), torch->SaveForScoring());
  EXPECT_EQ(own->Weights(), torch->Weights());
  torch->TakeLoss();
  for (int i = 0; i < 3; ++i) {
    torch->Learn(batch, 1e-3);
    own->Learn(batch, 1e-3);
  }
  EXPECT_NEAR(own->TakeLoss(), torch->TakeLoss(), 1e-4);
  for (const auto& learner : {own.get(), torch.get()}) learner->Refresh();
  ExpectNear(ScoresOf(*own, batch, false), ScoresOf(*torch, batch, false), 1e-3);
  ExpectNear(ScoresOf(*own, batch, true), ScoresOf(*torch, batch, true), 1e-3);
  torch->Restore(own->Save());
  EXPECT_EQ(torch->Save(), own->Save());
  ExpectNear(ScoresOf(*torch, batch, true), ScoresOf(*own, batch, true), 1e-4);
}

TEST_P(TorchLearnerTest, DivergenceIsNoticedAndNeverSaved) {
  const std::unique_ptr<Learner> learner = MakeTorchLearner(MakeModel(), {.learner = Options()});
  const TrainingBatch batch = ExampleBatch();
  EXPECT_THROW(
      {
        for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e30);
      },
      Diverged);
  EXPECT_THROW(static_cast<void>(learner->Save()), Diverged);
}

}  // namespace
}  // namespace conpole
