// The learner of src/train with LibTorch: AdamW on 32-bit weights. On a GPU gradients are computed with a copy in bfloat16 and
// search scores with a copy in half precision; on the CPU both are in 32 bits, and search uses the runtime engine, which is
// faster there. One thread at a time.
#pragma once

#include <memory>
#include <string>

#include "nn/model.h"
#include "train/loop/learner.h"

namespace conpole {

struct TorchLearnerOptions {
  LearnerOptions learner;
  std::string device = "cpu";  // cpu, cuda or cuda:N
  bool own_kernels = true;     // on a GPU: instead of cuDNN's, where they fit
};

// Starts with the weights of `model`. Throws Error if the device is not there.
std::unique_ptr<Learner> MakeTorchLearner(const Model& model, const TorchLearnerOptions& options);

}  // namespace conpole
