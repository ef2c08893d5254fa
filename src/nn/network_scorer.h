// A scorer that asks a network on the CPU: the policy's preference for each candidate, or the value of the candidate alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "conpole/scorer.h"
#include "nn/caching_encoder.h"
#include "nn/encoder.h"
#include "util/thread_pool.h"

namespace conpole {

struct NetworkScorerOptions {
  std::size_t cached_vectors = 16'384;  // 2 kB each with the paper's network; 0 for none
};

class NetworkScorer final : public Scorer {
 public:
  // The pool must outlive the scorer.
  NetworkScorer(const Model& model, ThreadPool& pool, const NetworkScorerOptions& options = {})
      : encoder_(model), cache_(encoder_, options.cached_vectors), pool_(pool) {}
  NetworkScorer(const NetworkScorer&) = delete;  // the cache points to the encoder
  NetworkScorer& operator=(const NetworkScorer&) = delete;

  ScoreMeaning meaning() const override {
    return encoder_.architecture().head == Head::kBilinear ? ScoreMeaning::kLogPreference : ScoreMeaning::kLogOdds;
  }
  std::size_t ProblemsInFlight() const override { return 8; }
  // A thread takes some tenths of a second for so many.
  std::size_t CharactersAtATime() const override { return 16'384 * pool_.size(); }
  void Score(const ScoreBatch& batch, std::span<float> scores) override;

  const CachingEncoder& cache() const { return cache_; }

 private:
  Encoder encoder_;
  CachingEncoder cache_;
  ThreadPool& pool_;
  std::vector<float> vectors_;    // per text
  std::vector<float> projected_;  // per text that is a parent
  std::vector<char> is_parent_;
};

}  // namespace conpole
