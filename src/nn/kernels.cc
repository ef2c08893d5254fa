#include "nn/kernels.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "nn/kernel_math.h"

namespace conpole {

void PackedMatrix::Set(const float* values, std::size_t width, std::size_t depth, std::size_t column_step,
                       std::size_t row_step) {
  width_ = width;
  depth_ = depth;
  values_.resize(padded_width() * depth);
  for (std::size_t begin = 0; begin < width; begin += kPanel) {
    float* to = values_.data() + begin * depth;
    const std::size_t columns = std::min(kPanel, width - begin);
    for (std::size_t k = 0; k < depth; ++k, to += kPanel) {
      const float* const from = values + begin * column_step + k * row_step;
      for (std::size_t column = 0; column < columns; ++column) to[column] = from[column * column_step];
      std::fill(to + columns, to + kPanel, 0.0F);
    }
  }
}

ByteMatrix::ByteMatrix(const PackedMatrix& matrix)
    : padded_depth_((matrix.depth() + PackedMatrix::kPanel - 1) / PackedMatrix::kPanel * PackedMatrix::kPanel),
      values_(matrix.padded_width() * padded_depth_),
      scales_(matrix.padded_width()) {
  constexpr std::size_t kPanel = PackedMatrix::kPanel;
  constexpr float kMost = 127.0F;
  for (std::size_t column = 0; column < scales_.size(); ++column) {
    const float* const from = matrix.panel(column / kPanel) + column % kPanel;
    float largest = 0;
    for (std::size_t k = 0; k < matrix.depth(); ++k) largest = std::max(largest, std::abs(from[k * kPanel]));
    if (largest == 0) continue;
    scales_[column] = largest / kMost;
    std::int8_t* const to = values_.data() + column / kPanel * kPanel * padded_depth_ + 4 * (column % kPanel);
    for (std::size_t k = 0; k < matrix.depth(); ++k) {
      to[k / 4 * 4 * kPanel + k % 4] = static_cast<std::int8_t>(std::nearbyint(from[k * kPanel] * kMost / largest));
    }
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

#ifdef __x86_64__
#define CONPOLE_BYTES __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx512vnni,fma")))

CONPOLE_BYTES float ToBytes(std::size_t count, const float* from, std::uint8_t* to) {
  constexpr std::size_t kLanes = 16;
  constexpr float kMost = 255.0F;
  using V = VectorOf<kLanes>::Type;
  V most{};
  for (std::size_t i = 0; i < count; i += kLanes) {
    V values;
    Load(values, from + i);
    most = values > most ? values : most;
  }
  float largest = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) largest = std::max(largest, most[lane]);
  const float factor = largest > 0 ? kMost / largest : 0.0F;
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<std::uint8_t>(static_cast<int>(__builtin_rintf(from[i] * factor)));
  return largest / kMost;
}

// Four bytes in each lane.
CONPOLE_BYTES inline __m512i FourBytes(const std::uint8_t* from) {
  std::int32_t four = 0;
  std::memcpy(&four, from, sizeof four);
  return _mm512_set1_epi32(four);
}

// Adds in each lane the products of four bytes. GCC 12 copies the sums of the intrinsic of this instruction around, and then
// has too few registers: with it, products take more than twice as long.
CONPOLE_BYTES CONPOLE_INLINE void AddProducts(__m512i& sums, __m512i values, __m512i weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(values), "v"(weights));
}

// Rows 0, 1, 2... times a panel.
template <std::size_t... kRow>
CONPOLE_BYTES void MultiplyByteBlock(std::index_sequence<kRow...>, std::size_t column, const float* start,
                                     const std::uint8_t* in, const float* in_scales, const ByteMatrix& matrix, float* out) {
  constexpr std::size_t kLanes = 16;
  using V = VectorOf<kLanes>::Type;
  using Integers __attribute__((vector_size(kLanes * sizeof(std::int32_t)))) = std::int32_t;
  const std::size_t depth = matrix.padded_depth();
  const std::int8_t* weights = matrix.panel(column / PackedMatrix::kPanel);
  __m512i left[] = {((void)kRow, _mm512_setzero_si512())...};  // sums, of the first half of the panel's columns
  __m512i right[] = {((void)kRow, _mm512_setzero_si512())...};
  for (std::size_t k = 0; k < depth; k += 4, weights += 4 * PackedMatrix::kPanel) {
    const __m512i left_weights = _mm512_loadu_si512(weights);
    const __m512i right_weights = _mm512_loadu_si512(weights + 4 * kLanes);
    __m512i values;
    ((values = FourBytes(in + kRow * depth + k), AddProducts(left[kRow], values, left_weights),
      AddProducts(right[kRow], values, right_weights)),
     ...);
  }
  const auto write = [&](std::size_t row, __m512i sums, std::size_t at) CONPOLE_BYTES {
    V scales;
    V product;
    Load(scales, matrix.scales() + at);
    Load(product, start + at);
    product += __builtin_convertvector(reinterpret_cast<Integers>(sums), V) * (scales * in_scales[row]);
    std::memcpy(out + row * matrix.padded_width() + at, &product, sizeof product);
  };
  ((write(kRow, left[kRow], column), write(kRow, right[kRow], column + kLanes)), ...);
}

CONPOLE_BYTES void MultiplyBytes(std::size_t count, const float* start, const std::uint8_t* in, const float* in_scales,
                                 const ByteMatrix& matrix, float* out) {
  for (std::size_t column = 0; column < matrix.padded_width(); column += PackedMatrix::kPanel) {
    std::size_t row = 0;
    const auto block = [&](auto rows) CONPOLE_BYTES {
      for (; count - row >= rows.size(); row += rows.size()) {
        MultiplyByteBlock(rows, column, start, in + row * matrix.padded_depth(), in_scales + row, matrix,
                          out + row * matrix.padded_width());
      }
    };
    block(std::make_index_sequence<12>());
    block(std::make_index_sequence<4>());
    block(std::make_index_sequence<1>());
  }
}
#endif

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

constexpr Kernels kPortable{
    .name = "portable", .multiply = MultiplyPortable, .lstm_cell = CellPortable, .sum_rows = SumPortable};
#ifdef __x86_64__
constexpr Kernels kAvx2{.name = "avx2", .multiply = MultiplyAvx2, .lstm_cell = CellAvx2, .sum_rows = SumAvx2};
constexpr Kernels kAvx512{.name = "avx512", .multiply = MultiplyAvx512, .lstm_cell = CellAvx512, .sum_rows = SumAvx512};
constexpr Kernels kAvx512Bytes{.name = "avx512vnni",
                               .multiply = MultiplyAvx512,
                               .to_bytes = ToBytes,
                               .multiply_bytes = MultiplyBytes,
                               .lstm_cell = CellAvx512,
                               .sum_rows = SumAvx512};
#elif defined(__wasm__)
constexpr Kernels kSimd128{.name = "simd128", .multiply = MultiplySimd128, .lstm_cell = CellSimd128, .sum_rows = SumSimd128};
#endif

}  // namespace

std::vector<const Kernels*> Kernels::Available() {
  std::vector<const Kernels*> available{&kPortable};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) available.push_back(&kAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    available.push_back(&kAvx512);
    if (__builtin_cpu_supports("avx512vnni")) available.push_back(&kAvx512Bytes);
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
