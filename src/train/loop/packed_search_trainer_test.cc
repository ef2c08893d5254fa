// Runs by search over packed states, around a learner that remembers the examples themselves: it prefers what it was taught.
#include "train/loop/packed_search_trainer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "nn/model.h"
#include "search/endgame.h"
#include "tests/files.h"
#include "train/run/metrics.h"
#include "train/run/run.h"
#include "util/hash.h"

namespace conpole {
namespace {

using Memory = std::map<std::string, std::uint8_t>;

std::string KeyOf(const std::uint8_t* state, std::size_t cells) { return {reinterpret_cast<const char*>(state), cells}; }

class RememberingPolicy final : public PackedPolicy {
 public:
  RememberingPolicy(const FixedLayout& layout, Memory memory) : layout_(layout), memory_(std::move(memory)) {}

  std::size_t cells() const override { return layout_.cells; }
  std::size_t actions() const override { return layout_.actions(); }
  std::size_t StatesAtATime() const override { return 100; }
  void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
    for (std::size_t i = 0; i < states.size() / cells(); ++i) {
      const std::string key = KeyOf(states.data() + i * cells(), cells());
      for (std::size_t action = 0; action < actions(); ++action) {
        preferences[i * actions() + action] = static_cast<float>(MixHash(HashText(key), action) % 1000) / 1000.0F;
      }
      if (const auto known = memory_.find(key); known != memory_.end()) preferences[i * actions() + known->second] = 9;
    }
  }

 private:
  const FixedLayout& layout_;
  Memory memory_;
};

class StateRememberingLearner final : public PackedLearner {
 public:
  StateRememberingLearner(const Architecture& architecture, const FixedLayout& layout, std::atomic<bool>& stop, int stop_after)
      : layout_(layout), model_(RandomModel(architecture, 1)), stop_(stop), stop_after_(stop_after) {}

  void Begin(const Tensors& weights) override { model_.tensors = weights; }
  void Learn(const WalkBatch&, double) override { FAIL() << "there are no walks backwards here"; }
  void Learn(const PackedExamples& examples, double learning_rate) override {
    ASSERT_EQ(examples.states.size(), examples.actions.size() * layout_.cells);
    for (std::size_t i = 0; i < examples.actions.size(); ++i) {
      memory[KeyOf(examples.states.data() + i * layout_.cells, layout_.cells)] = examples.actions[i];
    }
    rates.push_back(learning_rate);
    if (static_cast<int>(rates.size()) == stop_after_) stop_ = true;
  }
  double TakeLoss() override { return rates.empty() ? std::nan("") : 1.5; }
  Tensors Weights() const override { return model_.tensors; }
  std::unique_ptr<PackedPolicy> Policy() const override { return std::make_unique<RememberingPolicy>(layout_, memory); }
  std::string Save() const override {
    std::string bytes;
    for (const auto& [state, action] : memory) bytes += state + static_cast<char>(action);
    return bytes;
  }
  void Restore(std::string_view bytes) override {
    memory.clear();
    for (; !bytes.empty(); bytes.remove_prefix(layout_.cells + 1)) {
      memory[std::string(bytes.substr(0, layout_.cells))] = static_cast<std::uint8_t>(bytes[layout_.cells]);
    }
  }

  Memory memory;
  std::vector<double> rates;

 private:
  const FixedLayout& layout_;
  Model model_;
  std::atomic<bool>& stop_;
  int stop_after_;
};

class PackedSearchTrainerTest : public FolderTest {
 protected:
  PackedSearchTrainerTest() {
    request_.folder = Path("run");
    request_.version = "test";
    request_.given = {{"domain", "rubiks-cube:max_moves=4"},
                      {"agent", "conpole-local"},
                      {"network", "residual:wide=8,hidden=8,blocks=1"},
                      {"beam", "20"},
                      {"beam-value", "log-probability"},
                      {"in-flight", "10"},
                      {"steps", "10000"},
                      {"batch", "50"},
                      {"learning-rate", "0.01"},
                      {"eval-every", "3000"},
                      {"eval-seeds", "0:50"},
                      {"validation-seeds", "50:100"},
                      {"threads", "2"}};
    parts_.make_domain = [](const std::string& spec) { return MakeDomain(spec); };
    parts_.adapt = [this](TrainOptions& options) {
      options.bootstrap = bootstrap_;
      options.depth_start = 4;
      options.reuse = 2;
      options.warmup = 3;
    };
    parts_.make_packed_learner = [this](const Architecture& architecture, const FixedLayout& layout,
                                        const PackedLearnerOptions&, const std::string&) {
      auto learner = std::make_unique<StateRememberingLearner>(architecture, layout, stop_, stop_after_);
      learner_ = learner.get();
      return learner;
    };
  }

