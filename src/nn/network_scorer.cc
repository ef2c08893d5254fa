#include "nn/network_scorer.h"

#include <algorithm>
#include <numeric>

namespace conpole {

void NetworkScorer::Score(const ScoreBatch& batch, std::span<float> scores) {
  const std::size_t size = encoder_.vector_size();
  vectors_.resize(batch.texts.size() * size);
  cache_.Encode(batch.texts, batch.hashes, vectors_, pool_);
  const auto vector = [&](std::uint32_t text) { return std::span<const float>(vectors_).subspan(text * size, size); };
  if (encoder_.architecture().head == Head::kValue) {
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) scores[i] = encoder_.Value(vector(batch.pairs[i].candidate));
    return;
  }
  is_parent_.assign(batch.texts.size(), 0);
  for (const ScoreBatch::Pair& pair : batch.pairs) is_parent_[pair.parent] = 1;
  projected_.resize(vectors_.size());
  pool_.For(batch.texts.size(), [&](std::size_t text) {
    if (is_parent_[text] != 0) {
      encoder_.Project(vector(static_cast<std::uint32_t>(text)), std::span(projected_).subspan(text * size, size));
    }
  });
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    const std::span<const float> candidate = vector(batch.pairs[i].candidate);
    scores[i] = std::inner_product(candidate.begin(), candidate.end(),
                                   projected_.begin() + static_cast<std::ptrdiff_t>(batch.pairs[i].parent * size), 0.0F);
  }
}

}  // namespace conpole
