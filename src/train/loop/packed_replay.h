// The latest examples of training over packed states, each a state and the action to be preferred there. Not thread-safe,
// except that any number of threads may read at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "train/run/checkpoint.h"

namespace conpole {

class PackedReplay {
 public:
  // Remembers the latest `capacity` examples, at least one.
  PackedReplay(std::size_t cells, std::size_t capacity) : cells_(cells), capacity_(capacity) {}

  std::size_t size() const { return actions_.size(); }
  void Add(std::span<const std::uint8_t> state, std::uint8_t action);
  std::span<const std::uint8_t> State(std::size_t index) const { return {states_.data() + index * cells_, cells_}; }
  std::uint8_t Action(std::size_t index) const { return actions_[index]; }

  void Save(const WriteBytes& write) const;
  // Throws Error if the bytes are not what Save wrote, or an action is not below `actions`.
  void Restore(std::string_view bytes, std::size_t actions);

 private:
  std::size_t cells_;
  std::size_t capacity_;
  std::size_t next_ = 0;  // the place of the next example once all are taken
  std::vector<std::uint8_t> states_;
  std::vector<std::uint8_t> actions_;
};

}  // namespace conpole
