// The seam between searches over packed states (conpole/fixed_layout.h) and whatever guides them: a policy gives every action
// of a state a log-preference, and may also say how far a state is from the solved one. A policy that runs on a device of its
// own may bring a beam search that stays there. One thread at a time uses a policy and its beam.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conpole/run_search.h"
#include "conpole/search.h"
#include "conpole/stop_token.h"

namespace conpole {

struct PackedBeamOptions {
  std::size_t width = 1024;
  // If it is given, layers are as wide as there is time for, up to `width`: what is left is shared among the layers that are
  // left to max_steps, so that the last one ends about then.
  StopToken::Clock::time_point finish_by = StopToken::Clock::time_point::max();
  std::size_t max_steps = 40;
  std::uint64_t max_evaluated = UINT64_MAX;  // looked at between two steps
  BeamValue value = BeamValue::kLogProbability;
  bool endgame = true;  // whether the ways from states near the solved one are known, or only the solved state itself
  StopToken stop = {};
};

struct PackedResult {
  SearchOutcome outcome = SearchOutcome::kExhausted;
  std::vector<std::uint8_t> actions;  // from the start to the solved state; empty unless solved
  std::uint64_t evaluated = 0;        // states that the policy was asked about
  std::uint64_t candidates = 0;       // successors that were looked at
};

// A beam search over packed states. How it works is said in search/packed_beam.h.
class PackedBeam {
 public:
  virtual ~PackedBeam() = default;

  // `start` has a colour per cell.
  virtual PackedResult Search(std::span<const std::uint8_t> start, const PackedBeamOptions& options) = 0;
};

class PackedPolicy {
 public:
  virtual ~PackedPolicy() = default;

  // What it was made for.
  virtual std::size_t cells() const = 0;
  virtual std::size_t actions() const = 0;

  // Writes a log-preference per action, for each of the states, which come one after the other. A state's preferences depend on
  // the state alone, not on the others.
  virtual void Score(std::span<const std::uint8_t> states, std::span<float> preferences) = 0;
  // Whether it also knows how far states are. If so, this writes that, too: one number per state, which is lower for states
  // that are nearer, and means nothing else.
  virtual bool has_values() const { return false; }
  virtual void ScoreWithValues(std::span<const std::uint8_t> states, std::span<float> preferences,
                               std::span<float> /*values*/) {
    Score(states, preferences);
  }
  // How many states it should be given at a time: few enough to be answered well within a second.
  virtual std::size_t StatesAtATime() const = 0;

  // Its own beam search; null if it has none, which is usual.
  virtual PackedBeam* beam() { return nullptr; }
};

}  // namespace conpole
