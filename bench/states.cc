#include "bench/states.h"

#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include "util/random.h"

namespace conpole::bench {
namespace {

constexpr std::uint64_t kFirstSeed = 1'000'000;

}  // namespace

std::vector<std::string> RandomWalkStates(const Domain& domain, std::size_t count) {
  constexpr int kSteps = 12;
  std::vector<std::string> states;
  Random random(kFirstSeed);
  Successors successors;
  for (std::uint64_t seed = kFirstSeed; states.size() < count; ++seed) {
    std::string state = domain.Generate(seed);
    for (int step = 0; step <= kSteps && states.size() < count; ++step) {
      successors.Clear();
      if (domain.Expand(state, Labels::kOff, successors) != Status::kOpen) break;
      states.push_back(state);
      state = successors.state(random.Uint64(0, successors.size()));
    }
  }
  return states;
}

std::vector<std::string> DeepStates(const Domain& domain, std::size_t count) {
  constexpr std::size_t kBeam = 10;
  constexpr int kMinDepth = 10;
  constexpr int kMaxDepth = 20;
  std::vector<std::string> states;
  Random random(kFirstSeed);
  Successors successors;
  for (std::uint64_t seed = kFirstSeed; states.size() < count; ++seed) {
    std::vector<std::string> beam{domain.Generate(seed)};
    std::set<std::string> seen;
    for (int depth = 0; depth <= kMaxDepth && !beam.empty(); ++depth) {
      std::vector<std::string> candidates;
      for (const std::string& state : beam) {
        successors.Clear();
        if (domain.Expand(state, Labels::kOff, successors) != Status::kOpen) continue;
        if (depth >= kMinDepth && states.size() < count) states.push_back(state);
        for (std::size_t i = 0; i < successors.size(); ++i) {
          if (seen.emplace(successors.state(i)).second) candidates.emplace_back(successors.state(i));
        }
      }
      random.Shuffle(std::span(candidates));
      if (candidates.size() > kBeam) candidates.resize(kBeam);
      beam = std::move(candidates);
    }
  }
  return states;
}

}  // namespace conpole::bench
