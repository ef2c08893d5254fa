#include "torch/torch_learner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/lstm_encoder.h"
#include "nn/safetensors.h"
#include "tests/files.h"
#include "train/loop/training_batch.h"
#include "util/hash.h"

namespace conpole {
namespace {

const Architecture kSmall = Lstm({.embedding = 8, .hidden = 16, .layers = 2});

TrainingBatch MakeBatch() {
  TrainingBatch batch;
  batch.AddPair("2x = 4", "x = (4 / 2)", 1);
  batch.AddPair("2x = 4", "(2x - x) = (4 - x)", 0);
  batch.AddPair("3x = 4", "3x = (4 + 0)", 0);
  batch.EndExample();
  batch.AddPair("x = (4 / 2)", "x = 2", 1);
  batch.AddPair("x = (4 / 2)", "(x + 1) = ((4 / 2) + 1)", 0);
  batch.EndExample();
  batch.Seal();
  return batch;
}

std::vector<float> ScoresOf(Learner& learner, const TrainingBatch& batch) {
  const std::vector<std::uint64_t> hashes(batch.texts().size());
  std::vector<float> scores(batch.pairs().size());
  learner.Score({batch.texts(), hashes, batch.pairs()}, scores, nullptr);
  return scores;
}

std::unique_ptr<Learner> MakeSmallLearner(Loss loss = Loss::kContrastive, std::size_t threads = 1) {
  Architecture architecture = kSmall;
  architecture.head = loss == Loss::kBinary ? Head::kValue : Head::kBilinear;
  TorchLearnerOptions options;
  options.learner.loss = loss;
  options.learner.threads = threads;
  return MakeTorchLearner(RandomModel(architecture, 3), options);
}

std::unique_ptr<Learner> MakeLearnerWithSlowCopy(const TargetNetwork& target, std::uint64_t seed = 3) {
  TorchLearnerOptions options;
  options.learner.target = target;
  options.learner.threads = 1;
  return MakeTorchLearner(RandomModel(kSmall, seed), options);
}

std::vector<float> SlowScoresOf(Learner& learner, const TrainingBatch& batch) {
  const std::vector<std::uint64_t> hashes(batch.texts().size());
  std::vector<float> scores(batch.pairs().size());
  learner.ScoreBySlowCopy({batch.texts(), hashes, batch.pairs()}, scores, nullptr);
  return scores;
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

TEST(TorchLearnerTargetTest, TheSlowCopyTakesOverNowAndThen) {
  const auto learner = MakeLearnerWithSlowCopy({.every = 3, .average = 0});
  const TrainingBatch batch = MakeBatch();
  const std::vector<float> first = ScoresOf(*learner, batch);
  EXPECT_EQ(SlowScoresOf(*learner, batch), first);
  learner->Learn(batch, 1e-2);
  learner->Learn(batch, 1e-2);
  EXPECT_EQ(SlowScoresOf(*learner, batch), first);
  const std::string saved = learner->Save();
  learner->Learn(batch, 1e-2);
  learner->Refresh();
  EXPECT_NE(ScoresOf(*learner, batch), first);
  EXPECT_EQ(SlowScoresOf(*learner, batch), ScoresOf(*learner, batch));

  const auto restored = MakeLearnerWithSlowCopy({.every = 3, .average = 0}, 4);
  restored->Restore(saved);
  EXPECT_EQ(SlowScoresOf(*restored, batch), first);
  restored->Learn(batch, 1e-2);
  EXPECT_EQ(restored->Weights(), learner->Weights());
  EXPECT_EQ(SlowScoresOf(*restored, batch), SlowScoresOf(*learner, batch));
}

TEST(TorchLearnerTargetTest, TheSlowCopyMayFollowByAveraging) {
  const auto learner = MakeLearnerWithSlowCopy({.every = 0, .average = 0.5});
  const TrainingBatch batch = MakeBatch();
  const float first = ScoresOf(*learner, batch)[0];
  learner->Learn(batch, 1e-2);
  learner->Refresh();
  const float now = ScoresOf(*learner, batch)[0];
  const float slow = SlowScoresOf(*learner, batch)[0];
  EXPECT_GT(slow, std::min(first, now));
  EXPECT_LT(slow, std::max(first, now));
}

TEST(TorchLearnerScoreTest, LargeBatchesAreScoredInPartsToTheSameNumbersAndCanBeStopped) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner();
  TrainingBatch batch;
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i) texts.push_back("x = " + std::to_string(i));
  for (std::size_t i = 0; i + 1 < texts.size(); ++i) batch.AddPair(texts[i * 7 % texts.size()], texts[i + 1], 0);
  batch.EndExample();
  batch.Seal();
  std::vector<std::uint64_t> hashes;
  for (const std::string_view text : batch.texts()) hashes.push_back(HashText(text));
  const ScoreBatch score_batch{batch.texts(), hashes, batch.pairs()};
  std::vector<float> whole(batch.pairs().size());
  std::vector<float> parts(batch.pairs().size());
  learner->Score(score_batch, whole, nullptr);
  std::atomic<bool> stop = false;
  learner->Score(score_batch, parts, &stop);
  EXPECT_EQ(whole, parts);
  stop = true;
  std::vector<float> none(batch.pairs().size(), 77);
  learner->Score(score_batch, none, &stop);
  EXPECT_EQ(none, std::vector<float>(batch.pairs().size(), 77));
}

TEST(TorchLearnerErrorTest, DivergenceIsNoticedAndNeverSaved) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner();
  const TrainingBatch batch = MakeBatch();
  EXPECT_THROW(
      {
        for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e30);
      },
      Diverged);
  EXPECT_THROW(static_cast<void>(learner->Save()), Diverged);
}

// Not an archive of LibTorch's, which can hold programs: names, sizes and numbers.
TEST(TorchLearnerErrorTest, StatesArePlainTensors) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner();
  const std::string saved = learner->Save();
  const auto bytes = std::as_bytes(std::span(saved)).first(kSafetensorsLengthBytes);
  const std::size_t size = ParseSafetensorsLength(bytes, saved.size());
  const SafetensorsHeader header =
      ParseSafetensorsHeader(std::string_view(saved).substr(kSafetensorsLengthBytes, size), saved.size() - bytes.size() - size);
  EXPECT_EQ(header.tensors.size(), 3U);
  for (std::size_t cut = 0; cut < saved.size(); cut += saved.size() / 50) {
    EXPECT_NE(ErrorOf([&] { learner->Restore(std::string_view(saved).substr(0, cut)); }), "no error") << cut;
  }
}

TEST(TorchLearnerErrorTest, StatesThatAreNoneAreErrors) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner();
  EXPECT_NE(ErrorOf([&] { learner->Restore("rubbish"); }).find("the state of the learner cannot be read"), std::string::npos);
  const std::unique_ptr<Learner> larger = MakeTorchLearner(RandomModel(Lstm({.embedding = 8, .hidden = 24}), 1), {});
  EXPECT_EQ(ErrorOf([&] { learner->Restore(larger->Save()); }), "the checkpoint is of a network of other sizes");
}

}  // namespace
}  // namespace conpole
