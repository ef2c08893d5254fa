#include "torch/lstm_training_kernels.h"

#include <cmath>
#include <cstddef>
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
TEST(LstmTrainingKernelsTest, GradientsAreThoseOfTheCell) {
  Random random(1);
  constexpr double kStep = 1e-5;
  for (const std::size_t hidden : {1U, 5U, 32U, 67U}) {
    const std::vector<float> before_functions = ValuesUpTo(random, 4 * hidden, 4);
    const std::vector<float> cell_before = ValuesUpTo(random, hidden, 2);
    const std::vector<float> of_out = ValuesUpTo(random, hidden, 1);
    const std::vector<float> of_cell = ValuesUpTo(random, hidden, 1);
    for (const LstmTrainingKernels* const kernels : LstmTrainingKernels::Available()) {
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

TEST(LstmTrainingKernelsTest, AddsRows) {
  Random random(2);
  for (const std::size_t size : {1U, 16U, 37U}) {
    const std::vector<float> from = ValuesUpTo(random, size, 1);
    const std::vector<float> to = ValuesUpTo(random, size, 1);
    for (const LstmTrainingKernels* const kernels : LstmTrainingKernels::Available()) {
      std::vector<float> sum = to;
      kernels->add(size, from.data(), sum.data());
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(sum[i], to[i] + from[i]) << kernels->name;
    }
  }
}

}  // namespace
}  // namespace conpole
