#include "train/loop/walk_trainer.h"

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

#include "util/stopwatch.h"

namespace conpole {
namespace {

// A batch has enough walks that are no longer than this.
constexpr std::size_t kShortWalk = 64;
// Of longer ones so many per state of a batch, of which one state in so many is learned from.
constexpr double kLongWalks = 1.6;
constexpr std::size_t kEvery = 32;
// The part of a run in which how far states are is learned from lengths of walks, before looking ahead makes it better; not
// where there are so many successors that it would take much longer than learning does.
constexpr double kLengthsPart = 0.5;
constexpr double kFewSuccessors = 4;

WalkBatch Shape(const TrainOptions& options) {
  WalkBatch batch{std::max<std::size_t>(1, options.batch / options.walk_length), options.walk_length};
  if (options.walk_length <= kShortWalk) return batch;
  batch.walks = std::max<std::size_t>(1, static_cast<std::size_t>(kLongWalks * static_cast<double>(options.batch)));
  batch.every = kEvery;
  batch.parts = 2;  // for now: that of long walks not all states count
  batch.parts = std::max<std::size_t>(2, 2 * batch.states() / options.batch);
  return batch;
}

bool HasFewSuccessors(const FixedLayout& layout) {
  double successors = 0;
  for (const std::vector<std::uint8_t>& next : SensibleNextActions(layout)) successors += static_cast<double>(next.size());
  return successors <= kFewSuccessors * static_cast<double>(layout.actions());
}

}  // namespace

WalkTrainer::WalkTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options, TrainCallbacks callbacks)
    : PackedTrainer(domain, learner, options, std::move(callbacks)),
      source_(layout_, options.seed),
      has_few_successors_(HasFewSuccessors(layout_)),
      batch_(Shape(options)) {
  status_.depth_limit = options.walk_length;
}

void WalkTrainer::TakeTurn() {
  const std::size_t part = status_.gradient_steps % batch_.parts;
  if (part == 0 || batch_.actions.empty()) {
    const ScopeTimer timer(status_.time.prepare);
    const std::uint64_t first = status_.gradient_steps - part;
    const WalkBatch shape{batch_.walks, batch_.length, {}, batch_.parts, batch_.every};
    const auto draw = [this, shape](std::uint64_t step) { return source_.Draw(step, shape); };
    batch_ = next_.valid() && next_begins_ == first ? next_.get() : draw(first);
    // The next ones are drawn meanwhile.
    next_begins_ = first + batch_.parts;
    if (batch_.parts > 1) next_ = std::async(std::launch::async, draw, next_begins_);
  }
  batch_.part = part;
  batch_.looks_ahead = has_few_successors_ && PartDone() >= kLengthsPart;
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
