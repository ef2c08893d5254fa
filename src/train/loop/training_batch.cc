#include "train/loop/training_batch.h"

#include <algorithm>

namespace conpole {

void TextPairs::Add(std::string_view parent, std::string_view candidate) {
  const std::uint32_t parent_index = index_.Add(parent);
  pairs_.push_back({parent_index, index_.Add(candidate)});
}

void TextPairs::Seal() {
  std::size_t size = 0;
  for (const std::string_view text : index_.texts()) size += text.size();
  characters_.resize(size);
  char* at = characters_.data();
  copies_.reserve(index_.size());
  for (const std::string_view text : index_.texts()) {
    const std::size_t copied = text.copy(at, text.size());
    copies_.emplace_back(at, copied);
    at += copied;
  }
  index_ = {};
  is_sealed_ = true;
}

void TrainingBatch::AddPair(std::string_view parent, std::string_view candidate, float target) {
  learned_.Add(parent, candidate);
  targets_.push_back(target);
}

void TrainingBatch::AddLookahead(std::string_view parent, std::string_view candidate, float value) {
  lookahead_.Add(parent, candidate);
  lookahead_values_.push_back(value);
}

void TrainingBatch::EndExample() {
  example_ends_.push_back(targets_.size());
  lookahead_ends_.push_back(lookahead_values_.size());
}

std::vector<TrainingBatch> TrainingBatch::Split(std::size_t parts) const {
  parts = std::clamp<std::size_t>(parts, 1, std::max<std::size_t>(1, examples()));
  std::vector<TrainingBatch> batches(parts);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < examples(); ++i) {
    TrainingBatch& batch = batches[i * parts / examples()];
    for (; pair < example_ends_[i]; ++pair) {
      batch.AddPair(texts()[pairs()[pair].parent], texts()[pairs()[pair].candidate], targets_[pair]);
    }
    batch.EndExample();
  }
  return batches;
}

void TrainingBatch::Seal() {
  learned_.Seal();
  lookahead_.Seal();
}

}  // namespace conpole
