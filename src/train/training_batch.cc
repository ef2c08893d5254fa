#include "train/training_batch.h"

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
