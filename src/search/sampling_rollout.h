// A walk that explores: from the problem, each step lists the successors of the state and goes on with one of those never met
// before in this walk, drawn with a probability that grows with its value:
//   p(c) = epsilon / n + (1 - epsilon) * exp(v(c) / temperature) / sum over the n candidates c' of exp(v(c') / temperature)
// where v(c) is the scorer's answer, or its sigmoid where scores are log-odds. Temperature 0 takes the best, epsilon 1 walks at
// random. A solved successor ends the walk as soon as it is listed. Limits: steps. All successors of every state of the walk
// stay known, also those that were met before: learners look ahead to them. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "search/lockstep.h"
#include "util/random.h"

namespace conpole {

struct SamplingOptions {
  std::size_t max_steps = 30;
  double temperature = 1;        // not negative
  double epsilon = 0;            // from 0 to 1
  bool scores_are_odds = false;  // v is the sigmoid of the score
};

// The index of a candidate, drawn as above. `weights` is memory to use again. Requires scores.
std::size_t DrawByScore(std::span<const float> scores, const SamplingOptions& options, Random& random,
                        std::vector<double>& weights);

class SamplingRollout final : public GuidedSearch {
 public:
  // The walk is a function of the problem, the scores and the seed.
  SamplingRollout(const Domain& domain, const std::string& problem, const SamplingOptions& options, std::uint64_t seed,
                  StateTable memory = {});

  Questions Ahead() override { return {{&walk_.back(), 1}, true}; }
  void Expand(const Domain& domain, Successors& buffer) override;
  void Select(const Domain& domain, std::span<const float> scores) override;

  // The states of the walk, from the problem on.
  const std::vector<Id>& walk() const { return walk_; }
  // Of how many of them the successors were listed: all, or all but the last.
  std::size_t listed() const { return successor_ends_.size(); }
  // The distinct successors of walk()[index], without the state itself. Requires index < listed().
  std::span<const Id> SuccessorsOf(std::size_t index) const;

 private:
  SamplingOptions options_;
  Random random_;
  std::vector<Id> walk_;
  std::vector<Id> successors_;
  std::vector<std::size_t> successor_ends_;
  std::vector<double> weights_;  // of the candidates
};

}  // namespace conpole
