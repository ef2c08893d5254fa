#include "train/agents/solution_steps.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace conpole {
namespace {

Experience MakeExperience(const StateTable& states, StateTable::Id state, StateTable::Id next,
                          const std::vector<StateTable::Id>& others, Negatives negatives) {
  Experience experience;
  std::vector<StateTable::Id> parents;  // their texts come first
  const auto index_of_parent = [&](StateTable::Id parent) {
    const auto found = std::find(parents.begin(), parents.end(), parent);
    const auto index = static_cast<std::uint32_t>(std::distance(parents.begin(), found));
    if (found == parents.end()) parents.push_back(parent);
    return index;
  };
  const auto parent_of = [&](StateTable::Id id) { return negatives == Negatives::kAlgorithm1 ? state : states[id].parent; };
  experience.pairs.push_back({index_of_parent(state), 0});
  for (const StateTable::Id id : others) experience.pairs.push_back({index_of_parent(parent_of(id)), 0});
  for (const StateTable::Id parent : parents) experience.texts.push_back(states[parent].text());
  const auto add_candidate = [&](ScoreBatch::Pair& pair, StateTable::Id id) {
    pair.candidate = static_cast<std::uint32_t>(experience.texts.size());
    experience.texts.push_back(states[id].text());
  };
  add_candidate(experience.pairs.front(), next);
  for (std::size_t i = 0; i < others.size(); ++i) add_candidate(experience.pairs[i + 1], others[i]);
  experience.learned = experience.pairs.size();
  experience.targets.assign(experience.pairs.size(), 0);
  experience.targets.front() = 1;
  return experience;
}

}  // namespace

void KeepSolutionSteps(const Domain& domain, const BeamSearch& search, Negatives negatives, std::size_t kept, Random& random,
                       ReplayBuffer& replay) {
  const StateTable& states = search.states();
  std::vector<StateTable::Id> path;  // backwards
  for (StateTable::Id id = search.solved_state(); id != StateTable::kNone; id = states[id].parent) path.push_back(id);
  std::vector<StateTable::Id> step_begins = search.step_begins();
  step_begins.push_back(states.size());
  std::vector<StateTable::Id> others;
  for (std::size_t step = 0; step + 1 < path.size(); ++step) {
    const StateTable::Id state = path[path.size() - 1 - step];
    const StateTable::Id next = path[path.size() - 2 - step];
    const bool is_last = step + 2 == path.size();
    others.clear();
    for (StateTable::Id id = step_begins[step]; id < step_begins[step + 1]; ++id) {
      if (id == next || (negatives == Negatives::kLocal && states[id].parent != state)) continue;
      // Another solved state is as good as the one that was found first.
      if (is_last && domain.Solved(states[id].text())) continue;
      others.push_back(id);
    }
    if (others.empty()) continue;
    if (kept < others.size()) {
      SampleToFront(others, kept, random);
      others.resize(kept);
    }
    replay.Add(MakeExperience(states, state, next, others, negatives));
  }
}

void AddSolutionStep(const Experience& experience, std::size_t sampled, Random& random, TrainingBatch& batch) {
  std::vector<ScoreBatch::Pair> negatives(experience.pairs.begin() + 1, experience.pairs.end());
  sampled = std::min(negatives.size(), sampled);
  SampleToFront(negatives, sampled, random);
  const auto add = [&](const ScoreBatch::Pair& pair, float target) {
    batch.AddPair(experience.texts[pair.parent], experience.texts[pair.candidate], target);
  };
  add(experience.pairs.front(), 1);
  for (std::size_t i = 0; i < sampled; ++i) add(negatives[i], 0);
  batch.EndExample();
}

}  // namespace conpole
