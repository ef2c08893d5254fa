// What one gradient step learns from: examples, each a list of (parent, candidate) pairs with a target each. An example may
// also have pairs to look ahead to, which are not learned: a slow copy of the network scores them right before the gradient
// step, and the agent makes targets of the scores. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/scorer.h"
#include "util/text_index.h"

namespace conpole {

// Pairs of texts; each distinct text is there once.
class TextPairs {
 public:
  TextPairs() = default;
  TextPairs(TextPairs&&) = default;
  TextPairs& operator=(TextPairs&&) = default;

  // The texts must stay valid until Seal.
  void Add(std::string_view parent, std::string_view candidate);
  // Copies the texts, so that nothing else is needed any more. To be called once, after all else.
  void Seal();

  std::span<const ScoreBatch::Pair> pairs() const { return pairs_; }
  std::span<const std::string_view> texts() const { return is_sealed_ ? copies_ : index_.texts(); }

 private:
  TextIndex index_;                       // until sealed
  std::vector<std::string_view> copies_;  // from then on
  bool is_sealed_ = false;
  std::vector<ScoreBatch::Pair> pairs_;
  std::vector<char> characters_;  // of all texts, once sealed; moving does not move them
};

class TrainingBatch {
 public:
  TrainingBatch() = default;
  TrainingBatch(TrainingBatch&&) = default;
  TrainingBatch& operator=(TrainingBatch&&) = default;

  // Adds a pair to the current example. The texts must stay valid until Seal.
  void AddPair(std::string_view parent, std::string_view candidate, float target);
  // The same for a pair to look ahead to. `value` is what is known about it; NaN if the network is to be asked.
  void AddLookahead(std::string_view parent, std::string_view candidate, float value);
  void EndExample();
  // The examples in up to `parts` batches of about as many examples each, without what they look ahead to. Their texts are
  // valid as long as this one's.
  std::vector<TrainingBatch> Split(std::size_t parts) const;
  // Copies the texts, so that the batch depends on nothing else any more. To be called once, after all else.
  void Seal();

  std::size_t examples() const { return example_ends_.size(); }
  // The pairs of example i end at example_ends()[i], where those of the next begin.
  const std::vector<std::size_t>& example_ends() const { return example_ends_; }
  std::span<const ScoreBatch::Pair> pairs() const { return learned_.pairs(); }
  std::span<const std::string_view> texts() const { return learned_.texts(); }
  // One per pair.
  std::span<const float> targets() const { return targets_; }
  std::span<float> mutable_targets() { return targets_; }

  // What the examples look ahead to; the pairs of example i end at lookahead_ends()[i].
  const TextPairs& lookahead() const { return lookahead_; }
  const std::vector<std::size_t>& lookahead_ends() const { return lookahead_ends_; }
  // One per pair to look ahead to.
  std::span<const float> lookahead_values() const { return lookahead_values_; }

 private:
  TextPairs learned_;
  std::vector<float> targets_;
  std::vector<std::size_t> example_ends_;
  TextPairs lookahead_;
  std::vector<float> lookahead_values_;
  std::vector<std::size_t> lookahead_ends_;
};

}  // namespace conpole
