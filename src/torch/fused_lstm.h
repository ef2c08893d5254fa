// The LSTM layers of the network with the kernels of fused_lstm_kernels.h, and their gradient. Equal to LibTorch's layers up to
// rounding. What autograd would do about each of some dozen small operations takes longer than a GPU does, so gradients are
// asked for by hand. Includes LibTorch: only src/torch may include this. Only in builds with CUDA. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <torch/torch.h>

namespace conpole {

class FusedLayers {
 public:
  // Whether the kernels can run layers of this hidden size with weights of this type on this device.
  static bool CanRun(std::int64_t hidden, const torch::Tensor& weights);

  // `embedding` are the vectors of all characters there are; `weights` those of all layers, as LibTorch orders the parameters
  // of its module, in one vector.
  FusedLayers(std::int64_t layers, torch::Tensor embedding, const torch::Tensor& weights);
  ~FusedLayers();

  // The last hidden states of both directions of the last layer: a row per string, in the order of decreasing length.
  // `characters` are those of the texts, on the device. With `keep`, Backward may follow.
  torch::Tensor Forward(const torch::Tensor& characters, const torch::Tensor& batch_sizes, bool keep);

  struct Gradients {
    torch::Tensor embedding;
    torch::Tensor weights;
  };
  // By what the constructor was given, from the gradient by what Forward returned.
  Gradients Backward(const torch::Tensor& last) const;

 private:
  class WeightOrder;
  class PackedRows;
  struct Kept;  // of each layer, for Backward

  torch::Tensor InputWeights(std::size_t layer) const;

  const WeightOrder* order_;
  torch::Tensor embedding_;
  torch::Tensor arranged_;  // the weights in the kernels' order
  torch::Tensor biases_;
  std::unique_ptr<const PackedRows> rows_;
  std::vector<Kept> kept_;
};

}  // namespace conpole
