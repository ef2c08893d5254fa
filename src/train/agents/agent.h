// An agent: what search it runs, what it takes from a search that has ended, how examples and targets are made of that, and
// what loss it minimises. Everything else about training is the same for all. Agents are immutable; any thread may use them.
//
// Each has a file in train/agents/ and a line in the table in agent.cc; docs/adding-an-agent.md shows how to add one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "search/lockstep.h"
#include "train/loop/learner.h"
#include "train/loop/replay.h"
#include "train/run/options.h"
#include "util/random.h"

namespace conpole {

// What the training loop decides about a search.
struct SearchTerms {
  std::size_t max_steps = 0;  // the depth that training has come to
  std::uint64_t seed = 0;     // for agents that explore: another one for each search
  double effort = 1;          // how many times as wide as usual a beam may be

  std::size_t WidthOf(std::size_t usual) const { return static_cast<std::size_t>(static_cast<double>(usual) * effort); }
};

class Agent {
 public:
  virtual ~Agent() = default;

  virtual Head head() const = 0;
  virtual ScoreMeaning meaning() const = 0;
  virtual Loss loss() const = 0;
  // The slow copy of the network that SetTargets is given scores of. None by default.
  virtual TargetNetwork target_network() const { return {}; }
  // How many problems are to be solved by chance before the network is asked and learns. 0 for agents that failures teach, too.
  virtual std::size_t solved_by_chance() const = 0;
  // Whether problems that are solved already teach something. They are not tried otherwise.
  virtual bool takes_solved_problems() const { return false; }
  // Gradient steps that are taken on one batch before the next is drawn.
  virtual std::size_t gradient_steps_per_batch() const { return 1; }
  // Gradient steps that are taken once all environment steps are done, for agents that do not learn until then. The network is
  // neither asked nor evaluated before.
  virtual std::size_t gradient_steps_at_end() const { return 0; }

  // How the agent explores is up to the search. `memory` is a table to use again.
  virtual std::unique_ptr<GuidedSearch> MakeSearch(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                                   StateTable memory) const = 0;
  // Adds what a search that has ended teaches, whether it solved its problem or not, and returns how many gradient steps it
  // earns. `search` was made by this agent.
  virtual double Teach(const Domain& domain, const GuidedSearch& search, Random& random, ReplayBuffer& replay) const = 0;
  // The environment steps that a search which has ended counts as: the states whose successors it listed.
  virtual std::uint64_t StepsOf(const GuidedSearch& search) const { return search.result().expanded; }
  // Adds one experience to what a gradient step learns from, as one example.
  virtual void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const = 0;
  // Makes targets, right before the gradient step, of what the slow copy says about batch.lookahead(). Called by the network's
  // thread, and only for batches that look ahead.
  virtual void SetTargets(std::span<const float> /*lookahead_scores*/, TrainingBatch& /*batch*/) const {}
};

// An agent all of whose searches are of the type Search, so that it gets them back as such.
template <class Search>
class AgentWith : public Agent {
 public:
  virtual std::unique_ptr<Search> Begin(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                        StateTable memory) const = 0;
  virtual double TeachFrom(const Domain& domain, const Search& search, Random& random, ReplayBuffer& replay) const = 0;

  std::unique_ptr<GuidedSearch> MakeSearch(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                           StateTable memory) const final {
    return Begin(domain, problem, terms, std::move(memory));
  }
  double Teach(const Domain& domain, const GuidedSearch& search, Random& random, ReplayBuffer& replay) const final {
    return TeachFrom(domain, static_cast<const Search&>(search), random, replay);
  }
};

struct AgentType {
  std::string_view name;
  std::string_view summary;
  // Null for what learns from reversed walks and not from searches: train/loop/walk_trainer.h.
  std::unique_ptr<Agent> (*make)(const TrainOptions& options);
  bool learns_from_beams = false;  // from the solutions that beams find, so that it needs no budget (train/loop/schedule.h)
  // Sets what is usual for the variant of the options, which holds where nothing else is given. Null for agents that have one
  // variant only.
  void (*adapt)(TrainOptions& options) = nullptr;
};

// All agents that there are.
std::span<const AgentType> AgentTypes();
// All three throw Error, listing the names that there are, for any other; MakeAgent also for what does not search.
bool LearnsFromWalks(std::string_view name);
// Whether it can teach networks that read packed states: such a network prefers among the actions of one state.
bool TeachesPackedNetworks(std::string_view name);
std::unique_ptr<Agent> MakeAgent(std::string_view name, const TrainOptions& options);
std::vector<std::string> AgentNames();
// Null if there is none of this name.
const AgentType* FindAgentType(std::string_view name);

}  // namespace conpole
