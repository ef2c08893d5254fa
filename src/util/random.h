// The random numbers of problem generation: PCG XSL-RR 128/64 with the samplers that the published problems were drawn with.
// Every problem of every seed depends on each bit of this. Not thread-safe; copy or make one per use.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "util/int128.h"

namespace conpole {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(Uint128{kSeedBase + seed} + kIncrement) { Step(); }

  std::uint64_t Next64() {
    Step();
    const auto high = static_cast<std::uint64_t>(state_ >> 64);
    const auto low = static_cast<std::uint64_t>(state_);
    // Not std::rotr: standard libraries differ in the type of its second argument.
    const std::uint64_t mixed = high ^ low;
    const auto turn = static_cast<unsigned>(state_ >> 122);
    return mixed >> turn | mixed << ((64 - turn) % 64);
  }
  std::uint32_t Next32() { return static_cast<std::uint32_t>(Next64()); }

  bool Coin() { return Next64() < (std::uint64_t{1} << 63); }

  // Uniform integers in [low, high), which must not be empty. The four differ in the draws they accept, not in the result's
  // distribution: which one a generator uses is part of its definition.
  std::int32_t Int32(std::int32_t low, std::int32_t high) {
    const auto n = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(low) + Below32(n, (n << std::countl_zero(n)) - 1));
  }
  std::int64_t Int64(std::int64_t low, std::int64_t high) {
    const auto n = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + Below64(n, (n << std::countl_zero(n)) - 1));
  }
  std::int8_t Int8(std::int8_t low, std::int8_t high) {
    const auto n = static_cast<std::uint32_t>(high - low);
    return static_cast<std::int8_t>(low + static_cast<std::int8_t>(Below32(n, UINT32_MAX - (UINT32_MAX - n + 1) % n)));
  }
  std::uint64_t Uint64(std::uint64_t low, std::uint64_t high) {
    const std::uint64_t n = high - low;
    return low + Below64(n, UINT64_MAX - (UINT64_MAX - n + 1) % n);
  }

  template <class T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i-- > 1;) {
      std::swap(items[i], items[static_cast<std::size_t>(Int32(0, static_cast<std::int32_t>(i) + 1))]);
    }
  }

 private:
  static constexpr Uint128 kMultiplier = (Uint128{0x2360ED051FC65DA4} << 64) | 0x4385DF649FCCF645;
  static constexpr Uint128 kIncrement = (Uint128{0x14057B7EF767814F} << 64) | 0x5851F42D4C957F2D;
  static constexpr std::uint64_t kSeedBase = 0xCAFEF00DD15EA5E5;

  void Step() { state_ = state_ * kMultiplier + kIncrement; }

  std::uint32_t Below32(std::uint32_t n, std::uint32_t zone) {
    for (;;) {
      const std::uint64_t product = std::uint64_t{Next32()} * n;
      if (static_cast<std::uint32_t>(product) <= zone) return static_cast<std::uint32_t>(product >> 32);
    }
  }
  std::uint64_t Below64(std::uint64_t n, std::uint64_t zone) {
    for (;;) {
      const Uint128 product = Uint128{Next64()} * n;
      if (static_cast<std::uint64_t>(product) <= zone) return static_cast<std::uint64_t>(product >> 64);
    }
  }

  Uint128 state_;
};

}  // namespace conpole
