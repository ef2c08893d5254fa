#include "train/loop/failures.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace conpole {
namespace {

constexpr std::size_t kMaxWaiting = 2048;
constexpr std::uint64_t kWait = 512;  // searches; the policy has learned something by then

}  // namespace

void FailedProblems::Report(std::string_view problem, std::size_t attempt, bool solved, std::uint64_t steps) {
  ++reported_;
  steps_ += steps;
  if (attempt != 0) steps_again_ += steps;
  if (solved) {
    if (attempt != 0) ++solved_later_;
    return;
  }
  if (share_ == 0 || attempt >= retries_) return;
  queue_.push_back({{std::string(problem), attempt + 1}, reported_ + kWait});
  if (queue_.size() > kMaxWaiting) queue_.pop_front();
}

std::optional<FailedProblems::Problem> FailedProblems::Take() {
  if (queue_.empty() || queue_.front().due > reported_) return {};
  if (static_cast<double>(steps_again_) >= share_ * static_cast<double>(steps_)) return {};
  Problem problem = std::move(queue_.front().problem);
  queue_.pop_front();
  return problem;
}

nlohmann::json FailedProblems::Save() const {
  nlohmann::json queue = nlohmann::json::array();
  for (const Waiting& waiting : queue_) queue.push_back({waiting.problem.text, waiting.problem.attempt, waiting.due});
  return {{"queue", std::move(queue)},
          {"reported", reported_},
          {"steps", steps_},
          {"steps_again", steps_again_},
          {"solved_later", solved_later_}};
}

void FailedProblems::Restore(const nlohmann::json& saved) {
  queue_.clear();
  for (const nlohmann::json& waiting : saved.at("queue")) {
    queue_.push_back({{waiting.at(0), waiting.at(1)}, waiting.at(2)});
  }
  reported_ = saved.at("reported");
  steps_ = saved.at("steps");
  steps_again_ = saved.at("steps_again");
  solved_later_ = saved.at("solved_later");
}

}  // namespace conpole
