// Hashing of short texts for tables in memory. Results are only used to find equal texts, never stored or shown.
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
  std::size_t left = text.size();
  std::uint64_t hash = left;
  if (left < 16) {
    std::uint64_t words[2] = {0, 0};
    if (left != 0) std::memcpy(words, at, left);
    return MixHash(hash ^ words[0], words[1]);
  }
  for (; left > 16; left -= 16, at += 16) hash = MixHash(hash ^ word(at), word(at + 8));
  // The last block may overlap the one before it.
  return MixHash(hash ^ word(at + left - 16), word(at + left - 8));
}

}  // namespace conpole
