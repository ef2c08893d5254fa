// Contrastive value iteration, from the paper of ConPoLe: learns the value of a state from the same searches and the same steps
// as ConPoLe.
//   as published   the value is a probability: 1 for the states of a solution, 0 for all other candidates of its steps, learned
//                  by cross-entropy. Every state of a solution is worth as much as the next, so that the value says little
//                  about which way to go once far states are solved, too.
//   repaired       a state of a solution is worth more than the other candidates of the same step, and nothing is said about
//                  states of other steps, which no search compares it with: InfoNCE, as for ConPoLe.
#include <memory>
#include <utility>

#include "train/agents/agents.h"
#include "train/agents/solution_steps.h"

namespace conpole {
namespace {

class Cvi final : public Agent {
 public:
  explicit Cvi(TrainOptions options) : options_(std::move(options)) {}

  Head head() const override { return Head::kValue; }
  ScoreMeaning meaning() const override { return is_repaired() ? ScoreMeaning::kLogPreference : ScoreMeaning::kLogOdds; }
  Loss loss() const override { return is_repaired() ? Loss::kContrastive : Loss::kBinary; }
  std::size_t solved_by_chance() const override { return options_.bootstrap; }

  std::unique_ptr<GuidedSearch> MakeSearch(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                           StateTable memory) const override {
    // The value of a state says all that there is to say about the way to it, so the last score is what counts in a beam.
    return MakeLessonSearch(domain, problem, options_, BeamValue::kLastScore, terms, std::move(memory));
  }
  double Teach(const Domain& domain, const GuidedSearch& search, Random& random, ReplayBuffer& replay) const override {
    if (!search.result().solved()) return 0;
    KeepSolutionSteps(domain, search, Negatives::kOwnParent, options_.negatives_kept, random, replay);
    return options_.gradient_steps;
  }
  void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const override {
    // The states that candidates come from are not looked at, so none is read.
    AddSolutionStep(experience, options_.negatives_sampled, Parents::kLeftOut, random, batch);
  }

 private:
  bool is_repaired() const { return options_.variant == Variant::kRepaired; }

  TrainOptions options_;
};

}  // namespace

std::unique_ptr<Agent> MakeCvi(const TrainOptions& options) { return std::make_unique<Cvi>(options); }

// The variants differ in what is learned, not in how.
void AdaptToCvi(TrainOptions& /*options*/) {}

}  // namespace conpole
