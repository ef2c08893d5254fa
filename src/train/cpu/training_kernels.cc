#include "train/cpu/training_kernels.h"

#include <algorithm>
#include <cstring>

#include "nn/kernel_math.h"

namespace conpole {
namespace {

CONPOLE_INLINE void CellForward(std::size_t hidden, float* __restrict gates, const float* __restrict cell_before,
                                float* __restrict cell, float* __restrict tanh_cell, float* __restrict out) {
  for (std::size_t i = 0; i < hidden; ++i) {
    const float input = kernel_math::Sigmoid(gates[i]);
    const float forget = kernel_math::Sigmoid(gates[hidden + i]);
    const float candidate = kernel_math::Tanh(gates[2 * hidden + i]);
    const float output = kernel_math::Sigmoid(gates[3 * hidden + i]);
    const float state = forget * cell_before[i] + input * candidate;
    const float tanh_state = kernel_math::Tanh(state);
    gates[i] = input;
    gates[hidden + i] = forget;
    gates[2 * hidden + i] = candidate;
    gates[3 * hidden + i] = output;
    cell[i] = state;
    tanh_cell[i] = tanh_state;
    out[i] = output * tanh_state;
  }
}

CONPOLE_INLINE void CellBackward(std::size_t hidden, const float* __restrict gates, const float* __restrict cell_before,
                                 const float* __restrict tanh_cell, const float* __restrict out_gradient,
                                 float* __restrict cell_gradient, float* __restrict gate_gradients) {
  for (std::size_t i = 0; i < hidden; ++i) {
    const float input = gates[i];
    const float forget = gates[hidden + i];
    const float candidate = gates[2 * hidden + i];
    const float output = gates[3 * hidden + i];
    const float of_state = cell_gradient[i] + out_gradient[i] * output * (1.0F - tanh_cell[i] * tanh_cell[i]);
    gate_gradients[i] = of_state * candidate * input * (1.0F - input);
    gate_gradients[hidden + i] = of_state * cell_before[i] * forget * (1.0F - forget);
    gate_gradients[2 * hidden + i] = of_state * input * (1.0F - candidate * candidate);
    gate_gradients[3 * hidden + i] = out_gradient[i] * tanh_cell[i] * output * (1.0F - output);
    cell_gradient[i] = of_state * forget;
  }
}

CONPOLE_INLINE void AddRow(std::size_t size, float factor, const float* __restrict from, float* __restrict to) {
  for (std::size_t i = 0; i < size; ++i) to[i] += factor * from[i];
}

// Rows of which a panel of columns stays in the nearest cache.
constexpr std::size_t kRowsAtATime = 128;
constexpr std::size_t kPanel = 32;

// kRows rows times kColumns columns of the sums, kept in registers. `panel` has the right rows' columns.
template <std::size_t kLanes, std::size_t kColumns, std::size_t kRows>
CONPOLE_INLINE void AddBlock(std::size_t count, const float* const* left, std::size_t at, const float* panel, std::size_t width,
                             float* sums, std::size_t stride) {
  using V __attribute__((vector_size(kLanes * sizeof(float)))) = float;
  constexpr std::size_t kVectors = kColumns / kLanes;
  V block[kRows][kVectors] = {};
  for (std::size_t i = 0; i < count; ++i, panel += kPanel) {
    V right[kVectors];
    std::memcpy(right, panel, sizeof right);
    const float* const values = left[i] + at;
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) block[r][v] += values[r] * right[v];
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    float row[kColumns];
    std::memcpy(row, block[r], sizeof row);
    for (std::size_t column = 0; column < width; ++column) sums[r * stride + column] += row[column];
  }
}

template <std::size_t kLanes, std::size_t kColumns, std::size_t kRows>
CONPOLE_INLINE void AddRest(std::size_t rest, std::size_t count, const float* const* left, std::size_t at, const float* panel,
                            std::size_t width, float* sums, std::size_t stride) {
  if constexpr (kRows > 0) {
    if (rest == kRows) {
      AddBlock<kLanes, kColumns, kRows>(count, left, at, panel, width, sums, stride);
    } else {
      AddRest<kLanes, kColumns, kRows - 1>(rest, count, left, at, panel, width, sums, stride);
    }
  }
}

template <std::size_t kLanes, std::size_t kColumns, std::size_t kRows>
CONPOLE_INLINE void AddProducts(std::size_t count, const float* const* left, std::size_t left_size, const float* const* right,
                                std::size_t right_size, float* sums, std::size_t stride) {
  alignas(64) float panel[kRowsAtATime * kPanel];
  for (std::size_t first = 0; first < count; first += kRowsAtATime) {
    const std::size_t rows = std::min(kRowsAtATime, count - first);
    for (std::size_t begin = 0; begin < right_size; begin += kPanel) {
      const std::size_t columns = std::min(kPanel, right_size - begin);
      for (std::size_t i = 0; i < rows; ++i) {
        std::fill(std::copy_n(right[first + i] + begin, columns, panel + i * kPanel), panel + (i + 1) * kPanel, 0.0F);
      }
      for (std::size_t column = 0; column < columns; column += kColumns) {
        const std::size_t width = std::min(kColumns, columns - column);
        for (std::size_t at = 0; at < left_size; at += kRows) {
          float* const to = sums + at * stride + begin + column;
          if (left_size - at >= kRows) {
            AddBlock<kLanes, kColumns, kRows>(rows, left + first, at, panel + column, width, to, stride);
          } else {
            AddRest<kLanes, kColumns, kRows - 1>(left_size - at, rows, left + first, at, panel + column, width, to, stride);
          }
        }
      }
    }
  }
}

CONPOLE_INLINE void StepOfAdamw(std::size_t size, const TrainingKernels::Adamw& step, const float* __restrict gradients,
                                float* __restrict weights, float* __restrict mean, float* __restrict square) {
  constexpr auto kOld = static_cast<float>(TrainingKernels::kBeta1);
  constexpr auto kNew = static_cast<float>(1 - TrainingKernels::kBeta1);
  constexpr auto kOldSquare = static_cast<float>(TrainingKernels::kBeta2);
  constexpr auto kNewSquare = static_cast<float>(1 - TrainingKernels::kBeta2);
  constexpr auto kEpsilon = static_cast<float>(TrainingKernels::kEpsilon);
  for (std::size_t i = 0; i < size; ++i) {
    const float gradient = gradients[i] * step.gradient_factor;
    mean[i] = mean[i] * kOld + gradient * kNew;
    square[i] = square[i] * kOldSquare + gradient * gradient * kNewSquare;
    const float scale = __builtin_sqrtf(square[i]) * step.square_factor + kEpsilon;
    weights[i] = weights[i] * step.weight_factor - step.rate * mean[i] / scale;
  }
}

// NOLINTBEGIN(bugprone-macro-parentheses): attributes do not stand in parentheses
#define CONPOLE_TRAINING_VERSION(suffix, attributes, lanes, columns, rows)                                                  \
  attributes void CellForward##suffix(std::size_t hidden, float* gates, const float* cell_before, float* cell,              \
                                      float* tanh_cell, float* out) {                                                       \
    CellForward(hidden, gates, cell_before, cell, tanh_cell, out);                                                          \
  }                                                                                                                         \
  attributes void CellBackward##suffix(std::size_t hidden, const float* gates, const float* cell_before,                    \
                                       const float* tanh_cell, const float* out_gradient, float* cell_gradient,             \
                                       float* gate_gradients) {                                                             \
    CellBackward(hidden, gates, cell_before, tanh_cell, out_gradient, cell_gradient, gate_gradients);                       \
  }                                                                                                                         \
  attributes void AddRow##suffix(std::size_t size, float factor, const float* from, float* to) {                            \
    AddRow(size, factor, from, to);                                                                                         \
  }                                                                                                                         \
  attributes void AddProducts##suffix(std::size_t count, const float* const* left, std::size_t left_size,                   \
                                      const float* const* right, std::size_t right_size, float* sums, std::size_t stride) { \
    AddProducts<lanes, columns, rows>(count, left, left_size, right, right_size, sums, stride);                             \
  }                                                                                                                         \
  attributes void StepOfAdamw##suffix(std::size_t size, const TrainingKernels::Adamw& step, const float* gradients,         \
                                      float* weights, float* mean, float* square) {                                         \
    StepOfAdamw(size, step, gradients, weights, mean, square);                                                              \
  }                                                                                                                         \
  constexpr TrainingKernels k##suffix{#suffix,        CellForward##suffix, CellBackward##suffix,                            \
                                      AddRow##suffix, AddProducts##suffix, StepOfAdamw##suffix};

// NOLINTEND(bugprone-macro-parentheses)

CONPOLE_TRAINING_VERSION(Portable, , 4, 32, 1)
#ifdef __x86_64__
CONPOLE_TRAINING_VERSION(Avx2, __attribute__((target("avx2,fma"))), 8, 16, 4)
CONPOLE_TRAINING_VERSION(Avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma"))), 16, 32, 12)
#elif defined(__wasm__)
CONPOLE_TRAINING_VERSION(Simd128, __attribute__((target("simd128"))), 4, 16, 2)
#endif

}  // namespace

std::vector<const TrainingKernels*> TrainingKernels::Available() {
  std::vector<const TrainingKernels*> available{&kPortable};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) available.push_back(&kAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    available.push_back(&kAvx512);
  }
#elif defined(__wasm__)
  available.push_back(&kSimd128);  // a module that has these instructions runs nowhere without them
#endif
  return available;
}

const TrainingKernels& TrainingKernels::Best() {
  static const TrainingKernels& best = *Available().back();
  return best;
}

}  // namespace conpole
