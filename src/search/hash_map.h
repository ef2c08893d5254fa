// A set of hashes, each with a byte, in one flat array: open addressing with linear probing, at most half full. The hashes are
// good ones already, so that their low bits say where they stand. Not thread-safe.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "util/large_pages.h"

namespace conpole {

class HashMap {
 public:
  static constexpr std::uint8_t kNone = 255;

  explicit HashMap(std::size_t expected = 0) { Reset(expected); }

  // Empties it, and makes room.
  void Reset(std::size_t expected) {
    const std::size_t slots = std::bit_ceil(2 * expected + 16);
    hashes_.assign(slots, 0);
    values_.assign(slots, kNone);
    size_ = 0;
  }

  std::size_t size() const { return size_; }

  // False if the hash is there already, and then nothing changes. `value` is not kNone.
  bool Insert(std::uint64_t hash, std::uint8_t value) {
    const std::size_t slot = Find(hash);
    if (values_[slot] != kNone) return false;
    hashes_[slot] = hash;
    values_[slot] = value;
    if (2 * ++size_ > values_.size()) Grow();
    return true;
  }

  // Lets the processor fetch what asking about this hash needs first.
  void Prefetch(std::uint64_t hash) const { __builtin_prefetch(values_.data() + (hash & (values_.size() - 1))); }

  // kNone if the hash is not there.
  std::uint8_t operator[](std::uint64_t hash) const { return values_[Find(hash)]; }

  // Calls visit(hash, value) for all.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (std::size_t slot = 0; slot < values_.size(); ++slot) {
      if (values_[slot] != kNone) visit(hashes_[slot], values_[slot]);
    }
  }

 private:
  // Where it stands, or the free place where it would.
  std::size_t Find(std::uint64_t hash) const {
    const std::size_t mask = values_.size() - 1;
    std::size_t slot = hash & mask;
    while (values_[slot] != kNone && hashes_[slot] != hash) slot = (slot + 1) & mask;
    return slot;
  }

  void Grow() {
    HashMap larger(values_.size());
    ForEach([&](std::uint64_t hash, std::uint8_t value) { larger.Insert(hash, value); });
    *this = std::move(larger);
  }

  LargeVector<std::uint64_t> hashes_;
  LargeVector<std::uint8_t> values_;
  std::size_t size_ = 0;
};

}  // namespace conpole
