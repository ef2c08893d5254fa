#include "torch/lstm_training_kernels.h"

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

CONPOLE_INLINE void AddRow(std::size_t size, const float* __restrict from, float* __restrict to) {
  for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
}

// NOLINTBEGIN(bugprone-macro-parentheses): attributes do not stand in parentheses
#define CONPOLE_LSTM_VERSION(suffix, attributes)                                                                \
  attributes void CellForward##suffix(std::size_t hidden, float* gates, const float* cell_before, float* cell,  \
                                      float* tanh_cell, float* out) {                                           \
    CellForward(hidden, gates, cell_before, cell, tanh_cell, out);                                              \
  }                                                                                                             \
  attributes void CellBackward##suffix(std::size_t hidden, const float* gates, const float* cell_before,        \
                                       const float* tanh_cell, const float* out_gradient, float* cell_gradient, \
                                       float* gate_gradients) {                                                 \
    CellBackward(hidden, gates, cell_before, tanh_cell, out_gradient, cell_gradient, gate_gradients);           \
  }                                                                                                             \
  attributes void AddRow##suffix(std::size_t size, const float* from, float* to) { AddRow(size, from, to); }

// NOLINTEND(bugprone-macro-parentheses)

CONPOLE_LSTM_VERSION(Portable, )
constexpr LstmTrainingKernels kPortableLstm{"portable", CellForwardPortable, CellBackwardPortable, AddRowPortable};
#ifdef __x86_64__
CONPOLE_LSTM_VERSION(Avx2, __attribute__((target("avx2,fma"))))
CONPOLE_LSTM_VERSION(Avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma"))))
constexpr LstmTrainingKernels kAvx2Lstm{"avx2", CellForwardAvx2, CellBackwardAvx2, AddRowAvx2};
constexpr LstmTrainingKernels kAvx512Lstm{"avx512", CellForwardAvx512, CellBackwardAvx512, AddRowAvx512};
#endif

}  // namespace

std::vector<const LstmTrainingKernels*> LstmTrainingKernels::Available() {
  std::vector<const LstmTrainingKernels*> available{&kPortableLstm};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) available.push_back(&kAvx2Lstm);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    available.push_back(&kAvx512Lstm);
  }
#endif
  return available;
}

const LstmTrainingKernels& LstmTrainingKernels::Best() {
  static const LstmTrainingKernels& best = *Available().back();
  return best;
}

}  // namespace conpole
