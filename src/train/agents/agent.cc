#include "train/agents/agent.h"

#include <fmt/format.h>

#include "conpole/error.h"
#include "train/agents/agents.h"

namespace conpole {
namespace {

constexpr AgentType kAgents[] = {
    {"conpole", "prefers the step that led to a solution to all other candidates of the beam's step", MakeConpole, true},
    {"conpole-local", "prefers it only to the other successors of the same state", MakeConpoleLocal, true},
    {"cvi", "learns the value of a state: what lies on a solution is worth more than what does not", MakeCvi, true, AdaptToCvi},
    {"drrn", "learns the discounted reward of each step from walks, by Q-learning", MakeDrrn, false, AdaptToDrrn},
    {"adi", "learns the value of a state from those of its successors, by value iteration", MakeAdi, false, AdaptToAdi},
    {"davi", "learns the steps to go from a state from those of its successors", MakeDavi, false, AdaptToDavi},
    {"bc", "imitates the random walks that happened to solve their problem", MakeBc, false, AdaptToBc},
    {"walks", "prefers the step that undoes the last one of a walk away from the solved state", nullptr},
};

}  // namespace

std::span<const AgentType> AgentTypes() { return kAgents; }

std::unique_ptr<Agent> MakeAgent(std::string_view name, const TrainOptions& options) {
  if (LearnsFromWalks(name)) throw Error(fmt::format("the agent {} learns from no search", name));
  return FindAgentType(name)->make(options);
}

bool LearnsFromWalks(std::string_view name) {
  const AgentType* const type = FindAgentType(name);
  if (type == nullptr) throw Error(fmt::format("unknown agent '{}'; there are: {}", name, fmt::join(AgentNames(), ", ")));
  return type->make == nullptr;
}

bool TeachesPackedNetworks(std::string_view name) { return LearnsFromWalks(name) || name == "conpole-local"; }

const AgentType* FindAgentType(std::string_view name) {
  for (const AgentType& type : kAgents) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::vector<std::string> AgentNames() {
  std::vector<std::string> names;
  for (const AgentType& type : kAgents) names.emplace_back(type.name);
  return names;
}

}  // namespace conpole
