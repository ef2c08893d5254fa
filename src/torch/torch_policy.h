// A network of kind "residual" with LibTorch as a policy over packed states, with a beam search that stays on the device: the
// one of search/packed_beam.h, except that of equal values any may come first, and that of a step's successors only the 2 W +
// 64 best are looked at. The header needs no LibTorch. One thread at a time may use a policy.
#pragma once

#include <memory>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "nn/model.h"
#include "torch/torch_encoder.h"

namespace conpole {

// Throws Error if the device is not there, or the model is of another kind or for states of another layout. The layout must
// outlive the policy.
std::unique_ptr<PackedPolicy> MakeTorchPolicy(const Model& model, const FixedLayout& layout, const TorchOptions& options);

}  // namespace conpole
