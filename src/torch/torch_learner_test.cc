#include "torch/torch_learner.h"

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/lstm_encoder.h"
#include "tests/files.h"
#include "train/training_batch.h"

namespace conpole {
namespace {

const Architecture kSmall = Lstm({.embedding = 8, .hidden = 16, .layers = 2});

TrainingBatch MakeBatch() {
  TrainingBatch batch;
  batch.AddPair("2x = 4", "x = (4 / 2)");
  batch.AddPair("2x = 4", "(2x - x) = (4 - x)");
  batch.AddPair("3x = 4", "3x = (4 + 0)");
  batch.EndExample();
  batch.AddPair("x = (4 / 2)", "x = 2");
  batch.AddPair("x = (4 / 2)", "(x + 1) = ((4 / 2) + 1)");
  batch.EndExample();
  batch.Seal();
  return batch;
}

std::vector<float> ScoresOf(Learner& learner, const TrainingBatch& batch) {
  const std::vector<std::uint64_t> hashes(batch.texts().size());
  std::vector<float> scores(batch.pairs().size());
  learner.Score({batch.texts(), hashes, batch.pairs()}, scores);
  return scores;
}

std::unique_ptr<Learner> MakeSmallLearner(Loss loss = Loss::kContrastive, std::size_t threads = 1) {
  Architecture architecture = kSmall;
  architecture.head = loss == Loss::kBinary ? Head::kValue : Head::kBilinear;
  TorchLearnerOptions options;
  options.loss = loss;
  options.threads = threads;
  return MakeTorchLearner(RandomModel(architecture, 3), options);
}

class TorchLearnerTest : public testing::TestWithParam<Loss> {};

INSTANTIATE_TEST_SUITE_P(Losses, TorchLearnerTest, testing::Values(Loss::kContrastive, Loss::kBinary),
                         [](const auto& param_info) { return param_info.param == Loss::kBinary ? "Binary" : "Contrastive"; });

TEST_P(TorchLearnerTest, LearnsToPreferTheRightPairs) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner(GetParam());
  const TrainingBatch batch = MakeBatch();
  learner->Learn(batch, 1e-2);
  const double first = learner->TakeLoss();
  for (int i = 0; i < 60; ++i) learner->Learn(batch, 1e-2);
  learner->TakeLoss();
  learner->Learn(batch, 1e-2);
  EXPECT_LT(learner->TakeLoss(), first / 5);
  EXPECT_TRUE(std::isnan(learner->TakeLoss()));

  const std::vector<float> before = ScoresOf(*learner, batch);
  learner->Refresh();
  const std::vector<float> scores = ScoresOf(*learner, batch);
  EXPECT_NE(before, scores) << "search must see what was learned after Refresh, not before";
  EXPECT_GT(scores[0], scores[1]);
  EXPECT_GT(scores[0], scores[2]);
  EXPECT_GT(scores[3], scores[4]);
}

TEST_P(TorchLearnerTest, GoesOnAsBeforeAfterRestoring) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner(GetParam());
  const TrainingBatch batch = MakeBatch();
  for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e-2);
  const std::unique_ptr<Learner> restored = MakeSmallLearner(GetParam());
  restored->Restore(learner->Save());
  for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e-2);
  for (int i = 0; i < 5; ++i) restored->Learn(batch, 1e-2);
  EXPECT_EQ(restored->Weights(), learner->Weights());
}

TEST_P(TorchLearnerTest, ThreadsLearnTheSame) {
  const std::unique_ptr<Learner> one = MakeSmallLearner(GetParam());
  const std::unique_ptr<Learner> two = MakeSmallLearner(GetParam(), 2);
  const TrainingBatch batch = MakeBatch();
  for (int i = 0; i < 5; ++i) one->Learn(batch, 1e-2);
  for (int i = 0; i < 5; ++i) two->Learn(batch, 1e-2);
  EXPECT_NEAR(one->TakeLoss(), two->TakeLoss(), 1e-4);
  one->Refresh();
  two->Refresh();
  const std::vector<float> expected = ScoresOf(*one, batch);
  const std::vector<float> actual = ScoresOf(*two, batch);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-3) << i;
}

TEST(TorchLearnerErrorTest, StatesThatAreNoneAreErrors) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner();
  EXPECT_NE(ErrorOf([&] { learner->Restore("rubbish"); }).find("cannot be read"), std::string::npos);
  const std::unique_ptr<Learner> larger = MakeTorchLearner(RandomModel(Lstm({.embedding = 8, .hidden = 24}), 1), {});
  EXPECT_EQ(ErrorOf([&] { learner->Restore(larger->Save()); }), "the checkpoint is of a network of other sizes");
}

}  // namespace
}  // namespace conpole
