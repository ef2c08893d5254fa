// The learner of src/train with LibTorch: AdamW on 32-bit weights. On a GPU gradients are computed with a copy in bfloat16 and
// search scores with a copy in half precision; on the CPU both are in 32 bits, and search uses the runtime engine, which is
// faster there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "nn/model.h"
#include "train/learner.h"

namespace conpole {

struct TorchLearnerOptions {
  std::string device = "cpu";  // cpu, cuda or cuda:N
  Loss loss = Loss::kContrastive;
  double weight_decay = 0.01;
  double clip = 1;                                    // of the gradient's norm
  std::size_t threads = 0;                            // on the CPU; 0 for one per core
  std::size_t max_characters = std::size_t{1} << 20;  // scored in one pass; bounds the memory that scoring takes
  bool own_kernels = true;                            // on a GPU: instead of cuDNN's, where they fit
};

// Starts with the weights of `model`. Throws Error if the device is not there.
std::unique_ptr<Learner> MakeTorchLearner(const Model& model, const TorchLearnerOptions& options);

}  // namespace conpole
