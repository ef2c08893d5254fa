// Contrastive policy learning (Poesia, Dong, Goodman: Contrastive Reinforcement Learning of Symbolic Reasoning Domains, NeurIPS
// 2021): learns to prefer each step of a solution to the other candidates of the beam's step, or, as conpole-local, to the
// other successors of the same state.
#include <memory>
#include <utility>

#include "train/agents/agents.h"
#include "train/agents/solution_steps.h"

namespace conpole {
namespace {

class Conpole final : public Agent {
 public:
  Conpole(TrainOptions options, Negatives negatives) : options_(std::move(options)), negatives_(negatives) {}

  Head head() const override { return Head::kBilinear; }
  ScoreMeaning meaning() const override { return ScoreMeaning::kLogPreference; }
  Loss loss() const override { return Loss::kContrastive; }
  std::size_t solved_by_chance() const override { return options_.bootstrap; }

  std::unique_ptr<GuidedSearch> MakeSearch(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                           StateTable memory) const override {
    return MakeLessonSearch(domain, problem, options_, options_.beam_value, terms, std::move(memory));
  }
  double Teach(const Domain& domain, const GuidedSearch& search, Random& random, ReplayBuffer& replay) const override {
    if (!search.result().solved()) return 0;
    KeepSolutionSteps(domain, search, negatives_, options_.negatives_kept, random, replay);
    return options_.gradient_steps;
  }
  void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const override {
    AddSolutionStep(experience, options_.negatives_sampled, Parents::kRead, random, batch);
  }

 private:
  TrainOptions options_;
  Negatives negatives_;
};

}  // namespace

std::unique_ptr<Agent> MakeConpole(const TrainOptions& options) {
  return std::make_unique<Conpole>(options, options.negatives);
}

std::unique_ptr<Agent> MakeConpoleLocal(const TrainOptions& options) {
  return std::make_unique<Conpole>(options, Negatives::kLocal);
}

}  // namespace conpole
