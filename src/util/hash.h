// Hashing of short texts for tables in memory, and seeds made of other seeds and counters. No hash is stored in a file, but the
// random scorer and the random numbers of training are functions of them: another hash would make them draw otherwise. Any
// thread may call this.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "util/int128.h"

namespace conpole {

// Mixes two words by a widening multiplication.
inline std::uint64_t MixHash(std::uint64_t a, std::uint64_t b) {
  const Uint128 product = Uint128{a ^ 0x9E3779B97F4A7C15} * (b ^ 0xD1B54A32D192ED03);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t HashText(std::string_view text) {
  const auto word = [](const char* at) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  const char* at = text.data();
  const std::size_t size = text.size();
  if (size < 16) {
    std::uint64_t words[2] = {0, 0};
    if (size != 0) std::memcpy(words, at, size);
    return MixHash(MixHash(size, words[0]), words[1]);
  }
  // The last block may overlap the one before it.
  const char* const last = at + size - 16;
  // Mixed, so that texts of different lengths differ in more than the first character's bits.
  std::uint64_t hash = MixHash(size, 0);
  for (; at < last; at += 16) hash = MixHash(hash ^ word(at), word(at + 8));
  return MixHash(hash ^ word(last), word(last + 8));
}

}  // namespace conpole
