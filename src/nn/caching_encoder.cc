#include "nn/caching_encoder.h"

#include <algorithm>
#include <iterator>

namespace conpole {

void CachingEncoder::Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const {
  if (capacity_ == 0) return encoder_.Encode(texts, vectors, pool);
  // 1. Copy what is known; 2. encode the rest together; 3. remember it.
  const std::size_t size = encoder_.vector_size();
  struct Missing {
    std::size_t place;
    std::uint64_t hash;
  };
  std::vector<Missing> missing;
  std::vector<std::string_view> missing_texts;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::uint64_t hash = hash_(texts[i]);
      if (const std::vector<float>* const known = Find(texts[i], hash)) {
        std::copy(known->begin(), known->end(), vectors.data() + i * size);
      } else {
        missing.push_back({i, hash});
        missing_texts.push_back(texts[i]);
      }
    }
    hits_ += texts.size() - missing.size();
    misses_ += missing.size();
  }
  std::vector<float> encoded(missing.size() * size);
  encoder_.Encode(missing_texts, encoded, pool);
  const std::lock_guard lock(mutex_);
  for (std::size_t m = 0; m < missing.size(); ++m) {
    const std::span<const float> vector = std::span(encoded).subspan(m * size, size);
    std::copy(vector.begin(), vector.end(), vectors.data() + missing[m].place * size);
    Remember(missing_texts[m], missing[m].hash, vector);
  }
}

std::size_t CachingEncoder::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::uint64_t CachingEncoder::hits() const {
  const std::lock_guard lock(mutex_);
  return hits_;
}

std::uint64_t CachingEncoder::misses() const {
  const std::lock_guard lock(mutex_);
  return misses_;
}

const std::vector<float>* CachingEncoder::Find(std::string_view text, std::uint64_t hash) const {
  const auto found = entry_of_hash_.find(hash);
  if (found == entry_of_hash_.end() || found->second->text != text) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->vector;
}

void CachingEncoder::Remember(std::string_view text, std::uint64_t hash, std::span<const float> vector) const {
  // The memory of what is forgotten is used again.
  if (const auto found = entry_of_hash_.find(hash); found != entry_of_hash_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
  } else if (entries_.size() < capacity_) {
    entries_.emplace_front();
  } else {
    entry_of_hash_.erase(entries_.back().hash);
    entries_.splice(entries_.begin(), entries_, std::prev(entries_.end()));
  }
  Entry& entry = entries_.front();
  entry.hash = hash;
  entry.text.assign(text);
  entry.vector.assign(vector.begin(), vector.end());
  entry_of_hash_[hash] = entries_.begin();
}

}  // namespace conpole
