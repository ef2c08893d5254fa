// The network of nn/model.h as a LibTorch module, for training and for inference on a GPU. Includes LibTorch, so that only
// src/torch and src/train may include this.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <torch/torch.h>

#include "conpole/scorer.h"
#include "nn/model.h"

namespace conpole {

// Characters of several strings in the order that LibTorch's packed sequences have: the first characters of all strings, then
// the second ones of those that have one, and so on. Strings are sorted by decreasing length first.
struct PackedTexts {
  torch::Tensor characters;   // one byte each, on the CPU
  torch::Tensor batch_sizes;  // how many strings have a first, second, ... character; int64 on the CPU
  torch::Tensor places;       // where the sorted strings stood before; int64 on the CPU
};

// Requires at least one text. An empty text counts as one unknown character: packed sequences have no empty ones.
PackedTexts PackTexts(std::span<const std::string_view> texts, bool pinned);

// The parents of all pairs in the first row, the candidates in the second.
torch::Tensor PairRows(std::span<const ScoreBatch::Pair> pairs, const torch::Device& device);

class NetworkImpl : public torch::nn::Module {
 public:
  // `own_kernels`: those of fused_lstm.h, where they fit.
  explicit NetworkImpl(const Architecture& architecture, bool own_kernels = true);

  // The vectors of all texts in their own order: one row each.
  torch::Tensor Encode(const PackedTexts& texts);
  // phi(candidate)^T W phi(parent) for pairs of rows, added up in 32 bits.
  torch::Tensor Score(const torch::Tensor& parents, const torch::Tensor& candidates);
  // The value of each row. Value head only.
  torch::Tensor Value(const torch::Tensor& vectors);

  const Architecture& architecture() const { return architecture_; }

  void SetTensors(const Tensors& tensors);
  Tensors GetTensors() const;

 private:
  // The last hidden states of both directions of the last layer.
  torch::Tensor LastHidden(const torch::Tensor& characters, const torch::Tensor& batch_sizes);

  Architecture architecture_;
  bool own_kernels_;
  torch::nn::Embedding embedding_ = nullptr;
  torch::nn::LSTM lstm_ = nullptr;
  torch::nn::Linear first_linear_ = nullptr;
  torch::nn::Linear second_linear_ = nullptr;
  torch::nn::Linear head_ = nullptr;  // the bilinear form, without bias, or the value
};
TORCH_MODULE(Network);

}  // namespace conpole
