// The LSTM layers of the network for training on the CPU, with gradients: each direction of a layer is one operation for
// LibTorch, whose loops over characters are our own kernels. Of LibTorch's own layers a backward pass takes time that grows
// with the square of the number of characters, and step by step out of its operations a batch of a few strings costs what a
// large one does. Includes LibTorch: only src/torch may include this. Any number of threads may call it, each with a module of
// its own.
#pragma once

#include <torch/torch.h>

namespace conpole {

// The last hidden state of each direction of the last layer, one row per string, as lstm gives it for a packed sequence. `lstm`
// is bidirectional. `embedding` are the vectors of all characters there are, `characters` those of the texts, a byte each, and
// `batch_sizes` how many strings have a first, second, ... character (torch/packed_texts.h). All is on the CPU, the weights in
// 32 bits.
torch::Tensor RunPackedLstm(const torch::nn::LSTM& lstm, const torch::Tensor& embedding, const torch::Tensor& characters,
                            const torch::Tensor& batch_sizes);

}  // namespace conpole
