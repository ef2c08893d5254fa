// A model as a LibTorch module, for training and for inference on a GPU: the encoder of its kind, and its head. Includes
// LibTorch: only src/torch may include this.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <torch/torch.h>

#include "conpole/scorer.h"
#include "nn/alphabet.h"
#include "nn/model.h"
#include "torch/text_encoder.h"
#include "torch/torch_head.h"

namespace conpole {

// The parents of all pairs in the first row, the candidates in the second.
torch::Tensor PairRows(std::span<const ScoreBatch::Pair> pairs, const torch::Device& device);

// The names of the kinds that LibTorch can run.
std::vector<std::string> TextEncoderKinds();

// One thread at a time may use a network.
class NetworkImpl : public torch::nn::Module {
 public:
  // Throws Error if there is no such kind, or a size is out of its bounds.
  explicit NetworkImpl(const Architecture& architecture, const TextEncoderOptions& options = {});

  // The vectors of all texts in their own order: one row each. Requires at least one text.
  torch::Tensor Encode(std::span<const std::string_view> texts);
  // A score for each pair, in 32 bits, whatever the head. `vectors` has a row per text; `pairs` are those of PairRows.
  torch::Tensor ScorePairs(const torch::Tensor& vectors, const torch::Tensor& pairs) { return head_->Score(vectors, pairs); }

  // Takes the values of all parameters, in their order, from one vector of any precision.
  void CopyParametersFrom(const torch::Tensor& values);

  // All of them, in the order of parameters(), which makes the list anew every time.
  const std::vector<torch::Tensor>& all_parameters() const { return parameters_; }

  const Architecture& architecture() const { return architecture_; }
  std::uint64_t unknown_characters() const { return reader_.unknown_characters(); }

  // Throws Error unless the tensors are those of the architecture.
  void SetTensors(const Tensors& tensors);
  Tensors GetTensors() const;

 private:
  // Calls `visit` with the shape of each tensor and the parameter that holds it.
  template <class Visit>
  void ForEachTensor(const Visit& visit) const;

  Architecture architecture_;
  TextReader reader_;
  std::shared_ptr<TextEncoder> encoder_;
  std::shared_ptr<TorchHead> head_;
  std::vector<torch::Tensor> parameters_;
  torch::Tensor joined_;  // what the parameters are parts of, if they are
};
TORCH_MODULE(Network);

}  // namespace conpole
