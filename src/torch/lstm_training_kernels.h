// The arithmetic of an LSTM cell with what its gradients need, in one version per kind of processor; the products beside it are
// those of nn/kernels.h. Includes nothing of LibTorch. Any thread may call them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace conpole {

struct LstmTrainingKernels {
  std::string_view name;

  // One row of `hidden` units. `gates` holds input, forget, cell and output before their functions, and afterwards their
  // values. Writes the cell's state, its tanh and the hidden state.
  void (*forward)(std::size_t hidden, float* gates, const float* cell_before, float* cell, float* tanh_cell, float* out);

  // The way back, with what `forward` left. `out_gradient` is that of the hidden state; `cell_gradient` that of the cell's
  // state by way of later characters, and afterwards of the state before; `gate_gradients` are of the gates before their
  // functions.
  void (*backward)(std::size_t hidden, const float* gates, const float* cell_before, const float* tanh_cell,
                   const float* out_gradient, float* cell_gradient, float* gate_gradients);

  // to += from
  void (*add)(std::size_t size, const float* from, float* to);

  // The version for this processor.
  static const LstmTrainingKernels& Best();
  // All versions that this processor can run, the best one last: for tests.
  static std::vector<const LstmTrainingKernels*> Available();
};

}  // namespace conpole
