#include "train/loop/walked_problems.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace conpole {
namespace {

constexpr std::size_t kMaxStarts = 1024;
constexpr std::size_t kMaxLevel = 64;
constexpr std::size_t kOutcomesPerLevel = 64;  // problems
constexpr double kEasyRate = 0.85;
constexpr double kHardRate = 0.5;

}  // namespace

void WalkedProblems::AddSolution(const std::vector<std::string>& path) {
  if (path.size() < 2) return;
  const std::string& start = path[path.size() - 2];
  if (starts_.size() < kMaxStarts) {
    starts_.push_back(start);
  } else {
    starts_[added_ % kMaxStarts] = start;
  }
  ++added_;
}

WalkedProblems::Walk WalkedProblems::Take(const Domain& domain, Random& random) const {
  Walk walk{starts_[random.Uint64(0, starts_.size())], 0};
  const std::size_t length = random.Uint64(1, level_ + 1);
  Successors successors;
  for (std::size_t step = 0; step < length; ++step) {
    successors.Clear();
    ++walk.listed;
    if (domain.Expand(walk.end, Labels::kOff, successors) != Status::kOpen) break;
    // A step to a solved state would be no way away.
    const std::string_view next = successors.state(random.Uint64(0, successors.size()));
    if (!domain.Solved(next)) walk.end = next;
  }
  return walk;
}

void WalkedProblems::Report(bool solved) {
  outcomes_.push_back(solved);
  if (outcomes_.size() < kOutcomesPerLevel) return;
  const double rate =
      static_cast<double>(std::count(outcomes_.begin(), outcomes_.end(), true)) / static_cast<double>(outcomes_.size());
  if (rate > kEasyRate) level_ = std::min(level_ + 1, kMaxLevel);
  if (rate < kHardRate) level_ = std::max<std::size_t>(level_ - 1, 1);
  outcomes_.clear();
}

nlohmann::json WalkedProblems::Save() const {
  return {{"starts", starts_}, {"added", added_}, {"level", level_}, {"outcomes", outcomes_}};
}

void WalkedProblems::Restore(const nlohmann::json& saved) {
  starts_ = saved.at("starts").get<std::vector<std::string>>();
  added_ = saved.at("added");
  level_ = saved.at("level");
  outcomes_ = saved.at("outcomes").get<std::deque<bool>>();
}

}  // namespace conpole
