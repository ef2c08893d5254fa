// Half precision (IEEE binary16) and bfloat16 to and from float, by bits: the compilers and machines we build for do not all
// have a half type. Rounding is to nearest, ties to even. Results do not depend on whether the processor flushes subnormal
// floats.
#pragma once

#include <cstdint>

#include "util/bit_cast.h"

namespace conpole {

// The greatest finite half.
inline constexpr float kMaxHalf = 65504.0F;

// Exact; a NaN stays one.
constexpr float HalfToFloat(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t exponent = half & 0x7C00U;
  const std::uint32_t magnitude = half & 0x7FFFU;
  std::uint32_t bits = 0;
  if (exponent == 0) {
    bits = BitCast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24F);
  } else if (exponent == 0x7C00U) {
    bits = 0x7F800000U | (magnitude << 13);
  } else {
    bits = (magnitude << 13) + ((127U - 15U) << 23);
  }
  return BitCast<float>(sign | bits);
}

// What is nearer to 65536 than to kMaxHalf becomes infinite; a NaN becomes the quiet NaN with its sign.
constexpr std::uint16_t FloatToHalf(float value) {
  const auto bits = BitCast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  std::uint32_t half = 0;
  if (magnitude > 0x7F800000U) {
    half = 0x7E00U;
  } else if (magnitude >= 0x47800000U) {  // 65536
    half = 0x7C00U;
  } else if (magnitude < 0x38800000U) {  // 2^-14: subnormal. A half of 2^-24 is the last bit of a float near 0.5.
    half = BitCast<std::uint32_t>(BitCast<float>(magnitude) + 0.5F) - BitCast<std::uint32_t>(0.5F);
  } else {
    const std::uint32_t odd = (magnitude >> 13) & 1U;
    half = (magnitude - ((127U - 15U) << 23) + 0x0FFFU + odd) >> 13;  // a carry out of the mantissa goes to the exponent
  }
  return static_cast<std::uint16_t>(sign | half);
}

// Exact.
constexpr float Bfloat16ToFloat(std::uint16_t value) { return BitCast<float>(std::uint32_t{value} << 16); }

}  // namespace conpole
