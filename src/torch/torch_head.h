// Heads on the LibTorch side: what nn/head.h is on the CPU. Includes LibTorch: only src/torch may include this.
#pragma once

#include <cstdint>
#include <memory>

#include <torch/torch.h>

#include "nn/architecture.h"

namespace conpole {

// A module whose parameters have the names of the head's tensors. One thread at a time may use it.
class TorchHead : public torch::nn::Module {
 public:
  // A score for each pair. `vectors` has a row per text; `pairs` has the rows of the parents first, then those of the
  // candidates.
  virtual torch::Tensor Score(const torch::Tensor& vectors, const torch::Tensor& pairs) = 0;
};

std::shared_ptr<TorchHead> MakeTorchHead(Head head, std::int64_t vector_size);

}  // namespace conpole
