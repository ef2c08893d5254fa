// A scorer that asks a network on the CPU: the policy's preference for each candidate, or the value of the candidate alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "conpole/scorer.h"
#include "nn/encoder.h"
#include "util/thread_pool.h"

namespace conpole {

class NetworkScorer final : public Scorer {
 public:
  // The pool must outlive the scorer.
  NetworkScorer(const Model& model, ThreadPool& pool) : encoder_(model), pool_(pool) {}

  ScoreMeaning meaning() const override {
    return encoder_.architecture().head == Head::kBilinear ? ScoreMeaning::kPreference : ScoreMeaning::kNegativeCost;
  }
  std::size_t ProblemsInFlight() const override { return 8; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override;

 private:
  Encoder encoder_;
  ThreadPool& pool_;
  std::vector<float> vectors_;    // per text
  std::vector<float> projected_;  // per text that is a parent
  std::vector<char> is_parent_;
};

}  // namespace conpole
