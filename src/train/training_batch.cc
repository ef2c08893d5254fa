#include "train/training_batch.h"

#include <algorithm>

namespace conpole {

void TrainingBatch::AddPair(std::string_view parent, std::string_view candidate) {
  const std::uint32_t parent_index = IndexOf(parent);
  pairs_.push_back({parent_index, IndexOf(candidate)});
}

std::uint32_t TrainingBatch::IndexOf(std::string_view text) {
  const auto [found, is_new] = index_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return found->second;
}

std::vector<TrainingBatch> TrainingBatch::Split(std::size_t parts) const {
  parts = std::clamp<std::size_t>(parts, 1, std::max<std::size_t>(1, examples()));
  std::vector<TrainingBatch> batches(parts);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < examples(); ++i) {
    TrainingBatch& batch = batches[i * parts / examples()];
    for (; pair < example_ends_[i]; ++pair) batch.AddPair(texts_[pairs_[pair].parent], texts_[pairs_[pair].candidate]);
    batch.EndExample();
  }
  return batches;
}

void TrainingBatch::Seal() {
  index_ = {};
  std::size_t size = 0;
  for (const std::string_view text : texts_) size += text.size();
  characters_.resize(size);
  char* at = characters_.data();
  for (std::string_view& text : texts_) {
    const std::size_t copied = text.copy(at, text.size());
    text = {at, copied};
    at += copied;
  }
}

}  // namespace conpole
