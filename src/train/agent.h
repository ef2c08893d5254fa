// An agent: what search it runs, what it keeps of a solution, and what loss it minimises. Everything else about training is the
// same for all. Agents are immutable.
//
//   conpole        learns to prefer the step that led to a solution to all other candidates of the beam's step
//   conpole-local  only to the other successors of the same state
//   cvi            learns the value of a state: whether it lies on a solution
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "search/lockstep.h"
#include "train/learner.h"
#include "train/options.h"
#include "train/replay.h"
#include "util/random.h"

namespace conpole {

class Agent {
 public:
  virtual ~Agent() = default;

  virtual Head head() const = 0;
  virtual Loss loss() const = 0;

  // `max_steps` is the depth that training has come to.
  virtual std::unique_ptr<GuidedSearch> MakeSearch(const Domain& domain, const std::string& problem, std::size_t max_steps,
                                                   StateTable memory) const = 0;
  // Adds what a search that solved its problem teaches. `search` was made by this agent.
  virtual void Keep(const Domain& domain, const GuidedSearch& search, Random& random, ReplayBuffer& replay) const = 0;
  // Adds one experience to what a gradient step learns from.
  virtual void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const = 0;
};

// Throws Error, listing the names that there are, for any other.
std::unique_ptr<Agent> MakeAgent(std::string_view name, const TrainOptions& options);
std::vector<std::string> AgentNames();

}  // namespace conpole
