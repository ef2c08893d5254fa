// A scorer that remembers the answers of another one. Holds the answers to at most `capacity` pairs, in two generations: when
// the younger is full, the older is forgotten, so that what is asked for again and again stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "conpole/scorer.h"

namespace conpole {

class CachingScorer final : public Scorer {
 public:
  CachingScorer(std::unique_ptr<Scorer> scorer, std::size_t capacity);

  ScoreMeaning meaning() const override { return scorer_->meaning(); }
  bool NeedsDistinctTexts() const override { return scorer_->NeedsDistinctTexts(); }
  std::size_t ProblemsInFlight() const override { return scorer_->ProblemsInFlight(); }
  void Score(const ScoreBatch& batch, std::span<float> scores) override;

  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  // Both texts with a character between them that no state contains.
  using Answers = boost::unordered_flat_map<std::string, float>;

  const float* Find(const std::string& key);
  void Remember(std::string key, float score);

  std::unique_ptr<Scorer> scorer_;
  std::size_t generation_size_;
  Answers younger_;
  Answers older_;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace conpole
