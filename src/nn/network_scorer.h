// A scorer that asks a network on the CPU. What its scores mean is up to the model. One thread at a time may use it; many
// scorers may share one network.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "conpole/scorer.h"
#include "nn/caching_encoder.h"
#include "nn/encoder.h"
#include "nn/head.h"
#include "nn/model.h"
#include "util/thread_pool.h"

namespace conpole {

struct NetworkScorerOptions {
  std::size_t cached_vectors = 16'384;  // 2 kB each with the paper's network; 0 for none
};

// A network as scorers take it, with the vectors that it gave last. Any number of threads may use it.
class ScoringNetwork {
 public:
  // Throws Error if the model's tensors are not those of its architecture.
  explicit ScoringNetwork(const Model& model, const NetworkScorerOptions& options = {})
      : encoder_(MakeEncoder(model)),
        cache_(*encoder_, options.cached_vectors),
        head_(MakeHead(model)),
        meaning_(model.meaning()) {}

  const CachingEncoder& encoder() const { return cache_; }
  const ScoringHead& head() const { return *head_; }
  ScoreMeaning meaning() const { return meaning_; }

 private:
  std::unique_ptr<const Encoder> encoder_;
  CachingEncoder cache_;
  std::unique_ptr<const ScoringHead> head_;
  ScoreMeaning meaning_;
};

class NetworkScorer final : public Scorer {
 public:
  // Throws Error if the model's tensors are not those of its architecture. The pool must outlive the scorer.
  NetworkScorer(const Model& model, ThreadPool& pool, const NetworkScorerOptions& options = {})
      : NetworkScorer(std::make_shared<const ScoringNetwork>(model, options), pool) {}
  NetworkScorer(std::shared_ptr<const ScoringNetwork> network, ThreadPool& pool) : network_(std::move(network)), pool_(pool) {}

  ScoreMeaning meaning() const override { return network_->meaning(); }
  std::size_t ProblemsInFlight() const override { return 8; }
  // A thread takes some tenths of a second for 16,384 of them.
  std::size_t CharactersAtATime() const override { return 16'384 * pool_.size(); }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    ScorePairs(network_->encoder(), network_->head(), batch, scores, pool_, memory_);
  }

  const CachingEncoder& cache() const { return network_->encoder(); }

 private:
  std::shared_ptr<const ScoringNetwork> network_;
  ThreadPool& pool_;
  ScoringMemory memory_;
};

}  // namespace conpole
