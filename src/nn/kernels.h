// The arithmetic of the encoders, in one version per kind of processor: products of a few rows with a packed matrix, and the
// LSTM cell. The best version that the processor has is chosen at run time; all give the same numbers up to rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "util/large_pages.h"

namespace conpole {

// A matrix of `depth` x `width`, stored in panels of kPanel columns: panel p holds rows 0..depth-1 of columns p * kPanel and
// on. The width is padded with zeros to whole panels.
class PackedMatrix {
 public:
  static constexpr std::size_t kPanel = 32;

  PackedMatrix() = default;
  // From the transposed matrix (width x depth, row-major), as weights are stored.
  PackedMatrix(const float* transposed, std::size_t width, std::size_t depth) { Set(transposed, width, depth, depth, 1); }

  // The value of row k and column c is values[c * column_step + k * row_step]. Keeps its memory.
  void Set(const float* values, std::size_t width, std::size_t depth, std::size_t column_step, std::size_t row_step);

  std::size_t depth() const { return depth_; }
  std::size_t width() const { return width_; }
  std::size_t padded_width() const { return (width_ + kPanel - 1) / kPanel * kPanel; }
  const float* panel(std::size_t p) const { return values_.data() + p * depth_ * kPanel; }

 private:
  std::size_t width_ = 0;
  std::size_t depth_ = 0;
  LargeVector<float> values_;
};

// A matrix whose columns are rounded to bytes, each with a scale of its own: panels of kPanel columns as above, but of every
// column four rows stand together, and the depth is padded with zeros as the width is.
class ByteMatrix {
 public:
  ByteMatrix() = default;
  explicit ByteMatrix(const PackedMatrix& matrix);

  std::size_t padded_depth() const { return padded_depth_; }
  std::size_t padded_width() const { return scales_.size(); }
  const std::int8_t* panel(std::size_t p) const { return values_.data() + p * padded_depth_ * PackedMatrix::kPanel; }
  // What a byte of each column stands for, for all padded columns.
  const float* scales() const { return scales_.data(); }

 private:
  std::size_t padded_depth_ = 0;
  LargeVector<std::int8_t> values_;
  std::vector<float> scales_;
};

// One product: `rows` points to the rows, each of as many values as the matrix is deep.
struct Factor {
  const float* const* rows;
  const PackedMatrix* matrix;
};

struct Kernels {
  std::string_view name;

  // For each row r < count: out[r] = start[r] + sum over the factors f of f.rows[r] * f.matrix. `start` and `out` are arrays of
  // pointers to padded_width() values. There are 1 to kMaxFactors factors, all of the same width.
  static constexpr std::size_t kMaxFactors = 2;
  void (*multiply)(std::size_t count, const float* const* start, const Factor* factors, std::size_t factor_count,
                   float* const* out);

  // Products in bytes; null where the processor has no instruction for them, so that they would be no faster. `to_bytes` rounds
  // `count` numbers that are not negative to bytes, a multiple of the panel's width of them, and returns what one of these
  // stands for. Then out[r] = start + in_scales[r] * in[r] * matrix, for rows of padded_depth() bytes; the result is exact but
  // for the last two operations.
  float (*to_bytes)(std::size_t count, const float* from, std::uint8_t* to) = nullptr;
  void (*multiply_bytes)(std::size_t count, const float* start, const std::uint8_t* in, const float* in_scales,
                         const ByteMatrix& matrix, float* out) = nullptr;

  // One LSTM cell of `hidden` units: gates holds input, forget, cell and output before their functions; updates `cell` and
  // writes the new hidden state.
  void (*lstm_cell)(std::size_t hidden, const float* gates, float* cell, float* out);

  // out = start + the sum of all rows, of `width` values each, a multiple of kSumWidth.
  static constexpr std::size_t kSumWidth = 32;
  void (*sum_rows)(std::size_t width, const float* start, const float* const* rows, std::size_t count, float* out);

  // The version for this processor.
  static const Kernels& Best();
  // All versions that this processor can run, the best one last: for tests.
  static std::vector<const Kernels*> Available();
};

}  // namespace conpole
