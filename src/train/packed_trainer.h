// What the training loops over packed states (train/packed_learner.h) have in common: the budget, evaluations, metrics and
// checkpoints. Until the budget of steps or of seconds is spent:
//   1. take a turn, which is up to the kind of loop,
//   2. evaluate, report and write a checkpoint when it is time.
// The learning rate falls along half a cosine to the end of the budget. One thread calls all methods.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "conpole/fixed_layout.h"
#include "train/checkpoint.h"
#include "train/options.h"
#include "train/packed_learner.h"
#include "train/trainer.h"
#include "train/training_loop.h"
#include "util/thread_pool.h"

namespace conpole {

class PackedTrainer : public TrainingLoop {
 public:
  void Restore(const std::map<std::string, std::string>& sections) final;
  bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) final;
  void WriteCheckpoint(const CheckpointFolder& checkpoints) final;
  const TrainStatus& status() const final { return status_; }
  Tensors Weights() final { return learner_.Weights(); }

 protected:
  // Everything given by reference must outlive the trainer. Throws Error if the states of the domain have no fixed layout.
  PackedTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options, TrainCallbacks callbacks);

  // A part of the work that takes well under a second where it can.
  virtual void TakeTurn() = 0;
  // Brings what only the loop knows into the status.
  virtual void UpdateStatus() = 0;
  // What a checkpoint has besides: named sections. Restore throws std::out_of_range if one is missing.
  virtual std::vector<CheckpointSection> SaveMore() const { return {}; }
  virtual void RestoreMore(const std::map<std::string, std::string>& /*sections*/) {}

  double LearningRate() const;
  bool stops() const { return stop_ != nullptr && *stop_; }

  const Domain& domain_;
  const FixedLayout& layout_;
  PackedLearner& learner_;
  TrainOptions options_;
  TrainCallbacks callbacks_;
  ThreadPool pool_;
  TrainStatus status_;

 private:
  using Clock = std::chrono::steady_clock;

  // Of the budget, from 0 to 1.
  double PartDone() const;
  // Whether it came to its end; not if training is to stop.
  bool Evaluate();
  void TakeLoss();
  void UpdateSeconds();

  std::uint64_t next_evaluation_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  double earlier_seconds_ = 0;  // of the parts of the run before this one
  Clock::time_point began_;
};

}  // namespace conpole
