// A network of kind lstm on a GPU, with the kernels of fused_lstm_kernels.h: scores of a batch, and their gradient by all
// weights, worked out by hand. A gradient step is then some sixty operations; with autograd it takes three times as many, and
// starting those takes the processor longer than the GPU needs for them. Includes LibTorch: only src/torch may include this.
// Only in builds with CUDA. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <torch/torch.h>

#include "conpole/scorer.h"
#include "nn/alphabet.h"
#include "nn/architecture.h"
#include "torch/fused_lstm.h"

namespace conpole {

class FusedNetwork {
 public:
  // Whether there are kernels for such a network with weights of this type on this device.
  static bool CanRun(const Architecture& architecture, const torch::Tensor& weights);

  explicit FusedNetwork(const Architecture& architecture);

  // One per pair, in 32 bits. `weights` are all parameters of NetworkImpl in one vector. Requires at least one text.
  torch::Tensor Score(const torch::Tensor& weights, std::span<const std::string_view> texts,
                      std::span<const ScoreBatch::Pair> pairs);
  // By all weights, in 32 bits, from the gradient by the scores of the last call.
  torch::Tensor Gradient(const torch::Tensor& of_scores) const;

  std::uint64_t unknown_characters() const { return reader_.unknown_characters(); }

 private:
  // Views of the weights.
  struct Parts {
    torch::Tensor embedding;
    torch::Tensor layers;  // of all LSTM layers
    torch::Tensor first, first_bias, second, second_bias;
    torch::Tensor head, head_bias;  // no bias where the head is bilinear
  };
  Parts PartsOf(const torch::Tensor& weights) const;

  Architecture architecture_;
  TextReader reader_;
  // Of the last call:
  Parts parts_;
  std::optional<FusedLayers> layers_;
  torch::Tensor last_;     // hidden states, rows in the order of the sorted texts, as in all that follows
  torch::Tensor between_;  // the two linear layers
  torch::Tensor vectors_;
  torch::Tensor pairs_;  // rows of parents, rows of candidates
  torch::Tensor forms_;  // where the head is bilinear: of the parent of each pair
};

}  // namespace conpole
