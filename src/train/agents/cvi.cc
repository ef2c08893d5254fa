// Contrastive value iteration, from the paper of ConPoLe: learns the value of a state from the same searches and the same steps
// as ConPoLe.
//   as published   the value is a probability: 1 for the states of a solution, 0 for all other candidates of its steps, learned
//                  by cross-entropy. Every state of a solution is worth as much as the next, so that the value says little
//                  about which way to go once far states are solved, too.
//   repaired       a state of a solution is worth more than the other candidates of the same step, and nothing is said about
//                  states of other steps, which no search compares it with: InfoNCE, as for ConPoLe.
#include "train/agents/agents.h"
#include "train/agents/solution_steps.h"

namespace conpole {

std::unique_ptr<Agent> MakeCvi(const TrainOptions& options) {
  const bool is_repaired = options.variant == Variant::kRepaired;
  // The value of a state says all that there is to say about the way to it, so the last score is what counts in a beam, and the
  // states that candidates come from are not looked at.
  return MakeLessonAgent(options, {.head = Head::kValue,
                                   .meaning = is_repaired ? ScoreMeaning::kLogPreference : ScoreMeaning::kLogOdds,
                                   .loss = is_repaired ? Loss::kContrastive : Loss::kBinary,
                                   .value = BeamValue::kLastScore,
                                   .parents = Parents::kLeftOut});
}

// The variants differ in what is learned, not in how.
void AdaptToCvi(TrainOptions& /*options*/) {}

}  // namespace conpole
