#include "train/agent.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "search/beam_search.h"

namespace conpole {
namespace {

// Moves `count` items, chosen at random, to the front.
template <class T>
void SampleToFront(std::vector<T>& items, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < count; ++i) std::swap(items[i], items[random.Uint64(i, items.size())]);
}

// Contrastive policy learning, which conpole-local and cvi are variants of.
class ContrastiveAgent : public Agent {
 public:
  ContrastiveAgent(const TrainOptions& options, Negatives negatives) : options_(options), negatives_(negatives) {}

  Head head() const override { return Head::kBilinear; }
  Loss loss() const override { return Loss::kContrastive; }

  std::unique_ptr<GuidedSearch> MakeSearch(const Domain& domain, const std::string& problem, std::size_t max_steps,
                                           StateTable memory) const override {
    const BeamOptions beam{.width = options_.beam, .max_steps = max_steps, .value = beam_value()};
    return std::make_unique<BeamSearch>(domain, problem, beam, std::move(memory));
  }

  void Keep(const Domain& domain, const GuidedSearch& search, Random& random, ReplayBuffer& replay) const override {
    const StateTable& states = search.states();
    std::vector<StateTable::Id> path;  // backwards
    for (StateTable::Id id = search.solved_state(); id != StateTable::kNone; id = states[id].parent) path.push_back(id);
    std::vector<StateTable::Id> step_begins = dynamic_cast<const BeamSearch&>(search).step_begins();
    step_begins.push_back(states.size());
    std::vector<StateTable::Id> others;
    for (std::size_t step = 0; step + 1 < path.size(); ++step) {
      const StateTable::Id state = path[path.size() - 1 - step];
      const StateTable::Id next = path[path.size() - 2 - step];
      const bool is_last = step + 2 == path.size();
      others.clear();
      for (StateTable::Id id = step_begins[step]; id < step_begins[step + 1]; ++id) {
        if (id == next || (negatives_ == Negatives::kLocal && states[id].parent != state)) continue;
        // Another solved state is as good as the one that was found first.
        if (is_last && domain.Solved(states[id].text())) continue;
        others.push_back(id);
      }
      if (others.empty()) continue;
      const std::size_t kept = std::min(others.size(), options_.negatives_kept);
      if (kept < others.size()) SampleToFront(others, kept, random);
      others.resize(kept);
      replay.Add(MakeExperience(states, state, next, others));
    }
  }

  void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const override {
    std::vector<ScoreBatch::Pair> negatives(experience.pairs.begin() + 1, experience.pairs.end());
    const std::size_t sampled = std::min(negatives.size(), options_.negatives_sampled);
    SampleToFront(negatives, sampled, random);
    const auto add = [&](const ScoreBatch::Pair& pair) {
      batch.AddPair(experience.texts[pair.parent], experience.texts[pair.candidate]);
    };
    add(experience.pairs.front());
    std::for_each_n(negatives.begin(), sampled, add);
    batch.EndExample();
  }

 protected:
  virtual BeamValue beam_value() const { return options_.beam_value; }

 private:
  Experience MakeExperience(const StateTable& states, StateTable::Id state, StateTable::Id next,
                            const std::vector<StateTable::Id>& others) const {
    Experience experience;
    std::vector<StateTable::Id> parents;  // their texts come first
    const auto index_of_parent = [&](StateTable::Id parent) {
      const auto found = std::find(parents.begin(), parents.end(), parent);
      if (found == parents.end()) parents.push_back(parent);
      return static_cast<std::uint32_t>(std::distance(parents.begin(), std::find(parents.begin(), parents.end(), parent)));
    };
    const auto parent_of = [&](StateTable::Id id) { return negatives_ == Negatives::kAlgorithm1 ? state : states[id].parent; };
    experience.pairs.push_back({index_of_parent(state), 0});
    for (const StateTable::Id id : others) experience.pairs.push_back({index_of_parent(parent_of(id)), 0});
    for (const StateTable::Id parent : parents) experience.texts.push_back(states[parent].text());
    const auto add_candidate = [&](ScoreBatch::Pair& pair, StateTable::Id id) {
      pair.candidate = static_cast<std::uint32_t>(experience.texts.size());
      experience.texts.push_back(states[id].text());
    };
    add_candidate(experience.pairs.front(), next);
    for (std::size_t i = 0; i < others.size(); ++i) add_candidate(experience.pairs[i + 1], others[i]);
    return experience;
  }

  TrainOptions options_;
  Negatives negatives_;
};

class ValueAgent final : public ContrastiveAgent {
 public:
  explicit ValueAgent(const TrainOptions& options) : ContrastiveAgent(options, Negatives::kOwnParent) {}

  Head head() const override { return Head::kValue; }
  Loss loss() const override { return Loss::kBinary; }

 protected:
  // The value of a state says all that there is to say about the way to it.
  BeamValue beam_value() const override { return BeamValue::kLastScore; }
};

struct AgentType {
  std::string_view name;
  std::unique_ptr<Agent> (*make)(const TrainOptions& options);
};

constexpr AgentType kAgents[] = {
    {"conpole",
     [](const TrainOptions& options) -> std::unique_ptr<Agent> {
       return std::make_unique<ContrastiveAgent>(options, options.negatives);
     }},
    {"conpole-local",
     [](const TrainOptions& options) -> std::unique_ptr<Agent> {
       return std::make_unique<ContrastiveAgent>(options, Negatives::kLocal);
     }},
    {"cvi", [](const TrainOptions& options) -> std::unique_ptr<Agent> { return std::make_unique<ValueAgent>(options); }},
};

}  // namespace

std::unique_ptr<Agent> MakeAgent(std::string_view name, const TrainOptions& options) {
  for (const AgentType& type : kAgents) {
    if (type.name == name) return type.make(options);
  }
  throw Error(fmt::format("unknown agent '{}'; there are: {}", name, fmt::join(AgentNames(), ", ")));
}

std::vector<std::string> AgentNames() {
  std::vector<std::string> names;
  for (const AgentType& type : kAgents) names.emplace_back(type.name);
  return names;
}

}  // namespace conpole
