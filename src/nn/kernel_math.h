// Functions of one number from which kernels are made, for files that compile their kernels once per kind of processor
// (nn/kernels.cc, train/cpu/training_kernels.cc). Vectorised by the compiler.
#pragma once

#include <algorithm>
#include <cstdint>

#include "util/bit_cast.h"

// Code that is compiled once per kind of processor must be inlined into the functions that name it.
#define CONPOLE_INLINE inline __attribute__((always_inline))

namespace conpole::kernel_math {

// exp(x) by 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2]; relative error below 2e-7.
CONPOLE_INLINE float Exp(float x) {
  x = std::min(std::max(x, -87.0F), 87.0F);
  const float n = __builtin_rintf(x * 1.44269504F);
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  return BitCast<float>(BitCast<std::int32_t>(p) + (static_cast<std::int32_t>(n) << 23));
}
CONPOLE_INLINE float Sigmoid(float x) { return 1.0F / (1.0F + Exp(-x)); }
CONPOLE_INLINE float Tanh(float x) { return 2.0F / (1.0F + Exp(-2.0F * x)) - 1.0F; }

}  // namespace conpole::kernel_math
