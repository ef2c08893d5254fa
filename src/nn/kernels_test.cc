#include "nn/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "util/random.h"

namespace conpole {
namespace {

std::vector<float> RandomValues(Random& random, std::size_t count, float scale) {
  std::vector<float> values(count);
  for (float& value : values) value = (static_cast<float>(random.Next32() >> 8) * 0x1p-23F - 1.0F) * scale;
  return values;
}

std::vector<const float*> RowsOf(const std::vector<float>& values, std::size_t width) {
  std::vector<const float*> rows;
  for (std::size_t at = 0; at < values.size(); at += width) rows.push_back(values.data() + at);
  return rows;
}

// Every number of rows up to more than two blocks of any version, so that each size of a rest comes.
TEST(KernelsTest, ProductsAreThoseOfPlainLoops) {
  Random random(1);
  constexpr std::size_t kDepths[] = {7, 20};
  constexpr std::size_t kWidth = 70;
  std::vector<float> weights[2];
  PackedMatrix matrices[2];
  for (std::size_t f = 0; f < 2; ++f) {
    weights[f] = RandomValues(random, kWidth * kDepths[f], 1);
    matrices[f] = PackedMatrix(weights[f].data(), kWidth, kDepths[f]);
  }
  const std::size_t padded = matrices[0].padded_width();
  for (std::size_t count = 1; count <= 26; ++count) {
    const std::vector<float> start = RandomValues(random, count * padded, 1);
    const std::vector<float> left[] = {RandomValues(random, count * kDepths[0], 1),
                                       RandomValues(random, count * kDepths[1], 1)};
    for (std::size_t factor_count = 1; factor_count <= 2; ++factor_count) {
      const std::vector<const float*> rows[] = {RowsOf(left[0], kDepths[0]), RowsOf(left[1], kDepths[1])};
      const Factor factors[] = {{rows[0].data(), &matrices[0]}, {rows[1].data(), &matrices[1]}};
      for (const Kernels* const kernels : Kernels::Available()) {
        std::vector<float> out(count * padded, NAN);
        std::vector<float*> out_rows;
        for (std::size_t r = 0; r < count; ++r) out_rows.push_back(out.data() + r * padded);
        kernels->multiply(count, RowsOf(start, padded).data(), factors, factor_count, out_rows.data());
        for (std::size_t r = 0; r < count; ++r) {
          for (std::size_t column = 0; column < kWidth; ++column) {
            double sum = static_cast<double>(start[r * padded + column]);
            for (std::size_t f = 0; f < factor_count; ++f) {
              for (std::size_t k = 0; k < kDepths[f]; ++k) {
                sum += static_cast<double>(rows[f][r][k]) * static_cast<double>(weights[f][column * kDepths[f] + k]);
              }
            }
            ASSERT_NEAR(static_cast<double>(out_rows[r][column]), sum, 1e-5)
                << kernels->name << ", row " << r << " of " << count;
          }
        }
      }
    }
  }
}

// Sums of bytes are exact, so that what is left is the rounding of both sides: at most half a step of each value.
TEST(KernelsTest, ProductsOfBytesAreThoseOfRoundedNumbers) {
  Random random(4);
  constexpr std::size_t kDepth = 40;
  constexpr std::size_t kWidth = 70;
  const std::vector<float> weights = RandomValues(random, kWidth * kDepth, 1);
  const ByteMatrix matrix(PackedMatrix(weights.data(), kWidth, kDepth));
  const std::size_t depth = matrix.padded_depth();
  const std::vector<float> start = RandomValues(random, matrix.padded_width(), 1);
  for (const Kernels* const kernels : Kernels::Available()) {
    if (kernels->multiply_bytes == nullptr) continue;
    for (std::size_t count = 1; count <= 30; ++count) {
      std::vector<float> in(count * depth, 0.0F);
      std::vector<std::uint8_t> bytes(in.size());
      std::vector<float> scales(count);
      for (std::size_t r = 0; r < count; ++r) {
        // One row is zero all over.
        for (std::size_t k = 0; k < kDepth && r != 1; ++k) in[r * depth + k] = std::abs(RandomValues(random, 1, 3)[0]);
        scales[r] = kernels->to_bytes(depth, in.data() + r * depth, bytes.data() + r * depth);
      }
      std::vector<float> out(count * matrix.padded_width(), NAN);
      kernels->multiply_bytes(count, start.data(), bytes.data(), scales.data(), matrix, out.data());
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t column = 0; column < kWidth; ++column) {
          double sum = double{start[column]};
          double slack = 1e-5;
          for (std::size_t k = 0; k < kDepth; ++k) {
            const double weight = double{weights[column * kDepth + k]};
            sum += double{in[r * depth + k]} * weight;
            slack +=
                0.51 * (double{scales[r]} * std::abs(weight) + double{in[r * depth + k]} * double{matrix.scales()[column]}) +
                0.26 * double{scales[r]} * double{matrix.scales()[column]};
          }
          ASSERT_NEAR(double{out[r * matrix.padded_width() + column]}, sum, slack) << kernels->name << ", row " << r;
        }
      }
    }
  }
}

TEST(KernelsTest, CellsAreThoseOfTheFormula) {
  Random random(2);
  const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-static_cast<double>(x))); };
  for (const std::size_t hidden : {1U, 5U, 32U, 67U}) {
    const std::vector<float> gates = RandomValues(random, 4 * hidden, 12);
    const std::vector<float> before = RandomValues(random, hidden, 3);
    for (const Kernels* const kernels : Kernels::Available()) {
      std::vector<float> cell = before;
      std::vector<float> out(hidden);
      kernels->lstm_cell(hidden, gates.data(), cell.data(), out.data());
      for (std::size_t i = 0; i < hidden; ++i) {
        const double expected = sigmoid(gates[hidden + i]) * static_cast<double>(before[i]) +
                                sigmoid(gates[i]) * std::tanh(static_cast<double>(gates[2 * hidden + i]));
        EXPECT_NEAR(static_cast<double>(cell[i]), expected, 1e-5) << kernels->name;
        EXPECT_NEAR(static_cast<double>(out[i]), sigmoid(gates[3 * hidden + i]) * std::tanh(expected), 1e-5) << kernels->name;
      }
    }
  }
}

TEST(KernelsTest, SumsOfRowsAreExactlyTheSame) {
  Random random(3);
  constexpr std::size_t kWidth = 3 * Kernels::kSumWidth;
  const std::vector<float> start = RandomValues(random, kWidth, 1);
  const std::vector<float> values = RandomValues(random, 9 * kWidth, 1);
  for (std::size_t count = 0; count <= 9; ++count) {
    std::vector<float> expected = start;
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t i = 0; i < kWidth; ++i) expected[i] += values[r * kWidth + i];
    }
    for (const Kernels* const kernels : Kernels::Available()) {
      std::vector<float> out(kWidth, NAN);
      kernels->sum_rows(kWidth, start.data(), RowsOf(values, kWidth).data(), count, out.data());
      EXPECT_EQ(out, expected) << kernels->name;
    }
  }
}

}  // namespace
}  // namespace conpole