  bool Train() {
    TrainingRun run(request_, parts_, {});
    const bool is_done = run.Train(stop_);
    memory_ = learner_->memory;
    rates_ = learner_->rates;
    status_ = run.status();
    return is_done;
  }

  RunRequest request_;
  RunParts parts_;
  std::atomic<bool> stop_ = false;
  int stop_after_ = -1;
  std::size_t bootstrap_ = 20;
  StateRememberingLearner* learner_ = nullptr;
  Memory memory_;
  std::vector<double> rates_;
  TrainStatus status_;
};

TEST_F(PackedSearchTrainerTest, LearnsBySearch) {
  EXPECT_TRUE(Train());
  EXPECT_GE(status_.steps, 10'000U);
  EXPECT_LT(status_.steps, 10'000U + 20) << "the last search may take a step of its beam more";
  EXPECT_GT(status_.solved, 100U);
  EXPECT_GE(status_.problems, status_.solved);
  EXPECT_GT(status_.replay_examples, 1000U);
  // Each step is learned from twice, but for those before anything was solved.
  EXPECT_NEAR(static_cast<double>(status_.strings_learned), 2.0 * static_cast<double>(status_.steps), 6000);
  EXPECT_EQ(status_.strings_learned, 50 * status_.gradient_steps);
  EXPECT_GT(status_.solved_rate, 0.5);
  EXPECT_NEAR(rates_.front(), 0.0025, 1e-3) << "a warm-up";
  EXPECT_LT(rates_.back(), 1e-3);
  const Model last = ReadModel(Path("run/last.safetensors"));
  EXPECT_EQ(last.architecture.kind, "residual");
  EXPECT_EQ(last.architecture.head, Head::kActions);
  EXPECT_EQ(last.meaning(), ScoreMeaning::kLogPreference);
  EXPECT_EQ(last.metadata.at("agent"), "conpole-local");
  const std::vector<MetricsLine> metrics = ReadMetrics(Path("run/metrics.jsonl"));
  ASSERT_GE(metrics.size(), 4U);
  EXPECT_EQ(metrics.back().Find("loss"), 1.5);
  EXPECT_GT(metrics.back().Find("eval_success").value_or(0), metrics.front().Find("eval_success").value_or(1));
}

// All that is taught begins a way to the solved state, and near it nearly always the shortest.
TEST_F(PackedSearchTrainerTest, WhatIsTaughtLeadsOn) {
  Train();
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const FixedLayout& layout = *domain->type().layout;
  const Endgame endgame(layout, 11206);
  std::vector<std::uint64_t> hashes(layout.actions());
  std::size_t near = 0;
  std::size_t closer = 0;
  for (const auto& [key, action] : memory_) {
    const auto* const state = reinterpret_cast<const std::uint8_t*>(key.data());
    const auto distance = endgame.Distance(endgame.hash().Of(state));
    if (!distance || *distance > 3) continue;
    ++near;
    endgame.hash().OfSuccessors(state, hashes.data());
    if (endgame.Distance(hashes[action]) == *distance - 1) ++closer;
  }
  EXPECT_GT(near, 300U);
  EXPECT_GT(static_cast<double>(closer), 0.9 * static_cast<double>(near));
}

TEST_F(PackedSearchTrainerTest, ScramblesGrow) {
  request_.given["domain"] = "rubiks-cube:max_moves=6";
  Train();
  EXPECT_GT(status_.level, 2);
  EXPECT_EQ(ReadMetrics(Path("run/metrics.jsonl")).back().Find("level"), static_cast<double>(status_.level));
}

TEST_F(PackedSearchTrainerTest, TwoRunsAreEqualWhateverTheThreads) {
  Train();
  const Memory memory = memory_;
  const std::uint64_t problems = status_.problems;
  request_.folder = Path("again");
  request_.given["threads"] = "1";
  Train();
  EXPECT_EQ(status_.problems, problems);
  EXPECT_EQ(memory_, memory);
}

TEST_F(PackedSearchTrainerTest, GoesOnAfterBeingStopped) {
  for (const int after : {1, 100}) {
    request_.folder = Path("stopped-" + std::to_string(after));
    request_.resume = false;
    stop_after_ = after;
    EXPECT_FALSE(Train());
    EXPECT_LT(status_.steps, 10'000U);
    const Memory before = memory_;
    const TrainStatus stopped = status_;
    stop_ = false;
    stop_after_ = -1;
    request_.resume = true;
    EXPECT_TRUE(Train());
    EXPECT_GE(status_.steps, 10'000U);
    EXPECT_GT(status_.problems, stopped.problems);
    EXPECT_GT(status_.replay_examples, stopped.replay_examples);
    for (const auto& [state, action] : before) EXPECT_TRUE(memory_.contains(state)) << "what was learned is not lost";
    const std::uint64_t steps = status_.steps;
    EXPECT_TRUE(Train()) << "done is done";
    EXPECT_EQ(status_.steps, steps);
  }
}

TEST_F(PackedSearchTrainerTest, WhatDoesNotFitIsRefused) {
  const auto error = [&](const SettingValues& changed) {
    RunRequest request = request_;
    for (const auto& [name, value] : changed) request.given[name] = value;
    return ErrorOf([&] { TrainingRun(request, parts_, {}); });
  };
  EXPECT_EQ(error({{"domain", "sorting"}}),
            "a network of kind residual needs states of a fixed layout, and those of sorting have none");
  EXPECT_NE(error({{"agent", "drrn"}}).find("residual goes with walks and conpole-local"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(Path("run")));
}

TEST_F(PackedSearchTrainerTest, APolicyThatSolvesNothingIsReplacedByChance) {
  // Prefers, whatever it has learned, what leads away from the solved state.
  class Misled final : public PackedPolicy {
   public:
    explicit Misled(const FixedLayout& layout) : layout_(layout), endgame_(layout, 11206) {}
    std::size_t cells() const override { return layout_.cells; }
    std::size_t actions() const override { return layout_.actions(); }
    std::size_t StatesAtATime() const override { return 100; }
    void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
      std::vector<std::uint64_t> hashes(actions());
      for (std::size_t i = 0; i < states.size() / cells(); ++i) {
        endgame_.hash().OfSuccessors(states.data() + i * cells(), hashes.data());
        for (std::size_t action = 0; action < actions(); ++action) {
          const auto distance = endgame_.Distance(hashes[action]);
          preferences[i * actions() + action] = distance ? static_cast<float>(*distance) : 10.0F;
        }
      }
    }

   private:
    const FixedLayout& layout_;
    Endgame endgame_;
  };
  class MisledLearner final : public PackedLearner {
   public:
    MisledLearner(const FixedLayout& layout, std::unique_ptr<StateRememberingLearner> learner)
        : layout_(layout), learner_(std::move(learner)) {}
    void Begin(const Tensors& weights) override { learner_->Begin(weights); }
    void Learn(const WalkBatch& batch, double rate) override { learner_->Learn(batch, rate); }
    void Learn(const PackedExamples& examples, double rate) override { learner_->Learn(examples, rate); }
    double TakeLoss() override { return learner_->TakeLoss(); }
    Tensors Weights() const override { return learner_->Weights(); }
    std::unique_ptr<PackedPolicy> Policy() const override { return std::make_unique<Misled>(layout_); }
    std::string Save() const override { return learner_->Save(); }
    void Restore(std::string_view bytes) override { learner_->Restore(bytes); }

   private:
    const FixedLayout& layout_;
    std::unique_ptr<StateRememberingLearner> learner_;
  };
  parts_.make_packed_learner = [this](const Architecture& architecture, const FixedLayout& layout, const PackedLearnerOptions&,
                                      const std::string&) {
    auto learner = std::make_unique<StateRememberingLearner>(architecture, layout, stop_, stop_after_);
    learner_ = learner.get();
    return std::make_unique<MisledLearner>(layout, std::move(learner));
  };
  // After four turns a cube is at least two from solved, so that a beam that keeps the farthest solves none; by chance, some of
  // those are found that are two turns away.
  request_.given["domain"] = "rubiks-cube:min_moves=4,max_moves=4";
  request_.given["beam"] = "4";
  request_.given["beam-value"] = "last";
  bootstrap_ = 10;
  request_.given["steps"] = "30000";
  Train();
  EXPECT_GT(status_.solved, 30U) << "chance had to help again and again";
}

}  // namespace
}  // namespace conpole
