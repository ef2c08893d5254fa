// Contrastive policy learning (Poesia, Dong, Goodman: Contrastive Reinforcement Learning of Symbolic Reasoning Domains, NeurIPS
// 2021): learns to prefer each step of a solution to the other candidates of the beam's step, or, as conpole-local, to the
// other successors of the same state.
#include "train/agents/agents.h"
#include "train/agents/solution_steps.h"

namespace conpole {

std::unique_ptr<Agent> MakeConpole(const TrainOptions& options) {
  return MakeLessonAgent(options, {.value = options.beam_value, .negatives = options.negatives});
}

std::unique_ptr<Agent> MakeConpoleLocal(const TrainOptions& options) {
  return MakeLessonAgent(options, {.value = options.beam_value, .negatives = Negatives::kLocal});
}

}  // namespace conpole
