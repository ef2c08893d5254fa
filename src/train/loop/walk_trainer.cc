#include "train/loop/walk_trainer.h"

#include <algorithm>
#include <utility>

#include "util/stopwatch.h"

namespace conpole {

WalkTrainer::WalkTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options, TrainCallbacks callbacks)
    : PackedTrainer(domain, learner, options, std::move(callbacks)),
      source_(layout_, options.seed),
      walks_(std::max<std::size_t>(1, options.batch / options.walk_length)) {
  status_.depth_limit = options.walk_length;
}

void WalkTrainer::TakeTurn() {
  WalkBatch batch;
  {
    const ScopeTimer timer(status_.time.prepare);
    batch = source_.Draw(status_.gradient_steps, walks_, options_.walk_length);
  }
  const ScopeTimer timer(status_.time.learn);
  status_.learning_rate = LearningRate();
  learner_.Learn(batch, status_.learning_rate);
  ++status_.gradient_steps;
  status_.steps += batch.states();
  status_.strings_learned += batch.states();
  status_.problems += batch.walks;
}

void WalkTrainer::UpdateStatus() {
  PackedTrainer::UpdateStatus();
  if (status_.validation) status_.solved_rate = status_.validation->success;
}

}  // namespace conpole
