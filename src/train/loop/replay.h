// What search taught: experiences, the latest `capacity` of them. An experience is an example to learn from: pairs of texts,
// and what is known about each of them. What its numbers mean is between the agent that made it and the loss that it minimises.
// Each is kept in one compact block, so that a million of them fit into memory. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conpole/scorer.h"
#include "train/run/options.h"

namespace conpole {

struct Experience {
  std::vector<std::string_view> texts;
  std::vector<ScoreBatch::Pair> pairs;
  // One per pair: how much it is to be preferred, the value that it should get, or a NaN where only the network can tell, once
  // it is asked. Runs of equal targets at the end take no room.
  std::vector<float> targets;
  // The first so many pairs are learned. Those behind them are what the agent looks ahead to when it makes targets.
  std::size_t learned = 0;
  // Steps that were left, before the first pair's step was taken, on the way that the experience is of.
  std::uint16_t steps_to_go = 0;
};

class ReplayBuffer {
 public:
  // The most texts, and the most pairs, that one experience can have.
  static constexpr std::size_t kMaxTexts = UINT16_MAX;

  // Requires capacity >= 1.
  explicit ReplayBuffer(std::size_t capacity, ReplayKeeps keeps = ReplayKeeps::kAll) : capacity_(capacity), keeps_(keeps) {}

  // Forgets the oldest experience if there is no room. With kShortest an experience takes the place of that of the same state,
  // which is the first pair's parent, unless it has more steps to go; then it is not added. Requires 1 <= learned <= pairs, a
  // target for each pair, and texts of at most kMaxStateBytes.
  void Add(const Experience& experience);

  std::size_t size() const { return blocks_.size(); }
  // How many were ever added, those that took another's place included.
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
  void AddBlock(std::string block);
  // Puts a block where no other experience of its state is.
  void Place(std::string block);

  std::size_t capacity_;
  ReplayKeeps keeps_;
  std::vector<std::string> blocks_;
  std::uint64_t added_ = 0;
  std::uint64_t placed_ = 0;  // added without taking another's place; says where the oldest is
  std::unordered_map<std::uint64_t, std::uint32_t> place_of_state_;  // by its hash, with kShortest
};

}  // namespace conpole
