// Training from reversed walks (train/loop/packed_learner.h), for domains whose states have a fixed layout. A turn of the loop
// (train/loop/packed_trainer.h)
//   1. draws walks, a function of the run's seed and the number of the gradient step alone; long ones are drawn for several
//      gradient steps,
//   2. takes a gradient step on all their states, or on those whose turn it is.
// A step, where steps are counted, is a state that was learned from. One thread calls all methods.
#pragma once

#include <cstdint>
#include <future>

#include "train/loop/packed_trainer.h"
#include "train/loop/walks.h"

namespace conpole {

class WalkTrainer final : public PackedTrainer {
 public:
  // Everything given by reference must outlive the trainer. Throws Error if the states of the domain have no fixed layout.
  WalkTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options, TrainCallbacks callbacks);

 private:
  void TakeTurn() override;
  void UpdateStatus() override;

  WalkSource source_;
  bool has_few_successors_;
  WalkBatch batch_;  // without actions until it is drawn
  std::future<WalkBatch> next_;
  std::uint64_t next_begins_ = 0;  // the gradient step
};

}  // namespace conpole
