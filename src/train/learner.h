// The seam between training and the network that learns: the only part of training that needs LibTorch is behind it. A learner
// is used by one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conpole/scorer.h"
#include "nn/model.h"
#include "train/training_batch.h"

namespace conpole {

enum class Loss : std::uint8_t {
  kContrastive,  // InfoNCE: the first pair of an example against its other pairs
  kBinary,       // cross-entropy of each candidate's value: 1 for the first pair of an example, 0 for the others
};

class Learner {
 public:
  virtual ~Learner() = default;

  // Scores with the weights as of the last Refresh: search must not see a policy that changes under it.
  virtual void Score(const ScoreBatch& batch, std::span<float> scores) = 0;
  // Takes one gradient step.
  virtual void Learn(const TrainingBatch& batch, double learning_rate) = 0;
  // Lets search use what was learned.
  virtual void Refresh() = 0;
  // The mean loss of the gradient steps since the last call; not a number if there were none.
  virtual double TakeLoss() = 0;

  // What was learned so far.
  virtual Tensors Weights() const = 0;

  // Weights and the state of the optimiser, to go on from later. Restore throws Error if the bytes are not such a state.
  virtual std::string Save() const = 0;
  virtual void Restore(std::string_view bytes) = 0;
};

}  // namespace conpole
