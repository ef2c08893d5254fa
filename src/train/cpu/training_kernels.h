// The arithmetic of learning on the CPU, in one version per kind of processor; the products beside it are those of
// nn/kernels.h. Any thread may call them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace conpole {

struct TrainingKernels {
  std::string_view name;

  // An LSTM cell, one row of `hidden` units. `gates` holds input, forget, cell and output before their functions, and
  // afterwards their values. Writes the cell's state, its tanh and the hidden state.
  void (*forward)(std::size_t hidden, float* gates, const float* cell_before, float* cell, float* tanh_cell, float* out);

  // The way back, with what `forward` left. `out_gradient` is that of the hidden state; `cell_gradient` that of the cell's
  // state by way of later characters, and afterwards of the state before; `gate_gradients` are of the gates before their
  // functions.
  void (*backward)(std::size_t hidden, const float* gates, const float* cell_before, const float* tanh_cell,
                   const float* out_gradient, float* cell_gradient, float* gate_gradients);

  // to += factor * from
  void (*add)(std::size_t size, float factor, const float* from, float* to);

  // The gradient of a matrix of left_size x right_size weights: adds the products of left[i] and right[i], for each of `count`
  // pairs of rows, to `sums`, whose rows begin `stride` values after each other.
  void (*add_products)(std::size_t count, const float* const* left, std::size_t left_size, const float* const* right,
                       std::size_t right_size, float* sums, std::size_t stride);

  // What a step of AdamW does with each weight.
  struct Adamw {
    float gradient_factor;  // to clip it
    float weight_factor;    // what decay leaves of a weight
    float rate;             // with the correction of the mean
    float square_factor;    // the correction of the root of the square
  };
  static constexpr double kBeta1 = 0.9;
  static constexpr double kBeta2 = 0.999;
  static constexpr double kEpsilon = 1e-8;
  void (*adamw)(std::size_t size, const Adamw& step, const float* gradients, float* weights, float* mean, float* square);

  // The version for this processor.
  static const TrainingKernels& Best();
  // All versions that this processor can run, the best one last: for tests.
  static std::vector<const TrainingKernels*> Available();
};

}  // namespace conpole
