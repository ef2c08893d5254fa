// The loop around a learner that is simple enough to know what it must do.
#include "train/trainer.h"

#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "tests/files.h"

namespace conpole {
namespace {

// Counts what it is asked to do. Its scores are the fewer inversions the better, once it has learned something and was
// refreshed; before that they are useless.
class CountingLearner final : public Learner {
 public:
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      scores[i] = refreshed_ ? -Inversions(batch.texts[batch.pairs[i].candidate]) : 0;
    }
  }
  void Learn(const TrainingBatch& batch, double learning_rate) override {
    if (learned_ >= fail_after) throw Error("the learner is tired");
    ++learned_;
    log_ += std::to_string(batch.examples()) + "," + std::to_string(batch.texts().size()) + "," +
            std::to_string(learning_rate) + ";";
    for (const ScoreBatch::Pair& pair : batch.pairs()) log_ += batch.texts()[pair.candidate];
  }
  void Refresh() override { refreshed_ = learned_ > 0; }
  double TakeLoss() override { return 0.5; }
  Tensors Weights() const override { return {}; }
  std::string Save() const override { return std::to_string(learned_); }
  void Restore(std::string_view bytes) override {
    learned_ = std::stoi(std::string(bytes));
    Refresh();
  }

  int learned() const { return learned_; }
  const std::string& log() const { return log_; }

  int fail_after = 1'000'000'000;

 private:
  static float Inversions(std::string_view list) {
    std::vector<std::size_t> bars;
    for (const char character : list) {
      if (character == '[' || character == '|') bars.push_back(0);
      if (character == '=') ++bars.back();
    }
    float inversions = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      for (std::size_t k = i + 1; k < bars.size(); ++k) inversions += bars[i] > bars[k] ? 1.0F : 0.0F;
    }
    return inversions;
  }

  int learned_ = 0;
  bool refreshed_ = false;
  std::string log_;
};

class TrainerTest : public FolderTest {
 protected:
  TrainerTest() : domain_(MakeDomain("sorting:max_length=6")), checkpoints_(folder()) {
    options_.steps = 5'000;
    options_.threads = 2;
    options_.in_flight = 16;
    options_.bootstrap = 20;
    options_.eval_every = 1'000;
    options_.eval_seeds = {0, 20};
    options_.validation_seeds = {20, 40};
  }

  std::unique_ptr<Trainer> MakeTrainer(CountingLearner& learner) {
    agent_ = MakeAgent("conpole", options_);
    return std::make_unique<Trainer>(*domain_, *agent_, learner, options_, callbacks_);
  }

  std::unique_ptr<Domain> domain_;
  CheckpointFolder checkpoints_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  std::unique_ptr<Agent> agent_;
  std::atomic<bool> stop_ = false;
};

TEST_F(TrainerTest, RunsToTheEndEvaluatesAndReportsTheBest) {
  std::vector<std::uint64_t> evaluated;
  int improved = 0;
  callbacks_.evaluated = [&](const TrainStatus& status) { evaluated.push_back(status.steps); };
  callbacks_.improved = [&](const TrainStatus&, const Tensors&) { ++improved; };
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_TRUE(trainer->Run(stop_, checkpoints_));
  const TrainStatus& status = trainer->status();
  EXPECT_GE(status.steps, options_.steps);
  EXPECT_GE(evaluated.size(), 3U);
  EXPECT_GE(improved, 1);
  EXPECT_DOUBLE_EQ(status.evaluation.success, 1);
  EXPECT_DOUBLE_EQ(status.best_validation, 1);
  EXPECT_EQ(status.gradient_steps, static_cast<std::uint64_t>(learner.learned()));
  EXPECT_GT(status.solved, 100U);
  EXPECT_TRUE(checkpoints_.HasAny());
}

TEST_F(TrainerTest, OneThreadOrFourTheSameIsLearned) {
  CountingLearner first;
  CountingLearner second;
  options_.threads = 1;
  MakeTrainer(first)->Run(stop_, checkpoints_);
  options_.threads = 4;
  MakeTrainer(second)->Run(stop_, checkpoints_);
  EXPECT_EQ(first.log(), second.log());
  EXPECT_GT(first.learned(), 50);
}

TEST_F(TrainerTest, GoesOnFromACheckpoint) {
  CountingLearner learner;
  options_.steps = 2'000;
  const auto trainer = MakeTrainer(learner);
  trainer->Run(stop_, checkpoints_);
  const TrainStatus before = trainer->status();

  options_.steps = 5'000;
  CountingLearner resumed_learner;
  const auto resumed = MakeTrainer(resumed_learner);
  resumed->Restore(checkpoints_.ReadNewest([](const std::string& problem) { FAIL() << problem; }));
  EXPECT_EQ(resumed->status().steps, before.steps);
  EXPECT_EQ(resumed->status().solved, before.solved);
  EXPECT_EQ(resumed_learner.learned(), learner.learned());
  EXPECT_TRUE(resumed->Run(stop_, checkpoints_));
  EXPECT_GE(resumed->status().steps, 5'000U);
  EXPECT_GT(resumed->status().seconds, before.seconds);
  EXPECT_EQ(resumed->status().gradient_steps, static_cast<std::uint64_t>(resumed_learner.learned()));
}

TEST_F(TrainerTest, StopsWhenAskedAndWritesACheckpoint) {
  callbacks_.evaluated = [&](const TrainStatus&) { stop_ = true; };
  options_.steps = 1'000'000'000;
  CountingLearner learner;
  EXPECT_FALSE(MakeTrainer(learner)->Run(stop_, checkpoints_));
  EXPECT_TRUE(checkpoints_.HasAny());
}

TEST_F(TrainerTest, WhatTheLearnerThrowsArrives) {
  CountingLearner learner;
  learner.fail_after = 30;
  EXPECT_EQ(ErrorOf([&] { MakeTrainer(learner)->Run(stop_, checkpoints_); }), "the learner is tired");
}

TEST_F(TrainerTest, DamagedCheckpointsAndSenselessOptionsAreErrors) {
  CountingLearner learner;
  const auto trainer = MakeTrainer(learner);
  EXPECT_EQ(ErrorOf([&] { trainer->Restore({}); }), "the checkpoint lacks a section");
  EXPECT_NE(ErrorOf([&] { trainer->Restore({{"trainer", "{}"}}); }).find("damaged"), std::string::npos);
  options_.batch = 0;
  EXPECT_EQ(ErrorOf([&] { MakeTrainer(learner); }), "batch must be more than 0");
  options_.batch = 1;
  options_.depth_max = 1;
  EXPECT_EQ(ErrorOf([&] { MakeTrainer(learner); }), "depth-max must not be less than depth-start");
}

}  // namespace
}  // namespace conpole
