// A learner that is simple enough to know what it must do, for tests of what surrounds a learner.
#pragma once

#include <atomic>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/error.h"
#include "train/loop/learner.h"

namespace conpole {

// Counts what it is asked to do. Its scores are the fewer inversions the better, once it has learned something and was
// refreshed; before that they are useless.
class CountingLearner : public Learner {
 public:
  void Score(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* /*stop*/) override {
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      scores[i] = refreshed_ ? -Inversions(batch.texts[batch.pairs[i].candidate]) : 0;
    }
  }
  void ScoreBySlowCopy(const ScoreBatch& batch, std::span<float> scores, const std::atomic<bool>* /*stop*/) override {
    ++scored_by_slow_copy_;
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) scores[i] = 0;  // a value of one half
  }
  void Learn(const TrainingBatch& batch, double learning_rate) override {
    if (learned_ >= diverge_after) throw Diverged("the loss is too high to be seen");
    for (const float target : batch.targets()) targets_.insert(target);
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
  int scored_by_slow_copy() const { return scored_by_slow_copy_; }
  const std::set<float>& targets() const { return targets_; }
  const std::string& log() const { return log_; }

  int fail_after = 1'000'000'000;
  int diverge_after = 1'000'000'000;

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
  int scored_by_slow_copy_ = 0;
  std::set<float> targets_;
  bool refreshed_ = false;
  std::string log_;
};

}  // namespace conpole
