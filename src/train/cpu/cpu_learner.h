// The learner of networks that read texts on the CPU: AdamW on 32-bit weights, with gradients of our own (differentiator.h).
// Search scores with the runtime engine. One thread at a time.
#pragma once

#include <memory>

#include "nn/model.h"
#include "train/loop/learner.h"

namespace conpole {

// Starts with the weights of `model`. Of the same batches it learns the same, to the bit, with the same number of threads.
std::unique_ptr<Learner> MakeCpuLearner(const Model& model, const LearnerOptions& options);

}  // namespace conpole
