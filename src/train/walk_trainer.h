// Training from reversed walks (train/walk_learner.h), for domains whose states have a fixed layout. Until the budget of states
// or of seconds is spent:
//   1. draw walks, a function of the run's seed and the number of the gradient step alone,
//   2. take a gradient step on all their states, at a learning rate that falls along half a cosine to the end of the budget,
//   3. evaluate, report and write a checkpoint when it is time.
// A step, where steps are counted, is a state that was learned from. One thread calls all methods.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "conpole/domain.h"
#include "train/checkpoint.h"
#include "train/options.h"
#include "train/trainer.h"
#include "train/training_loop.h"
#include "train/walk_learner.h"
#include "train/walks.h"
#include "util/thread_pool.h"

namespace conpole {

class WalkTrainer final : public TrainingLoop {
 public:
  // Everything given by reference must outlive the trainer. Throws Error if the states of the domain have no fixed layout.
  WalkTrainer(const Domain& domain, WalkLearner& learner, const TrainOptions& options, TrainCallbacks callbacks);

  void Restore(const std::map<std::string, std::string>& sections) override;
  bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) override;
  void WriteCheckpoint(const CheckpointFolder& checkpoints) override;
  const TrainStatus& status() const override { return status_; }
  Tensors Weights() override { return learner_.Weights(); }

 private:
  using Clock = std::chrono::steady_clock;

  // Of the budget, from 0 to 1.
  double PartDone() const;
  double LearningRate() const;
  void TakeStep();
  // Whether it came to its end; not if training is to stop.
  bool Evaluate();
  void TakeLoss();
  void UpdateSeconds();

  const Domain& domain_;
  const FixedLayout& layout_;
  WalkLearner& learner_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  WalkSource source_;
  ThreadPool pool_;
  std::size_t walks_;  // of a gradient step
  TrainStatus status_;
  std::uint64_t next_evaluation_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  double earlier_seconds_ = 0;  // of the parts of the run before this one
  Clock::time_point began_;
};

}  // namespace conpole
