#include "train/curriculum.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/statistics.h"

namespace conpole {
namespace {

constexpr std::size_t kWindow = 256;     // problems, and solutions, that count as recent
constexpr std::size_t kLookEvery = 128;  // problems
constexpr double kFewSolved = 0.25;
constexpr double kManySolved = 0.5;
constexpr double kTooFewSolved = 0.65;  // for a parameter to stay
constexpr double kNearlyAllSolved = 0.85;
constexpr int kMaxDraws = 10'000;  // in search of a problem that is not solved already

}  // namespace

Curriculum::Curriculum(const TrainOptions& options)
    : options_(options),
      easiest_of_(std::max<std::size_t>(1, options.easiest_of)),
      depth_limit_(options.depth_start),
      level_(options.grow_from),
      last_level_(options.grow_from) {}

void Curriculum::TakeShare(std::size_t rank, std::size_t ranks) {
  if (options_.problems.size() < ranks) {
    throw Error(fmt::format("{} ranks need as many problems, and there are {}", ranks, options_.problems.size()));
  }
  rank_ = rank;
  ranks_ = ranks;
  drawn_ = rank;
}

std::string Curriculum::NextProblem(const Domain& domain, bool may_be_solved) {
  const Domain& source = SourceOf(domain);
  std::string shortest;
  std::size_t found = 0;
  for (int draw = 0; draw < kMaxDraws && found < easiest_of_; ++draw) {
    Random random(MixHash(options_.seed, std::exchange(drawn_, drawn_ + ranks_)));
    // Every ranks_-th seed is this rank's.
    const std::uint64_t seeds = (options_.problems.size() - rank_ + ranks_ - 1) / ranks_;
    std::string problem = source.Generate(options_.problems.first + rank_ + ranks_ * random.Uint64(0, seeds));
    if (!may_be_solved && domain.Solved(problem)) continue;
    if (found++ == 0 || problem.size() < shortest.size()) shortest = std::move(problem);
  }
  if (found == 0) throw Error(fmt::format("{}: all of {} problems are solved already", domain.Spec(), kMaxDraws));
  return shortest;
}

const Domain& Curriculum::SourceOf(const Domain& domain) {
  if (options_.grow.empty()) return domain;
  if (source_ && source_level_ == level_) return *source_;
  std::map<std::string, std::string> values;
  for (const Parameter& parameter : domain.type().parameters) values[parameter.name] = domain.parameters().Text(parameter.name);
  last_level_ = std::max(options_.grow_from, domain.parameters().Integer(options_.grow));
  level_ = std::min(level_, last_level_);
  values[options_.grow] = std::to_string(level_);
  source_ = domain.type().make(Parameters(domain.type().parameters, values));
  source_level_ = level_;
  return *source_;
}

double Curriculum::solved_rate() const {
  if (outcomes_.empty()) return 0;
  return static_cast<double>(std::count(outcomes_.begin(), outcomes_.end(), true)) / static_cast<double>(outcomes_.size());
}

bool Curriculum::none_solved_lately() const { return outcomes_.size() == kWindow && solved_rate() == 0; }

double Curriculum::mean_length() const {
  if (lengths_.empty()) return 0;
  return std::accumulate(lengths_.begin(), lengths_.end(), 0.0) / static_cast<double>(lengths_.size());
}

void Curriculum::Report(bool solved, std::size_t length) {
  ++tried_;
  outcomes_.push_back(solved);
  if (outcomes_.size() > kWindow) outcomes_.pop_front();
  if (solved) lengths_.push_back(length);
  if (lengths_.size() > kWindow) lengths_.pop_front();
  UpdateDepth();
  if (++since_change_ < kLookEvery) return;
  since_change_ = 0;
  if (solved_rate() > kNearlyAllSolved) level_ = std::min(level_ + 1, last_level_);
  if (solved_rate() < kTooFewSolved) level_ = std::max(level_ - 1, options_.grow_from);
  if (solved_rate() < kFewSolved) easiest_of_ = std::min(2 * easiest_of_, std::max<std::size_t>(1, options_.easiest_of));
  if (solved_rate() > kManySolved) easiest_of_ = std::max<std::size_t>(1, easiest_of_ / 2);
}

void Curriculum::UpdateDepth() {
  auto limit = static_cast<double>(options_.depth_start);
  if (options_.depth_growth > 0) {
    limit += std::floor(options_.depth_growth * static_cast<double>(tried_) / 1000);
  } else if (!lengths_.empty()) {
    const std::vector<double> lengths(lengths_.begin(), lengths_.end());
    limit = std::max(limit, std::ceil(1.5 * Percentile(lengths, 0.95)) + 2);
  }
  depth_limit_ = static_cast<std::size_t>(std::min(limit, static_cast<double>(options_.depth_max)));
}

nlohmann::json Curriculum::Save() const {
  return {{"drawn", drawn_},
          {"tried", tried_},
          {"easiest_of", easiest_of_},
          {"since_change", since_change_},
          {"outcomes", outcomes_},
          {"lengths", lengths_},
          {"level", level_}};
}

void Curriculum::Restore(const nlohmann::json& saved) {
  try {
    drawn_ = saved.at("drawn");
    tried_ = saved.at("tried");
    easiest_of_ = saved.at("easiest_of");
    since_change_ = saved.at("since_change");
    outcomes_ = saved.at("outcomes").get<std::deque<bool>>();
    lengths_ = saved.at("lengths").get<std::deque<std::size_t>>();
    level_ = saved.at("level");
    last_level_ = level_;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the state of the curriculum is damaged: {}", error.what()));
  }
  UpdateDepth();
}

}  // namespace conpole
