#include "train/cpu/training_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "util/random.h"

namespace conpole {
namespace {

std::vector<float> ValuesUpTo(Random& random, std::size_t count, float bound) {
  std::vector<float> values(count);
  for (float& value : values) value = (static_cast<float>(random.Next32() >> 8) * 0x1p-23F - 1.0F) * bound;
  return values;
}

double SigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }

// What the gradients are of: a sum of hidden states and states with given weights.
double WeightedOutputs(const std::vector<double>& gates, double cell_before, double of_out, double of_cell) {
  const double cell = SigmoidOf(gates[1]) * cell_before + SigmoidOf(gates[0]) * std::tanh(gates[2]);
  return of_out * SigmoidOf(gates[3]) * std::tanh(cell) + of_cell * cell;
}

// Against differences of the function itself, in 64 bits.
TEST(TrainingKernelsTest, GradientsAreThoseOfTheCell) {
  Random random(1);
  constexpr double kStep = 1e-5;
  for (const std::size_t hidden : {1U, 5U, 32U, 67U}) {
    const std::vector<float> before_functions = ValuesUpTo(random, 4 * hidden, 4);
    const std::vector<float> cell_before = ValuesUpTo(random, hidden, 2);
    const std::vector<float> of_out = ValuesUpTo(random, hidden, 1);
    const std::vector<float> of_cell = ValuesUpTo(random, hidden, 1);
    for (const TrainingKernels* const kernels : TrainingKernels::Available()) {
      std::vector<float> gates = before_functions;
      std::vector<float> cell(hidden);
      std::vector<float> tanh_cell(hidden);
      std::vector<float> out(hidden);
      kernels->forward(hidden, gates.data(), cell_before.data(), cell.data(), tanh_cell.data(), out.data());
      std::vector<float> cell_gradient = of_cell;
      std::vector<float> gate_gradients(4 * hidden);
      kernels->backward(hidden, gates.data(), cell_before.data(), tanh_cell.data(), of_out.data(), cell_gradient.data(),
                        gate_gradients.data());
      for (std::size_t i = 0; i < hidden; ++i) {
        const auto value = [&](int changed, double by) {
          std::vector<double> of_unit;
          for (std::size_t gate = 0; gate < 4; ++gate) of_unit.push_back(before_functions[gate * hidden + i]);
          double state = cell_before[i];
          (changed < 4 ? of_unit[static_cast<std::size_t>(changed)] : state) += by;
          return WeightedOutputs(of_unit, state, of_out[i], of_cell[i]);
        };
        for (int changed = 0; changed < 5; ++changed) {
          const double expected = (value(changed, kStep) - value(changed, -kStep)) / (2 * kStep);
          const float actual = changed < 4 ? gate_gradients[static_cast<std::size_t>(changed) * hidden + i] : cell_gradient[i];
          EXPECT_NEAR(static_cast<double>(actual), expected, 1e-5) << kernels->name << ", gate " << changed;
        }
        EXPECT_NEAR(static_cast<double>(of_out[i] * out[i] + of_cell[i] * cell[i]), value(0, 0), 1e-5) << kernels->name;
        EXPECT_NEAR(static_cast<double>(tanh_cell[i]), std::tanh(static_cast<double>(cell[i])), 1e-6) << kernels->name;
      }
    }
  }
}

TEST(TrainingKernelsTest, AddsRows) {
  Random random(2);
  for (const std::size_t size : {1U, 16U, 37U}) {
    const std::vector<float> from = ValuesUpTo(random, size, 1);
    const std::vector<float> to = ValuesUpTo(random, size, 1);
    for (const TrainingKernels* const kernels : TrainingKernels::Available()) {
      std::vector<float> sum = to;
      kernels->add(size, -1, from.data(), sum.data());
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(sum[i], to[i] - from[i]) << kernels->name;
    }
  }
}

// Sizes below, at and above those of blocks, panels and what is done at a time.
TEST(TrainingKernelsTest, AddsProductsOfRows) {
  Random random(3);
  for (const auto& [count, left_size, right_size] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{1, 1, 1}, {3, 12, 32}, {128, 25, 33}, {131, 7, 65}}) {
    const std::vector<float> left = ValuesUpTo(random, count * left_size, 1);
    const std::vector<float> right = ValuesUpTo(random, count * right_size, 1);
    const std::vector<float> start = ValuesUpTo(random, left_size * right_size, 1);
    std::vector<const float*> left_rows;
    std::vector<const float*> right_rows;
    for (std::size_t i = 0; i < count; ++i) {
      left_rows.push_back(left.data() + i * left_size);
      right_rows.push_back(right.data() + i * right_size);
    }
    for (const TrainingKernels* const kernels : TrainingKernels::Available()) {
      std::vector<float> sums = start;
      kernels->add_products(count, left_rows.data(), left_size, right_rows.data(), right_size, sums.data(), right_size);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        double expected = start[i];
        for (std::size_t k = 0; k < count; ++k) {
          expected += static_cast<double>(left_rows[k][i / right_size]) * static_cast<double>(right_rows[k][i % right_size]);
        }
        EXPECT_NEAR(static_cast<double>(sums[i]), expected, 1e-4) << kernels->name << ", " << i;
      }
    }
  }
}

TEST(TrainingKernelsTest, TakesAStepOfAdamw) {
  constexpr std::size_t kSize = 19;
  Random random(4);
  const std::vector<float> gradients = ValuesUpTo(random, kSize, 1);
  const std::vector<float> weights = ValuesUpTo(random, kSize, 1);
  const std::vector<float> mean = ValuesUpTo(random, kSize, 1);
  std::vector<float> square = ValuesUpTo(random, kSize, 1);
  for (float& value : square) value = std::abs(value);
  for (const TrainingKernels* const kernels : TrainingKernels::Available()) {
    std::vector<float> new_weights = weights;
    std::vector<float> new_mean = mean;
    std::vector<float> new_square = square;
    kernels->adamw(kSize, {.gradient_factor = 0.5F, .weight_factor = 0.75F, .rate = 0.25F, .square_factor = 2},
                   gradients.data(), new_weights.data(), new_mean.data(), new_square.data());
    for (std::size_t i = 0; i < kSize; ++i) {
      const double gradient = 0.5 * static_cast<double>(gradients[i]);
      const double expected_mean = 0.9 * static_cast<double>(mean[i]) + 0.1 * gradient;
      const double expected_square = 0.999 * static_cast<double>(square[i]) + 0.001 * gradient * gradient;
      const double expected =
          0.75 * static_cast<double>(weights[i]) - 0.25 * expected_mean / (2 * std::sqrt(expected_square) + 1e-8);
      EXPECT_NEAR(static_cast<double>(new_mean[i]), expected_mean, 1e-6) << kernels->name;
      EXPECT_NEAR(static_cast<double>(new_square[i]), expected_square, 1e-6) << kernels->name;
      EXPECT_NEAR(static_cast<double>(new_weights[i]), expected, 1e-5 * std::max(1.0, std::abs(expected))) << kernels->name;
    }
  }
}

}  // namespace
}  // namespace conpole
