// The learner of texts with LibTorch, for GPUs: AdamW on 32-bit weights, gradients with a copy in bfloat16, and scores with a
// copy in half precision. It also runs on the CPU, in 32 bits, where tests and benchmarks compare train/cpu/cpu_learner.h with
// it, which is faster there. One thread at a time.
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
