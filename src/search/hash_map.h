// A set of hashes, each with a byte, in one flat array: open addressing with linear probing, at most five eighths full, and
// half full with what it was made for. The lowest byte of a hash is zero (search/packed_hash.h), and its place in the array is
// the byte's. The other bits are good enough to say where a hash stands. A set that changes is for one thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "util/large_pages.h"

namespace conpole {

// What can be asked of such a set, wherever its array is. There is a free place in it.
class HashSlots {
 public:
  static constexpr std::uint8_t kNone = 255;

  // The size is a power of two.
  explicit HashSlots(std::span<const std::uint64_t> slots = {}) : slots_(slots) {}

  std::span<const std::uint64_t> slots() const { return slots_; }

  // Lets the processor fetch what asking about this hash needs first.
  void Prefetch(std::uint64_t hash) const { __builtin_prefetch(slots_.data() + Home(hash)); }

  // kNone if the hash is not there.
  std::uint8_t operator[](std::uint64_t hash) const { return ValueOf(slots_[Find(hash)]); }

  // Calls visit(hash, value) for all.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    for (const std::uint64_t slot : slots_) {
      if (slot != 0) visit(slot & ~kLowByte, ValueOf(slot));
    }
  }

 protected:
  static constexpr std::uint64_t kLowByte = 0xFF;

  // One less, so that what is free, which is zero, gives kNone.
  static std::uint8_t ValueOf(std::uint64_t slot) { return static_cast<std::uint8_t>(slot - 1); }

  std::size_t Home(std::uint64_t hash) const { return (hash >> 8) & (slots_.size() - 1); }

  // Where it stands, or the free place where it would.
  std::size_t Find(std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = Home(hash);
    while (slots_[place] != 0 && (slots_[place] & ~kLowByte) != hash) place = (place + 1) & mask;
    return place;
  }

  std::span<const std::uint64_t> slots_;  // hash and value + 1; 0 if free
};

class HashMap : public HashSlots {
 public:
  explicit HashMap(std::size_t expected = 0) { Reset(expected); }

  // Empties it, and makes room.
  void Reset(std::size_t expected) {
    own_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * expected)), 0);
    slots_ = own_;
    size_ = 0;
  }

  HashMap(HashMap&&) = default;
  HashMap& operator=(HashMap&&) = default;

  std::size_t size() const { return size_; }

  // False if the hash is there already, and then nothing changes. `value` is not kNone.
  bool Insert(std::uint64_t hash, std::uint8_t value) {
    const std::size_t place = Find(hash);
    if (slots_[place] != 0) return false;
    own_[place] = hash | (value + 1U);
    if (8 * ++size_ > 5 * slots_.size()) Grow();
    return true;
  }

 private:
  void Grow() {
    HashMap larger(slots_.size());  // room for twice as many
    ForEach([&](std::uint64_t hash, std::uint8_t value) { larger.Insert(hash, value); });
    *this = std::move(larger);
  }

  LargeVector<std::uint64_t> own_;
  std::size_t size_ = 0;
};

}  // namespace conpole
