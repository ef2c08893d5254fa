// The LSTM layers of the network, step by step, for training on the CPU: the backward pass of LibTorch's own takes time there
// that grows with the square of the number of characters, because it fills a gradient of all of them at every step. Includes
// LibTorch: only src/torch may include this.
#pragma once

#include <torch/torch.h>

namespace conpole {

// The last hidden state of each direction of the last layer, one row per string, as lstm gives it for a packed sequence. `lstm`
// is bidirectional; `embedded` has a row per character.
torch::Tensor RunPackedLstm(const torch::nn::LSTM& lstm, const torch::Tensor& embedded, const torch::Tensor& batch_sizes);

}  // namespace conpole
