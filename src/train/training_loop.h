// What a training run (train/run.h) needs of a loop that learns: the one of agents that search (train/trainer.h), or the one
// from reversed walks (train/walk_trainer.h). One thread calls all methods.
#pragma once

#include <atomic>
#include <map>
#include <string>

#include "nn/model.h"
#include "train/checkpoint.h"

namespace conpole {

struct TrainStatus;

class TrainingLoop {
 public:
  virtual ~TrainingLoop() = default;

  // Goes on from a checkpoint. Throws Error if it is not one of such a run.
  virtual void Restore(const std::map<std::string, std::string>& sections) = 0;

  // Trains until the budget is spent, `stop` is set or the minutes are over, and writes checkpoints, the last one at the end
  // unless all was done before, or checkpoints are for evaluations only. Returns whether all is done and evaluated. Throws
  // Diverged, and leaves the last checkpoint as it is, when what was learned is not finite any more.
  virtual bool Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) = 0;

  virtual void WriteCheckpoint(const CheckpointFolder& checkpoints) = 0;

  virtual const TrainStatus& status() const = 0;
  // What was learned so far.
  virtual Tensors Weights() = 0;
};

// Half a cosine from 1 to `last`, after a warm-up of so many gradient steps; `part_done` is from 0 to 1.
double ScheduledRate(double part_done, double last, std::uint64_t gradient_steps, std::uint64_t warmup);

}  // namespace conpole
