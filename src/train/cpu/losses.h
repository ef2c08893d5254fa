// The losses of train/loop/learner.h and their gradients. All functions may be called by any thread.
#pragma once

#include <cstddef>
#include <span>

#include "train/loop/learner.h"
#include "train/loop/training_batch.h"

namespace conpole {

// What the loss of a batch is a mean of: its examples, or its pairs. Losses of parts of a batch add up by it.
std::size_t WeightOf(Loss loss, const TrainingBatch& batch);

// The sum of the loss over all that WeightOf counts, divided by `weight`. `scores` has one entry per pair of the batch;
// `gradients` gets that of the result by each.
double LossOf(Loss loss, const TrainingBatch& batch, std::span<const float> scores, double weight, std::span<float> gradients);

}  // namespace conpole
