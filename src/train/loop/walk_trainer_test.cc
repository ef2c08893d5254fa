// Runs from reversed walks, around a learner that remembers what it was taught.
#include "train/loop/walk_trainer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/residual_network.h"
#include "tests/files.h"
#include "train/run/metrics.h"
#include "train/run/run.h"
#include "util/hash.h"

namespace conpole {
namespace {

// Its state is a hash of all walks and learning rates, in their order.
class RememberingLearner final : public PackedLearner {
 public:
  RememberingLearner(const Architecture& architecture, std::atomic<bool>& stop, int stop_after)
      : model_(RandomModel(architecture, 1)), stop_(stop), stop_after_(stop_after) {}

  void Begin(const Tensors& weights) override { model_.tensors = weights; }
  void Learn(const WalkBatch& walks, double learning_rate) override {
    const std::string_view actions(reinterpret_cast<const char*>(walks.actions.data()), walks.actions.size());
    memory_ = MixHash(MixHash(memory_, HashText(actions)), static_cast<std::uint64_t>(learning_rate * 1e12));
    rates.push_back(learning_rate);
    if (static_cast<int>(rates.size()) == stop_after_) stop_ = true;
  }
  void Learn(const PackedExamples&, double) override { FAIL() << "these are no walks"; }
  double TakeLoss() override { return rates.empty() ? std::nan("") : 1.5; }
  Tensors Weights() const override { return model_.tensors; }
  std::unique_ptr<PackedPolicy> Policy() const override { return std::make_unique<ResidualPolicy>(model_, pool_); }
  std::string Save() const override { return std::to_string(memory_); }
  void Restore(std::string_view bytes) override { memory_ = std::stoull(std::string(bytes)); }

  std::vector<double> rates;

 private:
  Model model_;
  mutable ThreadPool pool_{1};
  std::atomic<bool>& stop_;
  int stop_after_;
  std::uint64_t memory_ = 0;
};

class WalkTrainerTest : public FolderTest {
 protected:
  WalkTrainerTest() {
    request_.folder = Path("run");
    request_.version = "test";
    request_.given = {{"domain", "rubiks-cube:max_moves=2"},
                      {"agent", "walks"},
                      {"network", "residual:wide=8,hidden=8,blocks=1"},
                      {"walk-length", "5"},
                      {"batch", "50"},
                      {"steps", "1000"},
                      {"learning-rate", "0.01"},
                      {"eval-every", "300"},
                      {"eval-seeds", "0:10"},
                      {"validation-seeds", "10:20"},
                      {"threads", "1"}};
    parts_.make_domain = [](const std::string& spec) { return MakeDomain(spec); };
    parts_.adapt = [](TrainOptions& options) { options.warmup = 3; };
    parts_.make_packed_learner = [this](const Architecture& architecture, const FixedLayout&, const PackedLearnerOptions&,
                                        const std::string&) {
      auto learner = std::make_unique<RememberingLearner>(architecture, stop_, stop_after_);
      learner_ = learner.get();
      return learner;
    };
  }

  // What the learner knows in the end.
  std::string Train(bool expect_done = true) {
    TrainingRun run(request_, parts_, {});
    EXPECT_EQ(run.Train(stop_), expect_done);
    rates_ = learner_->rates;
    steps_ = run.status().steps;
    return learner_->Save();
  }

