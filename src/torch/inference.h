// A copy of a network that only scores, in its own precision and on its own device: what TorchEncoder and the learner search
// with. Includes LibTorch: only src/torch may include this. One thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <torch/torch.h>

#include "conpole/scorer.h"
#include "torch/network.h"
#include "torch/torch_encoder.h"

namespace conpole {

// Throws Error if there is no such device.
torch::Device DeviceOf(const std::string& name);
torch::ScalarType TypeOf(TorchPrecision precision);

class Inference {
 public:
  Inference(const Architecture& architecture, const TorchOptions& options);

  const Architecture& architecture() const { return network_->architecture(); }
  void SetTensors(const Tensors& tensors) { network_->SetTensors(tensors); }
  Network& network() { return network_; }

  // One row per text, on the device. Large batches go through in pieces; while the GPU works on one, the next is packed.
  torch::Tensor Vectors(std::span<const std::string_view> texts);
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors);
  void Score(const ScoreBatch& batch, std::span<float> scores);

 private:
  std::size_t max_characters_;
  torch::Device device_;
  Network network_;
};

}  // namespace conpole
