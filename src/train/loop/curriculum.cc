#include "train/loop/curriculum.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "train/loop/simplify.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/random_fraction.h"
#include "util/statistics.h"

namespace conpole {
namespace {

constexpr std::size_t kWindow = 256;           // problems, and solutions, that count as recent
constexpr std::size_t kLookEvery = 128;        // problems
constexpr double kAsTheyCome = 0.0625;         // of the problems, while others are the easiest of some
constexpr double kAsTheyComeOfLong = 0.03125;  // the same while others are simplified: these may be much longer
constexpr std::size_t kWindowOfFew = 64;
constexpr std::size_t kEnough = 24;     // of these, to tell whether they are as easy
constexpr double kTooFewSolved = 0.65;  // for a parameter to stay
constexpr double kNearlyAllSolved = 0.85;
constexpr double kSizeGrowth = 1.2;  // of the characters that problems are simplified to
constexpr double kFastGrowth = 1.5;  // the same where all but some are solved
constexpr double kAllButSome = 0.95;
constexpr int kMaxDraws = 10'000;  // in search of a problem that is not solved already

constexpr std::uint64_t kTaskStream = 0x7461736B;  // of random numbers; problems are drawn from the seed itself

double ShareOfTrue(const std::deque<bool>& outcomes) {
  return static_cast<double>(std::count(outcomes.begin(), outcomes.end(), true)) / static_cast<double>(outcomes.size());
}

}  // namespace

Curriculum::Curriculum(const TrainOptions& options)
    : options_(options),
      size_limit_(options.simplify),
      easiest_of_(std::max<std::size_t>(1, options.easiest_of)),
      depth_limit_(options.depth_start),
      level_(options.grow_from),
      last_level_(options.grow_from) {
  if (options_.max_steps != 0) options_.depth_max = options_.max_steps;
  UpdateDepth();
}

Curriculum::Task Curriculum::NextTask(const Domain& domain, bool may_be_solved) {
  Random random(MixHash(MixHash(options_.seed, kTaskStream), rank_ + ranks_ * begun_++));
  const double part_as_they_come = size_limit_ != 0 ? kAsTheyComeOfLong : easiest_of_ > 1 ? kAsTheyCome : 0;
  const bool as_it_comes = part_as_they_come > 0 && RandomFraction(random) < part_as_they_come;
  Task task{Draw(domain, as_it_comes ? 1 : easiest_of_, may_be_solved), as_it_comes ? Origin::kAsItCame : Origin::kEasiest};
  if (size_limit_ != 0) longest_ = std::max(longest_, task.problem.size());
  if (size_limit_ != 0 && !as_it_comes) {
    // Half of them to any size that there was before: when problems of a new kind come with length, there are still short ones.
    const std::size_t size = random.Uint64(0, 2) == 0 ? size_limit_ : random.Uint64(options_.simplify, size_limit_ + 1);
    task.problem = SimplifiedProblem(domain, task.problem, size, random);
  }
  task.axioms_alone = options_.axioms_share > 0 && RandomFraction(random) < options_.axioms_share;
  return task;
}

void Curriculum::Report(Origin origin, bool solved, std::size_t length) {
  if (origin == Origin::kEasiest) return Report(solved, length);
  if (solved) AddLength(length);
  as_they_came_.push_back(solved);
  if (as_they_came_.size() > kWindowOfFew) as_they_came_.pop_front();
}

void Curriculum::StepBack() {
  if (size_limit_ != 0) size_limit_ = std::max(options_.simplify, size_limit_ / 2);
  if (options_.easiest_of > 1) easiest_of_ = std::max<std::size_t>(easiest_of_, 2);
}

void Curriculum::TakeShare(std::size_t rank, std::size_t ranks) {
  if (options_.problems.size() < ranks) {
    throw Error(fmt::format("{} ranks need as many problems, and there are {}", ranks, options_.problems.size()));
  }
  rank_ = rank;
  ranks_ = ranks;
  drawn_ = rank;
}

std::string Curriculum::NextProblem(const Domain& domain, bool may_be_solved) {
  return Draw(domain, easiest_of_, may_be_solved);
}

std::string Curriculum::Draw(const Domain& domain, std::size_t of, bool may_be_solved) {
  const Domain& source = SourceOf(domain);
  std::string shortest;
  std::size_t found = 0;
  for (int draw = 0; draw < kMaxDraws && found < of; ++draw) {
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
  // The lower end of the range that it is the upper end of does not keep problems hard.
  if (options_.grow.starts_with("max_")) {
    const auto lower = values.find("min_" + options_.grow.substr(4));
    if (lower != values.end()) lower->second = std::to_string(std::min(level_, domain.parameters().Integer(lower->first)));
  }
  source_ = domain.type().make(Parameters(domain.type().parameters, values));
  source_level_ = level_;
  return *source_;
}

double Curriculum::solved_rate() const { return outcomes_.empty() ? 0 : ShareOfTrue(outcomes_); }

bool Curriculum::none_solved_lately() const { return outcomes_.size() == kWindow && solved_rate() == 0; }

double Curriculum::mean_length() const {
  if (lengths_.empty()) return 0;
  return std::accumulate(lengths_.begin(), lengths_.end(), 0.0) / static_cast<double>(lengths_.size());
}

double Curriculum::long_length() const {
  if (lengths_.empty()) return 0;
  return Percentile(std::vector<double>(lengths_.begin(), lengths_.end()), 0.95);
}

void Curriculum::Report(bool solved, std::size_t length) {
  outcomes_.push_back(solved);
  if (outcomes_.size() > kWindow) outcomes_.pop_front();
  if (solved) AddLength(length);
  UpdateDepth();
  if (++since_change_ < kLookEvery) return;
  since_change_ = 0;
  if (solved_rate() > kNearlyAllSolved) level_ = std::min(level_ + 1, last_level_);
  if (solved_rate() < kTooFewSolved) level_ = std::max(level_ - 1, options_.grow_from);
  const bool few_solved = solved_rate() < options_.solved_share / 2;
  // Where short problems are not the easy ones, nothing is gained by preferring them, and much may be lost.
  const double as_they_come = as_they_came_.size() < kEnough ? 0 : ShareOfTrue(as_they_came_);
  const bool short_is_easy = as_they_come == 0 || as_they_come < solved_rate();
  const bool many_solved = solved_rate() > options_.solved_share || !short_is_easy;
  ChooseEasiestOf(few_solved, many_solved);
  if (size_limit_ == 0) return;
  const auto size = static_cast<double>(size_limit_);
  if (many_solved && size_limit_ < longest_) {
    const double growth = solved_rate() > kAllButSome ? kFastGrowth : kSizeGrowth;
    size_limit_ = std::min(longest_, static_cast<std::size_t>(std::ceil(size * growth)));
  }
  if (few_solved && short_is_easy) size_limit_ = std::max(options_.simplify, static_cast<std::size_t>(size / kSizeGrowth));
}

void Curriculum::ChooseEasiestOf(bool few_solved, bool many_solved) {
  if (easiest_of_ > 1 && many_solved) {
    easiest_of_ /= 2;
  } else if (few_solved) {
    if (easiest_of_ == 1 && size_limit_ == 0) as_they_came_.clear();  // what is known of them is old
    easiest_of_ = std::min(2 * easiest_of_, std::max<std::size_t>(1, options_.easiest_of));
  }
}

void Curriculum::AddLength(std::size_t length) {
  lengths_.push_back(length);
  if (lengths_.size() > kWindow) lengths_.pop_front();
  UpdateDepth();
}

void Curriculum::UpdateDepth() {
  auto limit = static_cast<double>(options_.depth_start);
  if (!lengths_.empty()) limit = std::max(limit, std::ceil(1.5 * long_length()) + 2);
  depth_limit_ = static_cast<std::size_t>(std::min(limit, static_cast<double>(options_.depth_max)));
}

nlohmann::json Curriculum::Save() const {
  return {{"drawn", drawn_},       {"easiest_of", easiest_of_}, {"since_change", since_change_},
          {"outcomes", outcomes_}, {"lengths", lengths_},       {"as_they_came", as_they_came_},
          {"level", level_},       {"begun", begun_},           {"size_limit", size_limit_},
          {"longest", longest_}};
}

void Curriculum::Restore(const nlohmann::json& saved) {
  try {
    drawn_ = saved.at("drawn");
    easiest_of_ = saved.at("easiest_of");
    since_change_ = saved.at("since_change");
    outcomes_ = saved.at("outcomes").get<std::deque<bool>>();
    as_they_came_ = saved.at("as_they_came").get<std::deque<bool>>();
    lengths_ = saved.at("lengths").get<std::deque<std::size_t>>();
    level_ = saved.at("level");
    last_level_ = level_;
    begun_ = saved.at("begun");
    size_limit_ = options_.simplify == 0 ? 0 : std::max(saved.at("size_limit").get<std::size_t>(), options_.simplify);
    longest_ = saved.at("longest");
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the state of the curriculum is damaged: {}", error.what()));
  }
  UpdateDepth();
}

}  // namespace conpole
