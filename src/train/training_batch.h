// What one gradient step learns from: examples, each a list of (parent, candidate) pairs whose first is the right one. Each
// distinct text is there once. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "conpole/scorer.h"

namespace conpole {

class TrainingBatch {
 public:
  TrainingBatch() = default;
  TrainingBatch(TrainingBatch&&) = default;
  TrainingBatch& operator=(TrainingBatch&&) = default;

  // Adds a pair to the current example. The texts must stay valid until Seal.
  void AddPair(std::string_view parent, std::string_view candidate);
  void EndExample() { example_ends_.push_back(pairs_.size()); }
  // The examples in up to `parts` batches of about as many examples each. Their texts are valid as long as this one's.
  std::vector<TrainingBatch> Split(std::size_t parts) const;
  // Copies the texts, so that the batch depends on nothing else any more. To be called once, after all else.
  void Seal();

  std::size_t examples() const { return example_ends_.size(); }
  // The pairs of example i end at example_ends()[i], where those of the next begin.
  const std::vector<std::size_t>& example_ends() const { return example_ends_; }
  std::span<const ScoreBatch::Pair> pairs() const { return pairs_; }
  std::span<const std::string_view> texts() const { return texts_; }

 private:
  std::uint32_t IndexOf(std::string_view text);

  boost::unordered_flat_map<std::string_view, std::uint32_t> index_;
  std::vector<std::string_view> texts_;
  std::vector<ScoreBatch::Pair> pairs_;
  std::vector<std::size_t> example_ends_;
  std::vector<char> characters_;  // of all texts, once sealed; moving the batch does not move them
};

}  // namespace conpole
