// The seam between texts and vectors on the LibTorch side, for training and for inference on a GPU: what nn/encoder.h is on the
// CPU. Includes LibTorch: only src/torch may include this.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <torch/torch.h>

#include "nn/architecture.h"

namespace conpole {

// A module whose parameters have the names of the tensors of its kind. One thread at a time may use it.
class TextEncoder : public torch::nn::Module {
 public:
  // The vectors of all texts in their own order: one row each, on the device and in the precision of the parameters. Requires
  // at least one text. Gradients reach the parameters unless they are switched off.
  virtual torch::Tensor Encode(std::span<const std::string_view> texts) = 0;
  // Whether its parameters have to stay where they are in memory: cuDNN wants them in an order of its own.
  virtual bool has_fixed_parameters() const { return false; }
};

struct TextEncoderOptions {
  bool own_kernels = true;  // on a GPU: instead of cuDNN's, where they fit
};

// The two linear layers with ReLU between them with which encoders end: mlp.0 and mlp.2.
class TorchMlpImpl : public torch::nn::Module {
 public:
  explicit TorchMlpImpl(std::int64_t size)
      : first_(register_module("0", torch::nn::Linear(size, size))),
        second_(register_module("2", torch::nn::Linear(size, size))) {}

  torch::Tensor forward(const torch::Tensor& rows) { return second_->forward(torch::relu(first_->forward(rows))); }

 private:
  torch::nn::Linear first_;
  torch::nn::Linear second_;
};
TORCH_MODULE(TorchMlp);

}  // namespace conpole
