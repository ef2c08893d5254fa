#include "train/loop/schedule.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

namespace conpole {
namespace {

constexpr std::uint64_t kMostBetween = 75'000;  // steps between evaluations
constexpr std::uint64_t kSpacing = 6;           // an evaluation is this many times as far from the beginning as from the next
constexpr std::uint64_t kPatience = 10;         // evaluations
constexpr double kPatiencePart = 0.3;           // of the steps so far
constexpr double kFinishPart = 0.25;            // of the steps so far
constexpr double kGoodEnough = 0.9;             // of the problems: a run that solves this part needs no help
constexpr std::size_t kMostRemedies = 2;
constexpr std::size_t kPerfect = 2;

}  // namespace

Schedule::Schedule(const TrainOptions& options)
    : steps_(options.steps), seconds_(options.seconds), eval_every_(options.eval_every), eval_least_(options.eval_least) {}

double Schedule::PartDone(std::uint64_t steps, double seconds) const {
  double part = 0;
  if (steps_ != 0) part = static_cast<double>(steps) / static_cast<double>(steps_);
  if (seconds_ != 0) part = std::max(part, seconds / (seconds_ - reserved_));
  if (!has_budget() && is_finishing() && steps > finish_begin_) {
    part = static_cast<double>(steps - finish_begin_) / static_cast<double>(finish_end_ - finish_begin_);
  }
  return std::min(1.0, part);
}

double Schedule::SecondsLeft(std::uint64_t steps, double seconds) const {
  if (has_budget()) {
    const double part = PartDone(steps, seconds);
    return part > 0 ? seconds * (1 - part) / part : std::numeric_limits<double>::quiet_NaN();
  }
  if (!is_finishing()) return std::numeric_limits<double>::quiet_NaN();
  return steps >= finish_end_ ? 0 : seconds / static_cast<double>(steps) * static_cast<double>(finish_end_ - steps);
}

std::uint64_t Schedule::NextEvaluation(std::uint64_t steps) const {
  if (eval_every_ != 0) return (steps / eval_every_ + 1) * eval_every_;
  const std::uint64_t next = steps + std::clamp(steps / kSpacing, eval_least_, std::max(eval_least_, kMostBetween));
  return is_finishing() && steps < finish_end_ ? std::min(next, finish_end_) : next;
}

bool Schedule::StandsStill(std::uint64_t steps, const Progress& progress) {
  if (has_budget() || is_finishing()) return false;
  if (progress.validation > best_.validation || progress.level > best_.level) progressed_ = steps;
  best_.validation = std::max(best_.validation, progress.validation);
  best_.level = std::max(best_.level, progress.level);
  const std::uint64_t least = std::max<std::uint64_t>(1, eval_every_ != 0 ? eval_every_ : eval_least_);
  perfect_ = progress.validation >= 1 ? perfect_ + 1 : 0;
  if (perfect_ >= kPerfect) {
    Finish(steps, least);
    return false;
  }
  const auto patience = std::max(kPatience * least, static_cast<std::uint64_t>(kPatiencePart * static_cast<double>(steps)));
  if (steps - progressed_ < patience) return false;
  if (best_.validation >= kGoodEnough || remedies_ == kMostRemedies) {
    Finish(steps, least);
    return false;
  }
  ++remedies_;
  progressed_ = steps;
  return true;
}

void Schedule::Finish(std::uint64_t steps, std::uint64_t least) {
  finish_begin_ = std::max<std::uint64_t>(1, steps);
  finish_end_ = finish_begin_ + std::max(least, static_cast<std::uint64_t>(kFinishPart * static_cast<double>(steps)));
}

nlohmann::json Schedule::Save() const {
  return {
      {"validation", best_.validation}, {"level", best_.level},          {"progressed", progressed_}, {"perfect", perfect_},
      {"remedies", remedies_},          {"finish_begin", finish_begin_}, {"finish_end", finish_end_}, {"reserved", reserved_}};
}

void Schedule::Restore(const nlohmann::json& saved) {
  best_.validation = saved.at("validation");
  best_.level = saved.at("level");
  progressed_ = saved.at("progressed");
  perfect_ = saved.at("perfect");
  remedies_ = saved.at("remedies");
  finish_begin_ = saved.at("finish_begin");
  finish_end_ = saved.at("finish_end");
  Reserve(saved.value("reserved", 0.0));  // earlier versions have none
}

}  // namespace conpole
