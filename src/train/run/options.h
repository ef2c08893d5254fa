// Everything that can be set about training, with its defaults. settings.h has the names, meanings and ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

// What a search over packed states that has found a solution teaches.
enum class Lessons : std::uint8_t {
  kSolution,   // the states of the solution
  kKnownWays,  // all states from which the search knows a way
};

// What a search over texts that has found a solution teaches.
enum class LearnFrom : std::uint8_t {
  kSolution,   // the steps of the solution
  kShortest,   // besides, the steps of all other ways that are as short
  kKnownWays,  // besides, the shortest known ways of other states
};

// Which experiences of one and the same state are remembered.
enum class ReplayKeeps : std::uint8_t {
  kAll,
  kShortest,  // one: the latest of those with the fewest steps to go
};

// Which examples learn together.
enum class BatchBy : std::uint8_t {
  kChance,
  kLength,  // those of similar length, of what several gradient steps draw: nobody waits for a long text
};

// What searches are guided by while the network does not count.
enum class Chance : std::uint8_t {
  kRandom,
  kShort,  // chance that prefers short texts
};

// How agents that learn from solutions search.
enum class SearchBy : std::uint8_t {
  kBeam,
  kLevin,  // Levin tree search, with rounds as wide as the beam and as many states as a beam would at most expand
};

struct TrainOptions {
  Variant variant = Variant::kRepaired;
  std::uint64_t steps = 10'000'000;  // environment steps: states whose successors are listed
  std::uint64_t seed = 1;
  std::size_t threads = 0;  // 0 for one per core

  std::string network = "lstm";                   // its kind: one of nn/network_kind.h
  std::map<std::string, int, std::less<>> sizes;  // of the network, by name; 0 or none for what is usual
  bool skips_spaces = false;                      // of a network that reads texts
  std::string init;                               // a model file whose weights a new run begins with; empty for random ones

  // Larger steps.
  // After so many steps each, sequences of axioms that recur in the latest solutions become actions, in place of those before.
  std::vector<std::uint64_t> abstract_at = {};
  std::size_t abstract_most = 16;  // actions that are made of them, at the most
  double axioms_share = 0;         // the part of the problems that is searched without abstractions all the same

  // Search.
  SearchBy search = SearchBy::kBeam;
  std::size_t beam = 10;
  BeamValue beam_value = BeamValue::kLastScore;
  double beam_margin = 0;       // states whose value is more than this below the best of their step are not kept; 0 for all
  std::size_t in_flight = 512;  // problems searched at the same time
  SeedRange problems{1'000'000, 10'000'000};
  std::size_t bootstrap = 100;  // the beam is random until so many problems are solved
  std::size_t depth_start = 6;  // steps of a search at the most, in the beginning
  std::size_t depth_max = 30;   // and in the end
  double depth_growth = 0;      // by so much per 1000 problems tried; 0: by the lengths of the solutions found
  std::size_t easiest_of = 64;  // the shortest of up to so many problems is tried, while few are solved
  double solved_share = 0.5;    // problems become harder above it, and easier below half of it
  std::string grow = {};        // a parameter of the domain that begins small and grows to its value as problems are solved
  std::int64_t grow_from = 1;   // where it begins
  std::size_t simplify = 0;     // problems are made as short as this in the beginning; 0 for not at all
  std::string mix = {};         // further domains that problems are drawn from, separated by semicolons
  double walk_away = 0;         // the part of the problems that is made by walking away from solved ones
  double retry = 0;             // the part of the environment steps that goes into trying failed problems again
  std::size_t retries = 3;      // how often a problem is tried again
  double retry_effort = 2;      // each time with a beam so many times as wide
  Chance chance = Chance::kRandom;
  double beam_noise = 0;  // of the scores that searches are guided by: a share of Gumbel's distribution
  // Of agents that draw their steps.
  double temperature = 0.05;  // of the values that steps are drawn by; 0 for the best
  double epsilon = 0;         // the part of the steps that is drawn evenly

  // Experience.
  Negatives negatives = Negatives::kOwnParent;
  std::size_t negatives_kept = 255;  // of a step of a solution, at the most
  LearnFrom learn_from = LearnFrom::kSolution;
  double keep_expected = 1;      // the part of the solutions without any surprise for the policy that is learned from
  std::size_t ways = 4;          // right steps of an experience at the most; of longer ways as many per step of the solution
  std::size_t replay = 200'000;  // steps of solutions that are remembered
  ReplayKeeps replay_keeps = ReplayKeeps::kAll;

  // Learning.
  std::size_t batch = 64;  // examples of a gradient step
  BatchBy batch_by = BatchBy::kChance;
  std::size_t negatives_sampled = 48;  // of an example, at the most
  double value_share = 0;              // the part of the examples that is compared without the states that were left
  double gradient_steps = 1;           // per search that taught something
  double example_uses = 0;             // fewer of them where an example would be learned from more often; 0 for no limit
  double learning_rate = 1e-3;         // after the warm-up
  double final_learning_rate = 0.05;   // part of it that is left after the last step; it falls along a cosine
  std::size_t warmup = 200;            // gradient steps
  double weight_decay = 0.01;
  double clip = 1;                        // of the gradient's norm
  double policy_average = 1;              // the part of the way that the policy goes towards the weights after a gradient step
  double discount = 0.95;                 // of a step, for agents that learn values of a reward
  std::size_t target_every = 100;         // gradient steps after which the slow copy that they ask takes over the weights
  std::size_t max_characters = 1U << 20;  // scored in one pass through the network; bounds the memory that a GPU needs

  // Evaluation: greedy.
  std::uint64_t eval_every = 100'000;  // steps
  SeedRange eval_seeds{0, 200};
  SeedRange validation_seeds{200, 400};  // the best model is chosen on these
  std::size_t eval_max_steps = 30;

  // Of agents that search packed states.
  Lessons lesson = Lessons::kKnownWays;
  double reuse = 10;  // examples that are learned from per environment step
  // Of all that learn over packed states.
  double smoothing = 0;  // the part of the target that is spread evenly over all actions
  // Of agents that learn from reversed walks.
  std::size_t walk_length = 26;
  double average = 1e-3;  // the part of the way that the averaged weights go towards the weights after each gradient step
  double seconds = 0;     // the run is over after so many, if the steps are not done before; 0 for no limit

  // Of runs on several ranks (train/ranks/ranks.h). All other settings are those of the run as a whole, but for device and
  // threads.
  std::size_t actors = 0;          // the last so many ranks only search and the others only learn; 0: all do both
  std::uint64_t weights_age = 64;  // actors search with weights that are at most so many gradient steps old

  // 0: at evaluations and at no other time, after all searches have ended, so that a run that is killed and resumed is the same
  // as one that never was.
  double checkpoint_minutes = 3;
  double minutes = 0;  // stops, to be resumed, after so many; 0 for no limit
};

}  // namespace conpole
