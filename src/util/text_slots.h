// The hash table behind every index of texts: it finds the number of a text among texts that its owner keeps. The owner knows
// the texts and their hashes; this knows only which numbers to compare. Numbers count up from 0. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "util/large_pages.h"

namespace conpole {

class TextSlots {
 public:
  // More texts cannot be numbered; it also stands for no number.
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The number of a text with this hash, or `next` if it is new, which then is its number. `next` must be how many numbers were
  // given so far, and below kNone. is_equal(number) says whether that text is the one looked for; hash_of(number) is its hash.
  template <class IsEqual, class HashOf>
  std::uint32_t FindOrAdd(std::uint64_t hash, std::uint32_t next, const IsEqual& is_equal, const HashOf& hash_of) {
    if (2 * std::size_t{next} >= slots_.size()) Grow(next, hash_of);
    const std::uint64_t tag = hash >> 32;
    for (std::size_t at = FirstSlot(hash);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot slot = slots_[at];
      if (slot == 0) {
        slots_[at] = tag << 32 | (std::uint64_t{next} + 1);
        return next;
      }
      if (slot >> 32 != tag) continue;
      const std::uint32_t number = static_cast<std::uint32_t>(slot) - 1;
      if (is_equal(number)) return number;
    }
  }

  // The number of a text with this hash; kNone if there is none.
  template <class IsEqual>
  std::uint32_t Find(std::uint64_t hash, const IsEqual& is_equal) const {
    if (slots_.empty()) return kNone;
    for (std::size_t at = FirstSlot(hash); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] >> 32 != hash >> 32) continue;
      const std::uint32_t number = static_cast<std::uint32_t>(slots_[at]) - 1;
      if (is_equal(number)) return number;
    }
    return kNone;
  }

  void Prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[FirstSlot(hash)]);
  }

  // Forgets all numbers and keeps the memory.
  void Clear() { std::fill(slots_.begin(), slots_.end(), 0); }
  // Forgets all numbers and makes room for `texts` texts, and for few more: going through much memory for few texts is slow.
  void Reset(std::size_t texts) {
    std::size_t size = kFirstSlots;
    while (size <= 2 * texts) size *= 2;
    slots_.assign(size, 0);
  }

  std::size_t MemoryUsed() const { return slots_.capacity() * sizeof(Slot); }

 private:
  // 0, or the upper half of the hash and the number + 1.
  using Slot = std::uint64_t;
  static constexpr std::size_t kFirstSlots = 64;

  std::size_t FirstSlot(std::uint64_t hash) const { return static_cast<std::size_t>(hash) & (slots_.size() - 1); }

  template <class HashOf>
  void Grow(std::uint32_t numbers, const HashOf& hash_of) {
    slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), 0);
    for (std::uint32_t number = 0; number < numbers; ++number) {
      const std::uint64_t hash = hash_of(number);
      std::size_t at = FirstSlot(hash);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = (hash >> 32) << 32 | (std::uint64_t{number} + 1);
    }
  }

  LargeVector<Slot> slots_;  // a power of two of them, at most half of them taken
};

}  // namespace conpole