  RunRequest request_;
  RunParts parts_;
  std::atomic<bool> stop_ = false;
  int stop_after_ = -1;
  RememberingLearner* learner_ = nullptr;
  std::vector<double> rates_;
  std::uint64_t steps_ = 0;
};

TEST_F(WalkTrainerTest, LearnsFromAsManyStatesAsAskedFor) {
  Train();
  EXPECT_EQ(steps_, 1000U);
  EXPECT_EQ(rates_.size(), 20U);
  EXPECT_NEAR(rates_.front(), 0.0025, 1e-6) << "a warm-up";
  EXPECT_GT(rates_[3], rates_[10]);
  EXPECT_LT(rates_.back(), 1e-4);
  const Model last = ReadModel(Path("run/last.safetensors"));
  EXPECT_EQ(last.architecture.kind, "residual");
  EXPECT_EQ(last.architecture.size("cells"), 54);
  EXPECT_EQ(last.meaning(), ScoreMeaning::kLogPreference);
  EXPECT_EQ(last.metadata.at("agent"), "walks");
  const std::vector<MetricsLine> metrics = ReadMetrics(Path("run/metrics.jsonl"));
  ASSERT_GE(metrics.size(), 4U);
  EXPECT_EQ(metrics.back().step, 1000U);
  EXPECT_EQ(metrics.back().Find("loss"), 1.5);
  EXPECT_TRUE(metrics.back().Find("eval_success").has_value());
}

TEST_F(WalkTrainerTest, GoesOnAsIfItHadNotBeenStopped) {
  const std::string undisturbed = Train();
  for (const int after : {1, 7, 19}) {
    request_.folder = Path("stopped-" + std::to_string(after));
    request_.resume = false;
    stop_after_ = after;
    Train(false);
    stop_ = false;
    stop_after_ = -1;
    request_.resume = true;
    EXPECT_EQ(Train(), undisturbed) << after;
    EXPECT_EQ(Train(), undisturbed) << "done is done";
  }
}

TEST_F(WalkTrainerTest, BeginsWithTheWeightsOfAModel) {
  Train();
  Model model = ReadModel(Path("run/last.safetensors"));
  model.tensors.at("action.bias").values[0] = 0.5F;
  WriteModel(model, Path("first.safetensors"), WeightFormat::kFloat32);
  request_.folder = Path("warm");
  request_.given["init"] = Path("first.safetensors");
  Train();
  EXPECT_EQ(ReadModel(Path("warm/last.safetensors")).tensors.at("action.bias").values[0], 0.5F);

  request_.folder = Path("other");
  request_.given["network"] = "residual:hidden=9";
  EXPECT_EQ(ErrorOf([&] { Train(); }),
            Path("first.safetensors") + ": training cannot begin with this network: its hidden is 8 and not 9");
  EXPECT_FALSE(std::filesystem::exists(Path("other"))) << "a run that does not begin leaves nothing";
  request_.given["init"] = Path("none.safetensors");
  EXPECT_NE(ErrorOf([&] { Train(); }), "");
}

// The checkpoint has the weights, so that the model is not needed any more.
TEST_F(WalkTrainerTest, GoesOnWithoutTheModelThatItBeganWith) {
  Train();
  request_.folder = Path("warm");
  request_.given["init"] = Path("run/last.safetensors");
  stop_after_ = 7;
  Train(false);
  stop_ = false;
  stop_after_ = -1;
  std::filesystem::remove(Path("run/last.safetensors"));
  request_.resume = true;
  Train();
}

TEST_F(WalkTrainerTest, SecondsEndARunToo) {
  request_.given["steps"] = "1000000000000";
  request_.given["seconds"] = "0.2";
  Train();
  EXPECT_GT(rates_.size(), 0U);
}

TEST_F(WalkTrainerTest, WhatDoesNotFitIsRefused) {
  const auto error = [&](const SettingValues& changed) {
    RunRequest request = request_;
    for (const auto& [name, value] : changed) request.given[name] = value;
    return ErrorOf([&] { TrainingRun(request, parts_, {}); });
  };
  EXPECT_EQ(
      error({{"network", "lstm"}}),
      "the agent walks cannot teach a network of kind lstm: residual goes with walks and conpole-local, and walks only with "
      "residual");
  EXPECT_EQ(
      error({{"agent", "conpole"}}),
      "the agent conpole cannot teach a network of kind residual: residual goes with walks and conpole-local, and walks only "
      "with residual");
  EXPECT_EQ(error({{"domain", "sorting"}}),
            "a network of kind residual needs states of a fixed layout, and those of sorting have none");
  EXPECT_EQ(error({{"walk-length", "0"}}), "walk-length must be a whole number from 1 to 10000, not '0'");
}

TEST(WalkSourceTest, WalksGoOnWhereAllMovesCommute) {
  const std::unique_ptr<Domain> lights = MakeDomain(CONPOLE_SOURCE "/gallery/lights-out.domain");
  ASSERT_NE(lights->type().layout, nullptr);
  const FixedLayout& layout = *lights->type().layout;
  const WalkBatch batch = WalkSource(layout, 1).Draw(0, 64, 60);
  EXPECT_EQ(batch.actions.size(), 64U * 60U);
  const auto count = SensibleNextActions(layout).size();
  EXPECT_TRUE(std::all_of(batch.actions.begin(), batch.actions.end(), [&](std::uint8_t action) { return action < count; }));
}

}  // namespace
}  // namespace conpole
