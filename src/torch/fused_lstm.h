// The LSTM layers of the network with the kernels of fused_lstm_kernels.h, with gradients. Equal to LibTorch's layers up to
// rounding. Includes LibTorch: only src/torch may include this. Only in builds with CUDA.
#pragma once

#include <torch/torch.h>

namespace conpole {

// Whether the kernels can run layers of these sizes, in this type, on this device.
bool CanFuse(const torch::nn::LSTM& lstm, const torch::Tensor& weights);

// The last hidden states of both directions of the last layer: a row per string, in the order of decreasing length.
// `embedding` are the vectors of all characters there are, `characters` those of the texts, on the device.
torch::Tensor RunFusedLstm(const torch::nn::LSTM& lstm, const torch::Tensor& embedding, const torch::Tensor& characters,
                           const torch::Tensor& batch_sizes);

}  // namespace conpole
