// The losses of train/loop/learner.h with LibTorch: scores and targets in, a number to be minimised and its gradient out.
// Includes LibTorch: only src/torch may include this. All functions may be called by any thread.
#pragma once

#include <torch/torch.h>

#include "train/loop/learner.h"
#include "train/loop/training_batch.h"

namespace conpole {

struct LossOfScores {
  torch::Tensor value;     // the mean over all that WeightOf (train/cpu/losses.h) counts
  torch::Tensor gradient;  // by each score
};

// `scores` has one entry per pair of the batch, in 32 bits.
LossOfScores LossOf(Loss loss, const torch::Tensor& scores, const TrainingBatch& batch);

}  // namespace conpole
