#include "nn/kernels.h"

#include <algorithm>
#include <cstring>

#include "nn/kernel_math.h"

namespace conpole {

PackedMatrix::PackedMatrix(const float* transposed, std::size_t width, std::size_t depth)
    : width_(width), depth_(depth), values_(padded_width() * depth, 0.0F) {
  for (std::size_t column = 0; column < width; ++column) {
    float* const to = values_.data() + column / kPanel * depth * kPanel + column % kPanel;
    for (std::size_t k = 0; k < depth; ++k) to[k * kPanel] = transposed[column * depth + k];
  }
}

namespace {

using kernel_math::Sigmoid;
using kernel_math::Tanh;

template <std::size_t kLanes>
struct VectorOf {
  using Type __attribute__((vector_size(kLanes * sizeof(float)))) = float;
};

template <class V>
CONPOLE_INLINE void Load(V& to, const float* from) {
  std::memcpy(&to, from, sizeof to);
}

// kRows rows times kColumns columns of one panel, kept in registers: kColumns / kLanes vectors per row.
template <std::size_t kLanes, std::size_t kColumns, std::size_t kRows>
CONPOLE_INLINE void MultiplyBlock(std::size_t column, const float* const* start, const Factor* factors,
                                  std::size_t factor_count, float* const* out) {
  using V = typename VectorOf<kLanes>::Type;
  constexpr std::size_t kVectors = kColumns / kLanes;
  V sums[kRows][kVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) Load(sums[r][v], start[r] + column + v * kLanes);
  }
  for (std::size_t f = 0; f < factor_count; ++f) {
    const float* const* const rows = factors[f].rows;
    const float* weights = factors[f].matrix->panel(column / PackedMatrix::kPanel) + column % PackedMatrix::kPanel;
    const std::size_t depth = factors[f].matrix->depth();
    for (std::size_t k = 0; k < depth; ++k, weights += PackedMatrix::kPanel) {
      V row_of_panel[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) Load(row_of_panel[v], weights + v * kLanes);
      for (std::size_t r = 0; r < kRows; ++r) {
        const float value = rows[r][k];
        for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] += value * row_of_panel[v];
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) std::memcpy(out[r] + column, sums[r], sizeof sums[r]);
}

// The last rows, fewer than a block has: at most kRows.
template <std::size_t kLanes, std::size_t kColumns, std::size_t kRows>
CONPOLE_INLINE void MultiplyRest(std::size_t count, std::size_t column, const float* const* start, const Factor* factors,
                                 std::size_t factor_count, float* const* out) {
  if constexpr (kRows > 0) {
    if (count == kRows) {
      MultiplyBlock<kLanes, kColumns, kRows>(column, start, factors, factor_count, out);
    } else {
      MultiplyRest<kLanes, kColumns, kRows - 1>(count, column, start, factors, factor_count, out);
    }
  }
}

// Splits the rows into blocks of kRows and one rest.
template <std::size_t kLanes, std::size_t kColumns, std::size_t kRows>
CONPOLE_INLINE void Multiply(std::size_t count, const float* const* start, const Factor* factors, std::size_t factor_count,
                             float* const* out) {
  static_assert(PackedMatrix::kPanel % kColumns == 0);
  const std::size_t width = factors[0].matrix->padded_width();
  for (std::size_t column = 0; column < width; column += kColumns) {
    std::size_t row = 0;
    for (; row < count; row += kRows) {
      Factor from_row[Kernels::kMaxFactors];
      for (std::size_t f = 0; f < factor_count; ++f) from_row[f] = {factors[f].rows + row, factors[f].matrix};
      if (count - row >= kRows) {
        MultiplyBlock<kLanes, kColumns, kRows>(column, start + row, from_row, factor_count, out + row);
      } else {
        MultiplyRest<kLanes, kColumns, kRows - 1>(count - row, column, start + row, from_row, factor_count, out + row);
      }
    }
  }
}

CONPOLE_INLINE void Cell(std::size_t hidden, const float* __restrict gates, float* __restrict cell, float* __restrict out) {
  for (std::size_t i = 0; i < hidden; ++i) {
    const float input = Sigmoid(gates[i]);
    const float forget = Sigmoid(gates[hidden + i]);
    const float candidate = Tanh(gates[2 * hidden + i]);
    const float output = Sigmoid(gates[3 * hidden + i]);
    cell[i] = forget * cell[i] + input * candidate;
    out[i] = output * Tanh(cell[i]);
  }
}

template <std::size_t kLanes>
CONPOLE_INLINE void Sum(std::size_t width, const float* start, const float* const* rows, std::size_t count, float* out) {
  using V = typename VectorOf<kLanes>::Type;
  constexpr std::size_t kVectors = Kernels::kSumWidth / kLanes;
  for (std::size_t column = 0; column < width; column += Kernels::kSumWidth) {
    V sums[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) Load(sums[v], start + column + v * kLanes);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        V row;
        Load(row, rows[r] + column + v * kLanes);
        sums[v] += row;
      }
    }
    std::memcpy(out + column, sums, sizeof sums);
  }
}

// NOLINTBEGIN(bugprone-macro-parentheses): attributes do not stand in parentheses
// One version: how many floats a register holds, and how many columns and rows of a product fit into the registers.
#define CONPOLE_VERSION(suffix, attributes, lanes, columns, rows)                                                     \
  attributes void Multiply##suffix(std::size_t count, const float* const* start, const Factor* factors,               \
                                   std::size_t factor_count, float* const* out) {                                     \
    Multiply<lanes, columns, rows>(count, start, factors, factor_count, out);                                         \
  }                                                                                                                   \
  attributes void Cell##suffix(std::size_t hidden, const float* gates, float* cell, float* out) {                     \
    Cell(hidden, gates, cell, out);                                                                                   \
  }                                                                                                                   \
  attributes void Sum##suffix(std::size_t width, const float* start, const float* const* summands, std::size_t count, \
                              float* out) {                                                                           \
    Sum<lanes>(width, start, summands, count, out);                                                                   \
  }

// NOLINTEND(bugprone-macro-parentheses)

CONPOLE_VERSION(Portable, , 4, 32, 1)
#ifdef __x86_64__
CONPOLE_VERSION(Avx2, __attribute__((target("avx2,fma"))), 8, 16, 4)
CONPOLE_VERSION(Avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma"))), 16, 32, 12)
#elif defined(__wasm__)
CONPOLE_VERSION(Simd128, __attribute__((target("simd128"))), 4, 16, 2)
#endif

constexpr Kernels kPortable{"portable", MultiplyPortable, CellPortable, SumPortable};
#ifdef __x86_64__
constexpr Kernels kAvx2{"avx2", MultiplyAvx2, CellAvx2, SumAvx2};
constexpr Kernels kAvx512{"avx512", MultiplyAvx512, CellAvx512, SumAvx512};
#elif defined(__wasm__)
constexpr Kernels kSimd128{"simd128", MultiplySimd128, CellSimd128, SumSimd128};
#endif

}  // namespace

std::vector<const Kernels*> Kernels::Available() {
  std::vector<const Kernels*> available{&kPortable};
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

const Kernels& Kernels::Best() {
  static const Kernels& best = *Available().back();
  return best;
}

}  // namespace conpole
