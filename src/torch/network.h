// A model as a LibTorch module, for training and for inference on a GPU: the encoder of its kind, and its head. Includes
// LibTorch: only src/torch may include this.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <torch/torch.h>

#include "conpole/scorer.h"
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
  torch::Tensor Encode(std::span<const std::string_view> texts) { return encoder_->Encode(texts); }
  // A score for each pair, in 32 bits, whatever the head. `vectors` has a row per text; `pairs` are those of PairRows.
  torch::Tensor ScorePairs(const torch::Tensor& vectors, const torch::Tensor& pairs) { return head_->Score(vectors, pairs); }

  const Architecture& architecture() const { return architecture_; }

  // Throws Error unless the tensors are those of the architecture.
  void SetTensors(const Tensors& tensors);
  Tensors GetTensors() const;

 private:
  // Calls `visit` with the shape of each tensor and the parameter that holds it.
  template <class Visit>
  void ForEachTensor(const Visit& visit) const;

  Architecture architecture_;
  std::shared_ptr<TextEncoder> encoder_;
  std::shared_ptr<TorchHead> head_;
};
TORCH_MODULE(Network);

}  // namespace conpole
