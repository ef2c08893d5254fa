// What the training loops over packed states (train/loop/packed_learner.h) have in common. Until the budget of steps or of
// seconds is spent:
//   1. take a turn, which is up to the kind of loop,
//   2. evaluate, report and write a checkpoint when it is time.
// The learning rate falls along half a cosine to the end of the budget. One thread calls all methods.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "conpole/fixed_layout.h"
#include "train/loop/packed_learner.h"
#include "train/loop/training_loop.h"
#include "train/run/checkpoint.h"

namespace conpole {

class PackedTrainer : public TrainingLoop {
 public:
  bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) final;
  void WriteCheckpoint(const CheckpointFolder& checkpoints) final;
  Tensors Weights() final { return learner_.Weights(); }

 protected:
  // Everything given by reference must outlive the trainer. Throws Error if the states of the domain have no fixed layout.
  PackedTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options, TrainCallbacks callbacks);

  // A part of the work that takes well under a second where it can.
  virtual void TakeTurn() = 0;
  // What a checkpoint has besides: named sections.
  virtual std::vector<CheckpointSection> SaveMore() const { return {}; }
  void RestoreMore(const nlohmann::json& state, const std::map<std::string, std::string>& sections) override;

  const FixedLayout& layout_;
  PackedLearner& learner_;

 private:
  // Whether it came to its end; not if training is to stop.
  bool Evaluate();
  void TakeLoss();
};

}  // namespace conpole
