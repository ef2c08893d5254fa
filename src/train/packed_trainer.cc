#include "train/packed_trainer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/packed_scorer.h"
#include "search/run_search.h"
#include "train/evaluation_json.h"
#include "util/stopwatch.h"

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
    : domain_(domain),
      layout_(LayoutOf(domain)),
      learner_(learner),
      options_(options),
      callbacks_(std::move(callbacks)),
      pool_(options.threads) {}

bool PackedTrainer::Run(const std::atomic<bool>& stop, const CheckpointFolder& checkpoints) {
  stop_ = &stop;
  began_ = Clock::now();
  const auto is_over = [this] { return PartDone() >= 1 && status_.evaluated_steps == status_.steps; };
  if (is_over() && status_.evaluation) return true;
  Clock::time_point last_checkpoint = began_;
  Clock::time_point last_shown = began_;
  const auto seconds_since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  while (PartDone() < 1 && !stop && (options_.minutes == 0 || seconds_since(began_) < 60 * options_.minutes)) {
    TakeTurn();
    if (status_.steps >= next_evaluation_ && status_.gradient_steps != 0 && !Evaluate()) break;
    if (seconds_since(last_shown) > 1) {
      TakeLoss();
      UpdateSeconds();
      UpdateStatus();
      callbacks_.show(status_);
      last_shown = Clock::now();
    }
    if (seconds_since(last_checkpoint) > 60 * options_.checkpoint_minutes) {
      WriteCheckpoint(checkpoints);
      last_checkpoint = Clock::now();
    }
    UpdateSeconds();
  }
  if (PartDone() >= 1 && !is_over()) Evaluate();
  WriteCheckpoint(checkpoints);
  return is_over();
}

double PackedTrainer::PartDone() const {
  const double of_steps = options_.steps == 0 ? 1 : static_cast<double>(status_.steps) / static_cast<double>(options_.steps);
  const double of_seconds = options_.seconds == 0 ? 0 : status_.seconds / options_.seconds;
  return std::min(1.0, std::max(of_steps, of_seconds));
}

double PackedTrainer::LearningRate() const {
  return options_.learning_rate *
         ScheduledRate(PartDone(), options_.final_learning_rate, status_.gradient_steps, options_.warmup);
}

bool PackedTrainer::Evaluate() {
  const SeedRange ranges[] = {options_.eval_seeds, options_.validation_seeds};
  Evaluation evaluations[std::size(ranges)];
  TakeLoss();
  {
    const ScopeTimer timer(status_.time.evaluate);
    PackedScorer scorer(layout_, learner_.Policy());
    SearchOptions search;
    search.kind = SearchKind::kGreedy;
    search.greedy.max_steps = options_.eval_max_steps;
    search.stop = stop_;
    for (std::size_t r = 0; r < std::size(ranges); ++r) {
      std::vector<std::string> problems;
      for (std::uint64_t seed = ranges[r].first; seed < ranges[r].end; ++seed) problems.push_back(domain_.Generate(seed));
      const std::vector<SearchResult> results = RunSearch(domain_, scorer, problems, search, pool_);
      if (*stop_) return false;
      const double share = 1 / static_cast<double>(std::max<std::uint64_t>(1, ranges[r].size()));
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i].solved()) continue;
        evaluations[r].success += share;
        const Verdict verdict = callbacks_.verify(problems[i], results[i].path.back());
        if (verdict == Verdict::kRight) evaluations[r].right += share;
        if (verdict == Verdict::kWrong) evaluations[r].wrong += share;
      }
    }
  }
  while (next_evaluation_ <= status_.steps) next_evaluation_ += options_.eval_every;
  status_.evaluation = evaluations[0];
  status_.validation = evaluations[1];
  status_.evaluated_steps = status_.steps;
  UpdateSeconds();
  UpdateStatus();
  if (!status_.best_validation || status_.validation->good() >= *status_.best_validation) {
    status_.best_validation = status_.validation->good();
    status_.best_steps = status_.steps;
    callbacks_.improved(status_, learner_.Weights());
  }
  callbacks_.evaluated(status_);
  return true;
}

void PackedTrainer::TakeLoss() {
  const double loss = learner_.TakeLoss();
  if (std::isfinite(loss)) status_.loss = loss;
}

void PackedTrainer::UpdateSeconds() {
  const double seconds = stop_ == nullptr ? 0 : std::chrono::duration<double>(Clock::now() - began_).count();
  status_.seconds = earlier_seconds_ + seconds;
}

void PackedTrainer::WriteCheckpoint(const CheckpointFolder& checkpoints) {
  const std::string learned = learner_.Save();
  UpdateSeconds();
  const TimeSpent& time = status_.time;
  const nlohmann::json state{
      {"steps", status_.steps},
      {"gradient_steps", status_.gradient_steps},
      {"problems", status_.problems},
      {"solved", status_.solved},
      {"strings_scored", status_.strings_scored},
      {"strings_learned", status_.strings_learned},
      {"next_evaluation", next_evaluation_},
      {"seconds", status_.seconds},
      {"evaluated_steps", status_.evaluated_steps},
      {"evaluation", ToJson(status_.evaluation)},
      {"validation", ToJson(status_.validation)},
      {"best_steps", status_.best_steps},
      {"best_validation", status_.best_validation ? nlohmann::json(*status_.best_validation) : nlohmann::json()},
      {"time", {time.expand, time.prepare, time.encode, time.learn, time.evaluate}}};
  std::vector<CheckpointSection> sections = callbacks_.sections;
  sections.push_back({"trainer", [&](const WriteBytes& write) { write(state.dump()); }});
  sections.push_back({"learner", [&](const WriteBytes& write) { write(learned); }});
  for (CheckpointSection& section : SaveMore()) sections.push_back(std::move(section));
  checkpoints.Write(status_.steps, sections);
}

void PackedTrainer::Restore(const std::map<std::string, std::string>& sections) {
  try {
    const nlohmann::json state = nlohmann::json::parse(sections.at("trainer"));
    status_.steps = state.at("steps");
    status_.gradient_steps = state.at("gradient_steps");
    status_.problems = state.at("problems");
    status_.solved = state.at("solved");
    status_.strings_scored = state.at("strings_scored");
    status_.strings_learned = state.at("strings_learned");
    next_evaluation_ = state.at("next_evaluation");
    earlier_seconds_ = state.at("seconds");
    status_.seconds = earlier_seconds_;
    status_.evaluated_steps = state.at("evaluated_steps");
    status_.evaluation = EvaluationOf(state.at("evaluation"));
    status_.validation = EvaluationOf(state.at("validation"));
    status_.best_steps = state.at("best_steps");
    const nlohmann::json& best = state.at("best_validation");
    if (!best.is_null()) status_.best_validation = best.get<double>();
    const nlohmann::json& time = state.at("time");
    std::size_t next = 0;
    for (double* const part :
         {&status_.time.expand, &status_.time.prepare, &status_.time.encode, &status_.time.learn, &status_.time.evaluate}) {
      *part = time.at(next++);
    }
    RestoreMore(sections);
    learner_.Restore(sections.at("learner"));
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the checkpoint is damaged: {}", error.what()));
  } catch (const std::out_of_range&) {
    throw Error("the checkpoint lacks a section");
  }
  UpdateStatus();
}

}  // namespace conpole
