// Pairs of texts in columns, as scorers and learners in Python are given them: each distinct text once, and per pair the places
// of its parent and its candidate. Immutable once made, but that Python may write to its numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conpole/scorer.h"
#include "python/src/text_column.h"
#include "train/loop/training_batch.h"

namespace conpole::python {

struct PairBatch {
  PairBatch() = default;
  explicit PairBatch(const ScoreBatch& batch) : texts(batch.texts) { AddPairs(batch.pairs); }
  // What an example looks ahead to is left out.
  explicit PairBatch(const TrainingBatch& batch) : texts(batch.texts()) {
    AddPairs(batch.pairs());
    targets.emplace(batch.targets().begin(), batch.targets().end());
    first.push_back(0);
    for (const std::size_t end : batch.example_ends()) first.push_back(static_cast<std::int64_t>(end));
  }

  TextColumn texts;
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> candidates;
  // Of batches to learn from: one target per pair, and where the pairs of each example begin, with the end of the last.
  std::optional<std::vector<float>> targets;
  std::vector<std::int64_t> first;

 private:
  void AddPairs(std::span<const ScoreBatch::Pair> pairs) {
    parents.reserve(pairs.size());
    candidates.reserve(pairs.size());
    for (const ScoreBatch::Pair& pair : pairs) {
      parents.push_back(pair.parent);
      candidates.push_back(pair.candidate);
    }
  }
};

}  // namespace conpole::python
