#include "train/cpu/cpu_learner.h"

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
#include "tests/example_batches.h"
#include "tests/files.h"
#include "train/loop/training_batch.h"
#include "train/ranks/ranks.h"
#include "util/hash.h"

namespace conpole {
namespace {

std::vector<float> ScoresOf(Learner& learner, const TrainingBatch& batch) {
  const std::vector<std::uint64_t> hashes(batch.texts().size());
  std::vector<float> scores(batch.pairs().size());
  learner.Score({batch.texts(), hashes, batch.pairs()}, scores, nullptr);
  return scores;
}

std::unique_ptr<Learner> MakeSmallLearner(Loss loss = Loss::kContrastive, std::size_t threads = 1, Ranks* ranks = nullptr) {
  return MakeCpuLearner(RandomModel(SmallNetwork("lstm", 2, loss), 3), {.loss = loss, .threads = threads, .ranks = ranks});
}

std::unique_ptr<Learner> MakeLearnerWithSlowCopy(const TargetNetwork& target, std::uint64_t seed = 3) {
  return MakeCpuLearner(RandomModel(SmallNetwork("lstm", 2, Loss::kContrastive), seed), {.target = target, .threads = 1});
}

std::vector<float> SlowScoresOf(Learner& learner, const TrainingBatch& batch) {
  const std::vector<std::uint64_t> hashes(batch.texts().size());
  std::vector<float> scores(batch.pairs().size());
  learner.ScoreBySlowCopy({batch.texts(), hashes, batch.pairs()}, scores, nullptr);
  return scores;
}

// As if another rank had the same batches.
class Twins final : public Ranks {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 2; }
  void Sum(std::span<float> values) override {
    for (float& value : values) value *= 2;
  }
  void Gather(std::span<const char> /*mine*/, std::span<char> /*all*/) override {}
  void Broadcast(std::string& /*bytes*/, std::size_t /*from*/) override {}
  double SecondsWaited() const override { return 0; }
  void Fail(std::string_view /*message*/) override {}
};

class CpuLearnerTest : public testing::TestWithParam<Loss> {};

INSTANTIATE_TEST_SUITE_P(Losses, CpuLearnerTest, testing::Values(Loss::kContrastive, Loss::kBinary, Loss::kSquared),
                         [](const auto& param_info) { return NameOf(param_info.param); });

TEST_P(CpuLearnerTest, LearnsToPreferTheRightPairs) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner(GetParam());
  const TrainingBatch batch = ExampleBatch();
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

TEST_P(CpuLearnerTest, GoesOnAsBeforeAfterRestoring) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner(GetParam());
  const TrainingBatch batch = ExampleBatch();
  for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e-2);
  const std::unique_ptr<Learner> restored = MakeSmallLearner(GetParam());
  restored->Restore(learner->Save());
  for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e-2);
  for (int i = 0; i < 5; ++i) restored->Learn(batch, 1e-2);
  EXPECT_EQ(restored->Weights(), learner->Weights());
}

TEST_P(CpuLearnerTest, ThreadsLearnTheSame) {
  const std::unique_ptr<Learner> one = MakeSmallLearner(GetParam());
  const std::unique_ptr<Learner> two = MakeSmallLearner(GetParam(), 2);
  const TrainingBatch batch = ExampleBatch();
  for (int i = 0; i < 5; ++i) one->Learn(batch, 1e-2);
  for (int i = 0; i < 5; ++i) two->Learn(batch, 1e-2);
  EXPECT_NEAR(one->TakeLoss(), two->TakeLoss(), 1e-4);
  one->Refresh();
  two->Refresh();
  const std::vector<float> expected = ScoresOf(*one, batch);
  const std::vector<float> actual = ScoresOf(*two, batch);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-3) << i;
}

TEST_P(CpuLearnerTest, LearnsTheSameToTheBitEachTime) {
  const TrainingBatch batch = ExampleBatch();
  for (const std::size_t threads : {1U, 2U}) {
    std::vector<std::string> saved;
    for (int run = 0; run < 2; ++run) {
      const std::unique_ptr<Learner> learner = MakeSmallLearner(GetParam(), threads);
      for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e-2);
      saved.push_back(learner->Save());
    }
    EXPECT_EQ(saved[0], saved[1]) << threads;
  }
}

TEST_P(CpuLearnerTest, RanksTakeTheStepOfTheirBatchesTogether) {
  Twins twins;
  const std::unique_ptr<Learner> alone = MakeSmallLearner(GetParam());
  const std::unique_ptr<Learner> ranked = MakeSmallLearner(GetParam(), 1, &twins);
  const TrainingBatch batch = ExampleBatch();
  for (int i = 0; i < 3; ++i) alone->Learn(batch, 1e-2);
  int calls = 0;
  for (int i = 0; i < 3; ++i) {
    ranked->LearnMeanwhile(batch, 1e-2, [&] {
      ++calls;
      return false;
    });
  }
  EXPECT_EQ(calls, 3);
  EXPECT_NEAR(ranked->TakeLoss(), alone->TakeLoss(), 1e-5);
  const std::vector<float> expected = alone->Weights().begin()->second.values;
  const std::vector<float> actual = ranked->Weights().begin()->second.values;
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-4) << i;
  EXPECT_NO_THROW(ranked->Learn(TrainingBatch(), 1e-2)) << "a rank may have no examples";
}

TEST(CpuLearnerTargetTest, TheSlowCopyTakesOverNowAndThen) {
  const auto learner = MakeLearnerWithSlowCopy({.every = 3, .average = 0});
  const TrainingBatch batch = ExampleBatch();
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

TEST(CpuLearnerTargetTest, TheSlowCopyMayFollowByAveraging) {
  const auto learner = MakeLearnerWithSlowCopy({.every = 0, .average = 0.5});
  const TrainingBatch batch = ExampleBatch();
  const float first = ScoresOf(*learner, batch)[0];
  learner->Learn(batch, 1e-2);
  learner->Refresh();
  const float now = ScoresOf(*learner, batch)[0];
  const float slow = SlowScoresOf(*learner, batch)[0];
  EXPECT_GT(slow, std::min(first, now));
  EXPECT_LT(slow, std::max(first, now));
}

TEST(CpuLearnerScoreTest, LargeBatchesAreScoredInPartsToTheSameNumbersAndCanBeStopped) {
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

TEST(CpuLearnerErrorTest, DivergenceIsNoticedAndNeverSaved) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner();
  const TrainingBatch batch = ExampleBatch();
  EXPECT_THROW(
      {
        for (int i = 0; i < 5; ++i) learner->Learn(batch, 1e30);
      },
      Diverged);
  EXPECT_THROW(static_cast<void>(learner->Save()), Diverged);
}

// Not an archive of LibTorch's, which can hold programs: names, sizes and numbers.
TEST(CpuLearnerErrorTest, StatesArePlainTensors) {
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

TEST(CpuLearnerErrorTest, StatesThatAreNoneAreErrors) {
  const std::unique_ptr<Learner> learner = MakeSmallLearner();
  EXPECT_NE(ErrorOf([&] { learner->Restore("rubbish"); }).find("the state of the learner cannot be read"), std::string::npos);
  const std::unique_ptr<Learner> larger = MakeCpuLearner(RandomModel(Lstm({.embedding = 8, .hidden = 24}), 1), {});
  EXPECT_EQ(ErrorOf([&] { learner->Restore(larger->Save()); }), "the checkpoint is of a network of other sizes");
}

}  // namespace
}  // namespace conpole
