// What search taught: experiences, the latest `capacity` of them. An experience is one step of a solution: the pair (state,
// next state) that was right, and other pairs that the search could have gone on with. Each is kept in one compact block, so
// that a million of them fit into memory. Not thread-safe.
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
  std::vector<ScoreBatch::Pair> pairs;  // the first is the right one
};

class ReplayBuffer {
 public:
  // The most texts that one experience can have.
  static constexpr std::size_t kMaxTexts = UINT16_MAX;

  // Requires capacity >= 1.
  explicit ReplayBuffer(std::size_t capacity) : capacity_(capacity) {}

  // Forgets the oldest experience if there is no room. Texts are at most kMaxStateBytes long.
  void Add(const Experience& experience);

  std::size_t size() const { return blocks_.size(); }
  // How many were ever added.
  std::uint64_t added() const { return added_; }
  // The views are valid until the next Add.
  void Read(std::size_t index, Experience& experience) const;

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
