#include "train/agents/solution_steps.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "domains/axioms/abstract_domain.h"

namespace conpole {
namespace {

using Id = StateTable::Id;

// A step of the search: the state that is left, and where it leads.
struct Step {
  Id state;
  Id next;
};

// The first step is the right one.
Experience MakeExperience(const StateTable& states, const std::vector<Step>& steps) {
  Experience experience;
  std::vector<Id> parents;  // their texts come first
  for (const Step& step : steps) {
    const auto found = std::find(parents.begin(), parents.end(), step.state);
    experience.pairs.push_back({static_cast<std::uint32_t>(std::distance(parents.begin(), found)), 0});
    if (found == parents.end()) parents.push_back(step.state);
  }
  for (const Id parent : parents) experience.texts.push_back(states[parent].text());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    experience.pairs[i].candidate = static_cast<std::uint32_t>(experience.texts.size());
    experience.texts.push_back(states[steps[i].next].text());
  }
  experience.learned = experience.pairs.size();
  experience.targets.assign(experience.pairs.size(), 0);
  experience.targets.front() = 1;
  return experience;
}

// The states between the axioms of a step that is an abstraction.
std::vector<std::string> StatesBetween(const AbstractDomain& domain, std::string_view before, std::string_view after) {
  std::vector<std::string> between;
  for (AxiomStep& step : domain.Open(before, after)) between.push_back(std::move(step.after));
  between.pop_back();
  return between;
}

}  // namespace

void KeepSolutionSteps(const Domain& domain, const GuidedSearch& search, Negatives negatives, std::size_t kept, Random& random,
                       ReplayBuffer& replay) {
  const StateTable& states = search.states();
  const auto* const abstract = dynamic_cast<const AbstractDomain*>(&domain);
  std::vector<Id> path;
  for (Id id = search.solved_state(); id != StateTable::kNone; id = states[id].parent) path.push_back(id);
  std::reverse(path.begin(), path.end());
  std::vector<Id> round_begins = search.round_begins();
  round_begins.push_back(states.size());
  std::vector<Step> others;
  for (std::size_t step = 0; step + 1 < path.size(); ++step) {
    const Id next = path[step + 1];
    const bool is_last = step + 2 == path.size();
    const auto round_end = std::upper_bound(round_begins.begin(), round_begins.end(), next);
    std::vector<std::string> between;
    if (abstract != nullptr) between = StatesBetween(*abstract, states[path[step]].text(), states[next].text());
    others.clear();
    for (Id id = *std::prev(round_end); id < *round_end; ++id) {
      if (id == next || (is_last && domain.Solved(states[id].text()))) continue;
      if (std::find(between.begin(), between.end(), states[id].text()) != between.end()) continue;
      if (negatives == Negatives::kLocal && states[id].parent != path[step]) continue;
      others.push_back({negatives == Negatives::kAlgorithm1 ? path[step] : states[id].parent, id});
    }
    if (others.empty()) continue;
    if (others.size() > kept) {
      SampleToFront(others, kept, random);
      others.resize(kept);
    }
    others.insert(others.begin(), {path[step], next});
    replay.Add(MakeExperience(states, others));
  }
}

void AddSolutionStep(const Experience& experience, std::size_t sampled, Parents parents, Random& random, TrainingBatch& batch) {
  const auto rights = std::find(experience.targets.begin(), experience.targets.end(), 0.0F) - experience.targets.begin();
  std::vector<ScoreBatch::Pair> negatives(experience.pairs.begin() + rights, experience.pairs.end());
  sampled = std::min(negatives.size(), sampled);
  SampleToFront(negatives, sampled, random);
  const auto add = [&](const ScoreBatch::Pair& pair, float target) {
    batch.AddPair(parents == Parents::kRead ? experience.texts[pair.parent] : std::string_view(),
                  experience.texts[pair.candidate], target);
  };
  for (std::ptrdiff_t right = 0; right < rights; ++right) {
    add(experience.pairs[static_cast<std::size_t>(right)], 1);
    for (std::size_t i = 0; i < sampled; ++i) add(negatives[i], 0);
    batch.EndExample();
  }
}

namespace {

class LessonAgent final : public Agent {
 public:
  LessonAgent(TrainOptions options, const LessonRule& rule) : options_(std::move(options)), rule_(rule) {}

  Head head() const override { return rule_.head; }
  ScoreMeaning meaning() const override { return rule_.meaning; }
  Loss loss() const override { return rule_.loss; }
  std::size_t solved_by_chance() const override { return options_.bootstrap; }

  std::unique_ptr<GuidedSearch> MakeSearch(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                           StateTable memory) const override {
    const BeamOptions beam{.width = terms.WidthOf(options_.beam), .max_steps = terms.max_steps, .value = rule_.value};
    return std::make_unique<BeamSearch>(domain, problem, beam, std::move(memory));
  }
  double Teach(const Domain& domain, const GuidedSearch& search, Random& random, ReplayBuffer& replay) const override {
    if (!search.result().solved()) return 0;
    KeepSolutionSteps(domain, search, rule_.negatives, options_.negatives_kept, random, replay);
    return options_.gradient_steps;
  }
  void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const override {
    AddSolutionStep(experience, options_.negatives_sampled, rule_.parents, random, batch);
  }

 private:
  TrainOptions options_;
  LessonRule rule_;
};

}  // namespace

std::unique_ptr<Agent> MakeLessonAgent(const TrainOptions& options, const LessonRule& rule) {
  return std::make_unique<LessonAgent>(options, rule);
}

}  // namespace conpole
