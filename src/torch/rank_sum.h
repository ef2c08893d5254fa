// The sum of a tensor over all ranks, where it is: by NCCL on a GPU if the ranks are connected by it, through the processor's
// memory otherwise. Includes LibTorch: only src/torch may include this. One thread at a time.
#pragma once

#include <torch/torch.h>

#include "train/ranks/ranks.h"

namespace conpole {

// Ranks that can add up tensors on their GPUs.
class DeviceRanks : public Ranks {
 public:
  virtual bool SumsOn(const torch::Device& device) const = 0;
  virtual void SumOnDevice(torch::Tensor& values) = 0;
};

// Replaces `values`, which are 32-bit and contiguous, by their sums over all ranks.
void SumOverRanks(Ranks& ranks, torch::Tensor& values);

}  // namespace conpole
