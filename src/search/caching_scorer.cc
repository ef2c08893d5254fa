#include "search/caching_scorer.h"

#include <algorithm>

namespace conpole {

CachingScorer::CachingScorer(std::unique_ptr<Scorer> scorer, std::size_t capacity)
    : scorer_(std::move(scorer)), generation_size_(std::max<std::size_t>(1, capacity / 2)) {}

void CachingScorer::Score(const ScoreBatch& batch, std::span<float> scores) {
  // 1. Answer what is known; 2. ask for the rest in one batch; 3. remember it.
  std::vector<std::size_t> missing;
  std::vector<std::string> keys;
  std::string key;
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    key.assign(batch.texts[batch.pairs[i].parent]);
    key += '\n';
    key += batch.texts[batch.pairs[i].candidate];
    if (const float* const known = Find(key)) {
      scores[i] = *known;
    } else {
      missing.push_back(i);
      keys.push_back(key);
    }
  }
  hits_ += batch.pairs.size() - missing.size();
  misses_ += missing.size();
  if (missing.empty()) return;

  std::vector<std::uint32_t> moved_to(batch.texts.size(), UINT32_MAX);
  std::vector<std::string_view> texts;
  std::vector<std::uint64_t> hashes;
  const auto move = [&](std::uint32_t text) {
    if (moved_to[text] == UINT32_MAX) {
      moved_to[text] = static_cast<std::uint32_t>(texts.size());
      texts.push_back(batch.texts[text]);
      hashes.push_back(batch.hashes[text]);
    }
    return moved_to[text];
  };
  std::vector<ScoreBatch::Pair> pairs;
  for (const std::size_t i : missing) {
    const std::uint32_t parent = move(batch.pairs[i].parent);
    pairs.push_back({parent, move(batch.pairs[i].candidate)});
  }
  std::vector<float> answers(missing.size());
  scorer_->Score({texts, hashes, pairs}, answers);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    scores[missing[i]] = answers[i];
    Remember(std::move(keys[i]), answers[i]);
  }
}

const float* CachingScorer::Find(const std::string& key) {
  if (const auto found = younger_.find(key); found != younger_.end()) return &found->second;
  const auto found = older_.find(key);
  if (found == older_.end()) return nullptr;
  const float score = found->second;
  Remember(key, score);
  return &younger_.find(key)->second;
}

void CachingScorer::Remember(std::string key, float score) {
  if (younger_.size() >= generation_size_) {
    older_ = std::move(younger_);
    younger_.clear();
  }
  younger_.insert_or_assign(std::move(key), score);
}

}  // namespace conpole
