// The learner of train/loop/packed_learner.h with LibTorch: AdamW on 32-bit weights of a network of kind "residual"
// (nn/residual_network.h), gradients in bfloat16 on a GPU and in 32 bits on the CPU. The walks are walked on the device: only
// the actions come from outside.
//
// While it learns, every linear layer but the last is followed by batch normalisation, and needs no bias for that. A model has
// them folded together, with the averages of the running means and variances. The header needs no LibTorch. One thread at a
// time.
#pragma once

#include <memory>
#include <string>

#include "conpole/fixed_layout.h"
#include "nn/architecture.h"
#include "train/loop/packed_learner.h"

namespace conpole {

// The layout must outlive the learner. Throws Error if the device is not there or the architecture is for another layout.
std::unique_ptr<PackedLearner> MakeTorchPackedLearner(const Architecture& architecture, const FixedLayout& layout,
                                                      const PackedLearnerOptions& options, const std::string& device);

}  // namespace conpole
