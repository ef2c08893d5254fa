// What search taught: experiences, the latest `capacity` of them. An experience is an example to learn from: pairs of texts,
// and what is known about each of them. What its numbers mean is between the agent that made it and the loss that it minimises.
// Each is kept in one compact block, so that a million of them fit into memory. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/scorer.h"

namespace conpole {

struct Experience {
  std::vector<std::string_view> texts;
  std::vector<ScoreBatch::Pair> pairs;
  // One per pair: how much it is to be preferred, the value that it should get, or a NaN where only the network can tell, once
  // it is asked. Runs of equal targets at the end take no room.
  std::vector<float> targets;
  // This number of pairs, the first ones, are learned. Those behind them are what the agent looks ahead to when it makes
  // targets.
  std::size_t learned = 0;
};

class ReplayBuffer {
 public:
  // The most texts, and the most pairs, that one experience can have.
  static constexpr std::size_t kMaxTexts = UINT16_MAX;

  // Requires capacity >= 1.
  explicit ReplayBuffer(std::size_t capacity) : capacity_(capacity) {}

  // Forgets the oldest experience if there is no room. Requires 1 <= learned <= pairs, a target for each pair, and texts of at
  // most kMaxStateBytes.
  void Add(const Experience& experience);

  std::size_t size() const { return blocks_.size(); }
  // How many were ever added.
  std::uint64_t added() const { return added_; }
  // The views are valid until the next Add.
  void Read(std::size_t index, Experience& experience) const;
  // Characters of the longest text of an experience.
  std::size_t LongestText(std::size_t index) const;

  std::size_t MemoryUsed() const;

  // Hands the contents to `write`, piece by piece, and takes them from one string again. Restore throws Error if it is damaged.
  void Save(const std::function<void(std::string_view)>& write) const;
  void Restore(std::string_view bytes);

 private:
  std::size_t capacity_;
  std::vector<std::string> blocks_;
  std::uint64_t added_ = 0;
};

}  // namespace conpole
