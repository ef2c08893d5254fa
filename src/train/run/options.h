// Everything that training depends on. recipe.h says what it is for which agent and device, and settings.h what a user can set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/beam_search.h"
#include "util/seed_range.h"

namespace conpole {

// Which pairs stand against the right one.
enum class Negatives : std::uint8_t {
  kOwnParent,   // every other new candidate of the beam's step, each scored against its own parent
  kAlgorithm1,  // the same candidates, scored against the solution's state, as the paper writes it
  kLocal,       // only candidates of the solution's state
};

// Agents of the paper whose program was at fault can be run as it was, to compare, and as it should have been (docs/agents.md).
enum class Variant : std::uint8_t { kRepaired, kAsPublished };

// The network that learns.
struct NetworkChoice {
  std::string kind = "lstm";                      // one of nn/network_kind.h
  std::map<std::string, int, std::less<>> sizes;  // by name; none for what is usual
  std::optional<bool> skips_spaces;               // of the texts that it reads; nothing: if states differ without them

  bool operator==(const NetworkChoice&) const = default;
};

struct TrainOptions {
  Variant variant = Variant::kRepaired;
  std::uint64_t steps = 0;  // environment steps: states whose successors are listed; 0 for as many as it takes (schedule.h)
  double seconds = 0;       // the run is over after this time, if the steps are not done before; 0 for no limit
  std::uint64_t seed = 1;
  std::size_t threads = 0;  // 0 for one per core

  NetworkChoice network;
  std::string init;  // a model file whose weights a new run begins with; empty for random ones

  // Larger steps.
  // Each time this many steps were made, sequences of axioms that recur in the latest solutions become actions, in place of
  // those before.
  std::vector<std::uint64_t> abstract_at = {};
  double axioms_share = 0;  // the part of the problems that is searched without abstractions all the same

  // Search.
  std::size_t beam = 10;
  BeamValue beam_value = BeamValue::kLastScore;
  std::size_t in_flight = 512;  // problems searched at the same time
  SeedRange problems{1'000'000, 10'000'000};
  std::size_t bootstrap = 100;     // the beam is random until this many problems are solved
  std::size_t max_steps = 0;       // of a solution, in searches and evaluations; 0 for what stands in the next three
  std::size_t depth_start = 6;     // steps of a search at the most, in the beginning
  std::size_t depth_max = 60;      // and in the end; in between it follows the solutions
  std::size_t eval_max_steps = 0;  // of an evaluation; 0 for 30, or depth_max where solutions are longer
  std::size_t easiest_of = 64;     // the shortest of up to this many problems is tried, while few are solved
  double solved_share = 0.5;       // problems become harder above it, and easier below half of it
  std::size_t simplify = 0;        // problems are made as short as this in the beginning; 0 for not at all
  std::string grow = {};           // a parameter of the domain that begins small and grows to its value as problems are solved
  std::int64_t grow_from = 2;      // where it begins
  // Of agents that draw their steps.
  double temperature = 0.05;  // of the values that steps are drawn by; 0 for the best
  double epsilon = 0;         // the part of the steps that is drawn evenly

  // Experience.
  Negatives negatives = Negatives::kOwnParent;
  std::size_t negatives_kept = 255;  // of a step of a solution, at the most
  std::size_t replay = 200'000;      // steps of solutions that are remembered

  // Learning.
  std::size_t batch = 64;              // examples of a gradient step
  std::size_t negatives_sampled = 32;  // of an example, at the most
  double gradient_steps = 1;           // per search that taught something
  double learning_rate = 1e-3;         // after the warm-up
  double final_learning_rate = 0.05;   // part of it that is left in the end; it falls along a cosine
  std::size_t warmup = 200;            // gradient steps
  double weight_decay = 0.01;
  double clip = 1;                 // of the gradient's norm
  double discount = 0.95;          // of a step, for agents that learn values of a reward
  std::size_t target_every = 100;  // gradient steps after which the slow copy that they ask takes over the weights

  // Evaluation: greedy.
  std::uint64_t eval_every = 100'000;  // steps; 0 for often at first and more seldom later
  std::uint64_t eval_least = 2000;     // and then no fewer steps than these
  SeedRange eval_seeds{0, 200};
  SeedRange validation_seeds{200, 400};  // the best model is chosen on these

  // Of agents that search packed states.
  double reuse = 10;  // examples that are learned from per environment step
  // Of all that learn over packed states.
  double smoothing = 0;   // the part of the target that is spread evenly over all actions
  double average = 1e-3;  // the part of the way that the averaged weights go towards the weights after each gradient step
  // Of agents that learn from reversed walks.
  std::size_t walk_length = 26;
  double value_weight = 0;  // of how far states are, beside what undoes the last step; 0: the network does not say it

  // 0: at evaluations and at no other time, after all searches have ended, so that a run that is killed and resumed is the same
  // as one that never was.
  double checkpoint_minutes = 3;
};

}  // namespace conpole
