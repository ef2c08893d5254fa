// Heads on the CPU: they turn the vectors of texts into scores of pairs. A head reads a model once, then is immutable; any
// thread may use it. ScorePairs is the one way from texts to scores.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "conpole/scorer.h"
#include "nn/encoder.h"
#include "nn/kernels.h"
#include "nn/model.h"
#include "util/thread_pool.h"

namespace conpole {

class ScoringHead {
 public:
  virtual ~ScoringHead() = default;

  // Whether scores depend on the parents, and on the candidates: only what is needed is encoded. A head with one logit per
  // action would look at parents alone, so that all actions of a state cost one vector.
  virtual bool needs_parents() const = 0;
  virtual bool needs_candidates() const = 0;

  // Writes one score per pair. `vectors` has a row per text that pairs refer to; rows that are not needed may hold anything.
  virtual void Score(std::span<const float> vectors, std::span<const ScoreBatch::Pair> pairs, std::span<float> scores,
                     ThreadPool& pool) const = 0;
};

// The head of a model. Throws Error if the model's tensors are not those of its architecture.
std::unique_ptr<ScoringHead> MakeHead(const Model& model, const Kernels& kernels = Kernels::Best());

// Memory that ScorePairs uses again if it is given again.
struct ScoringMemory {
  std::vector<char> is_needed;
  std::vector<std::string_view> texts;
  std::vector<float> vectors;
  std::vector<std::uint32_t> row_of_text;
  std::vector<ScoreBatch::Pair> pairs;
};

// Encodes the texts that the head needs and scores all pairs. `hashes` of the batch are not used.
void ScorePairs(const Encoder& encoder, const ScoringHead& head, const ScoreBatch& batch, std::span<float> scores,
                ThreadPool& pool, ScoringMemory& memory);

}  // namespace conpole
