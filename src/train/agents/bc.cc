// Behavioural cloning, the simplest comparison in the paper of ConPoLe: walks at random until the environment steps are spent,
// and learns to prefer, of all successors of a state, the one that a walk took which solved its problem.
//
// As published, the walks are kept as they were, with all their loops, and learning begins when walking has ended: 5,000
// gradient steps of one example each. Repaired, loops are cut out, since a step that was taken back teaches nothing, and
// gradient steps of whole batches are taken all along, so that the best policy can be chosen by validation.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "train/agents/agents.h"
#include "train/agents/random_walk.h"
#include "train/agents/solution_steps.h"

namespace conpole {
namespace {

constexpr std::size_t kPublishedGradientSteps = 5000;

class Bc final : public AgentWith<RandomWalk> {
 public:
  explicit Bc(TrainOptions options) : options_(std::move(options)) {}

  Head head() const override { return Head::kBilinear; }
  ScoreMeaning meaning() const override { return ScoreMeaning::kLogPreference; }
  Loss loss() const override { return Loss::kContrastive; }
  std::size_t solved_by_chance() const override { return 1; }  // there is nothing to learn before
  std::size_t gradient_steps_at_end() const override { return is_repaired() ? 0 : kPublishedGradientSteps; }

  std::unique_ptr<RandomWalk> Begin(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                    StateTable memory) const override {
    return std::make_unique<RandomWalk>(domain, problem, terms.max_steps, terms.seed, std::move(memory));
  }

  double TeachFrom(const Domain& domain, const RandomWalk& search, Random& random, ReplayBuffer& replay) const override {
    if (!search.result().solved()) return 0;
    const std::vector<StateTable::Id>& walk = search.walk();
    for (std::size_t step = 0; step + 1 < walk.size(); ++step) {
      if (is_repaired()) step = LastTimeAt(walk, step);
      KeepStep(domain, search, step, random, replay);
    }
    return is_repaired() ? options_.gradient_steps : 0;
  }

  void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const override {
    AddSolutionStep(experience, options_.negatives_sampled, Parents::kRead, random, batch);
  }

 private:
  bool is_repaired() const { return options_.variant == Variant::kRepaired; }

  // Where the walk was in the state of this step for the last time. Not its end, which is solved, where no walk goes on.
  static std::size_t LastTimeAt(const std::vector<StateTable::Id>& walk, std::size_t step) {
    std::size_t last = walk.size() - 1;
    while (walk[last] != walk[step]) --last;
    return last;
  }

  void KeepStep(const Domain& domain, const RandomWalk& search, std::size_t step, Random& random, ReplayBuffer& replay) const {
    const StateTable& states = search.states();
    const StateTable::Id state = search.walk()[step];
    const StateTable::Id next = search.walk()[step + 1];
    const bool is_last = next == search.solved_state();
    std::vector<StateTable::Id> others(search.SuccessorsOf(step).begin(), search.SuccessorsOf(step).end());
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::erase_if(others, [&](StateTable::Id id) {
      if (id == next) return true;
      return is_repaired() && (id == state || (is_last && domain.Solved(states[id].text())));
    });
    if (others.empty()) return;
    SampleToFront(others, std::min(others.size(), options_.negatives_kept), random);
    others.resize(std::min(others.size(), options_.negatives_kept));
    Experience experience{
        .texts = {states[state].text(), states[next].text()}, .pairs = {{0, 1}}, .targets = {1}, .learned = 0};
    for (const StateTable::Id id : others) {
      experience.pairs.push_back({0, static_cast<std::uint32_t>(experience.texts.size())});
      experience.targets.push_back(0);
      experience.texts.push_back(states[id].text());
    }
    experience.learned = experience.pairs.size();
    replay.Add(experience);
  }

  TrainOptions options_;
};

}  // namespace

std::unique_ptr<Agent> MakeBc(const TrainOptions& options) { return std::make_unique<Bc>(options); }

void AdaptToBc(TrainOptions& options) {
  options.depth_start = options.depth_max = 20;
  // Random walks never solve so many problems that harder ones would be tried, so the easiest are not much easier here.
  options.easiest_of = 8;
  if (options.variant == Variant::kRepaired) return;
  options.easiest_of = 1;
  options.batch = 1;
  options.final_learning_rate = 1;
  options.eval_max_steps = 29;
}

}  // namespace conpole
