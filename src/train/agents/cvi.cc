// Contrastive value iteration, from the paper of ConPoLe: learns the value of a state from the same searches and the same steps
// as ConPoLe.
//   as published   1 for the states of a solution, 0 for all other candidates of its steps. Every state of a solution is worth
//   as
//                  much as the next, so that the value says little about which way to go once far states are solved, too.
//   repaired       discount^k for a state of the solution from which it takes k more steps, and discount^(k+2) for the other
//                  candidates of that step: at worst they can be taken back, which costs two steps.
#include <cmath>
#include <memory>
#include <utility>

#include "search/beam_search.h"
#include "train/agents/agents.h"
#include "train/agents/solution_steps.h"

namespace conpole {
namespace {

class Cvi final : public AgentWith<BeamSearch> {
 public:
  explicit Cvi(TrainOptions options) : options_(std::move(options)) {}

  Head head() const override { return Head::kValue; }
  ScoreMeaning meaning() const override { return ScoreMeaning::kLogOdds; }
  Loss loss() const override { return Loss::kBinary; }
  std::size_t solved_by_chance() const override { return options_.bootstrap; }

  std::unique_ptr<BeamSearch> Begin(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                    StateTable memory) const override {
    // The value of a state says all that there is to say about the way to it, so the last score is what counts.
    const BeamOptions beam{.width = options_.beam, .max_steps = terms.max_steps, .value = BeamValue::kLastScore};
    return std::make_unique<BeamSearch>(domain, problem, beam, std::move(memory));
  }
  double TeachFrom(const Domain& domain, const BeamSearch& search, Random& random, ReplayBuffer& replay) const override {
    if (!search.result().solved()) return 0;
    const auto targets = [this](std::size_t steps_left) -> StepTargets {
      if (options_.variant == Variant::kAsPublished) return {.right = 1, .others = 0};
      const auto left = static_cast<double>(steps_left);
      return {.right = static_cast<float>(std::pow(options_.discount, left)),
              .others = static_cast<float>(std::pow(options_.discount, left + 2))};
    };
    KeepSolutionSteps(domain, search, Negatives::kOwnParent, options_.negatives_kept, targets, random, replay);
    return options_.gradient_steps;
  }
  void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const override {
    AddSolutionStep(experience, options_.negatives_sampled, random, batch);
  }

 private:
  TrainOptions options_;
};

}  // namespace

std::unique_ptr<Agent> MakeCvi(const TrainOptions& options) { return std::make_unique<Cvi>(options); }

SettingValues CviSettings(Variant variant) {
  if (variant == Variant::kRepaired) return {{"discount", "0.9"}};
  return {};
}

}  // namespace conpole
