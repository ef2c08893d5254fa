#include "search/sampling_rollout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "util/random_fraction.h"

namespace conpole {

std::size_t DrawByScore(std::span<const float> scores, const SamplingOptions& options, Random& random,
                        std::vector<double>& weights) {
  if (RandomFraction(random) < options.epsilon) return static_cast<std::size_t>(random.Uint64(0, scores.size()));
  const auto best = std::max_element(scores.begin(), scores.end());
  if (options.temperature == 0) return static_cast<std::size_t>(best - scores.begin());
  const auto value_of = [&](float score) {
    return options.scores_are_odds ? 1 / (1 + std::exp(-static_cast<double>(score))) : static_cast<double>(score);
  };
  weights.resize(scores.size());
  const double highest = value_of(*best);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    weights[i] = std::exp((value_of(scores[i]) - highest) / options.temperature);
  }
  double left = RandomFraction(random) * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return weights.size() - 1;
}

SamplingRollout::SamplingRollout(const Domain& domain, const std::string& problem, const SamplingOptions& options,
                                 std::uint64_t seed, StateTable memory)
    : GuidedSearch(domain, problem, std::move(memory)), options_(options), random_(seed), walk_{0} {
  if (!finished() && options.max_steps == 0) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

void SamplingRollout::Expand(const Domain& domain, Successors& buffer) {
  BeginCandidates();
  const std::size_t first = successors_.size();
  Id solved = StateTable::kNone;
  ExpandState(domain, walk_.back(), buffer, [&](Id id, bool fresh) {
    if (id != walk_.back()) successors_.push_back(id);
    if (fresh && solved == StateTable::kNone && domain.Solved(states()[id].text())) solved = id;
  });
  const auto begin = successors_.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, successors_.end());
  successors_.erase(std::unique(begin, successors_.end()), successors_.end());
  successor_ends_.push_back(successors_.size());
  if (solved != StateTable::kNone) {
    walk_.push_back(solved);
    FinishSolved(solved);
  } else if (candidates() == 0) {
    FinishUnsolved(SearchOutcome::kExhausted);
  }
}

void SamplingRollout::Select(const Domain& /*domain*/, std::span<const float> scores) {
  walk_.push_back(first_candidate() + static_cast<Id>(DrawByScore(scores, options_, random_, weights_)));
  if (walk_.size() > options_.max_steps) FinishUnsolved(SearchOutcome::kOutOfBudget);
}

std::span<const SamplingRollout::Id> SamplingRollout::SuccessorsOf(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : successor_ends_[index - 1];
  return std::span(successors_).subspan(begin, successor_ends_[index] - begin);
}

}  // namespace conpole
