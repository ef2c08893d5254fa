#include "train/loop/walk_trainer.h"

#include <algorithm>
#include <utility>

#include "util/stopwatch.h"

namespace conpole {
namespace {

// A batch has enough walks that are no longer than this. Of longer ones there are so many at a time.
constexpr std::size_t kShortWalk = 64;
constexpr std::size_t kLongWalks = 1024;

}  // namespace

WalkTrainer::WalkTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options, TrainCallbacks callbacks)
    : PackedTrainer(domain, learner, options, std::move(callbacks)),
      source_(layout_, options.seed),
      parts_(options.walk_length <= kShortWalk ? 1 : (kLongWalks * options.walk_length + options.batch - 1) / options.batch),
      walks_(std::max<std::size_t>(1, parts_ * options.batch / options.walk_length)) {
  status_.depth_limit = options.walk_length;
}

void WalkTrainer::TakeTurn() {
  const std::size_t part = status_.gradient_steps % parts_;
  if (part == 0 || batch_.actions.empty()) {
    const ScopeTimer timer(status_.time.prepare);
    batch_ = source_.Draw(status_.gradient_steps - part, walks_, options_.walk_length);
    batch_.parts = parts_;
  }
  batch_.part = part;
  const ScopeTimer timer(status_.time.learn);
  status_.learning_rate = LearningRate();
  learner_.Learn(batch_, status_.learning_rate);
  ++status_.gradient_steps;
  status_.steps += batch_.states();
  status_.strings_learned += batch_.states();
  if (part == 0) status_.problems += batch_.walks;
}

void WalkTrainer::UpdateStatus() {
  PackedTrainer::UpdateStatus();
  if (status_.validation) status_.solved_rate = status_.validation->success;
}

}  // namespace conpole
