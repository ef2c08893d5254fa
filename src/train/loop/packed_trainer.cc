#include "train/loop/packed_trainer.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/packed_scorer.h"

namespace conpole {
namespace {

const FixedLayout& LayoutOf(const Domain& domain) {
  if (domain.type().layout == nullptr) {
    throw Error(fmt::format("this network needs states of a fixed layout, and those of {} have none", domain.type().name));
  }
  return *domain.type().layout;
}

}  // namespace

PackedTrainer::PackedTrainer(const Domain& domain, PackedLearner& learner, const TrainOptions& options,
                             TrainCallbacks callbacks)
    : TrainingLoop({&domain}, options, std::move(callbacks), SingleRank()), layout_(LayoutOf(domain)), learner_(learner) {}

bool PackedTrainer::Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) {
  Begin(stop);
  const auto is_over = [this] { return PartDone() >= 1 && status_.evaluated_steps == status_.steps; };
  if (is_over() && status_.evaluation) return true;
  Clock::time_point last_checkpoint = began_;
  Clock::time_point last_shown = began_;
  while (PartDone() < 1 && !stop) {
    TakeTurn();
    if (IsEvaluationDue() && status_.gradient_steps != 0 && !Evaluate()) break;
    if (Clock::now() - last_shown > std::chrono::seconds(1)) {
      TakeLoss();
      UpdateStatus();
      callbacks_.show(status_);
      last_shown = Clock::now();
    }
    if (MinutesSince(last_checkpoint) > options_.checkpoint_minutes) {
      WriteCheckpoint(checkpoints);
      last_checkpoint = Clock::now();
    }
    TrainingLoop::UpdateStatus();
  }
  if (PartDone() >= 1 && !is_over()) Evaluate();
  WriteCheckpoint(checkpoints);
  return is_over();
}

bool PackedTrainer::Evaluate() {
  TakeLoss();
  PackedScorer scorer(layout_, learner_.Policy());
  const std::size_t max_steps = EvaluationSteps(0);
  if (!TryPolicy(scorer, {&max_steps, 1})) return false;
  ReportEvaluation();
  return true;
}

void PackedTrainer::TakeLoss() {
  const double loss = learner_.TakeLoss();
  if (std::isfinite(loss)) status_.loss = loss;
}

void PackedTrainer::WriteCheckpoint(const CheckpointFolder& checkpoints) {
  const std::string learned = learner_.Save();
  TrainingLoop::UpdateStatus();
  WriteSections(checkpoints, nlohmann::json::object(), learned, SaveMore());
}

void PackedTrainer::RestoreMore(const nlohmann::json& /*state*/, const std::map<std::string, std::string>& sections) {
  learner_.Restore(sections.at("learner"));
}

}  // namespace conpole
