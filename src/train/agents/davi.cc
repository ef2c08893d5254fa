// Deep approximate value iteration (Agostinelli and others: Solving the Rubik's Cube with Deep Reinforcement Learning and
// Search, 2019): learns what it costs to get from a state to a solved one. The score is minus the cost J.
//   as published   J(s) = min over the successors c of s of (0.01 + J(c)), 0 where a state is solved.
//   repaired       J(s) = min over the successors c of s of (1 + J(c)), 0 where a state is solved: the steps to go. Those from
//                  which a search of depth-max steps does not get there, dead ends for example, count as depth-max.
#include <algorithm>
#include <memory>

#include "train/agents/agents.h"
#include "train/agents/value_iteration.h"

namespace conpole {

std::unique_ptr<Agent> MakeDavi(const TrainOptions& options) {
  ValueRule rule;
  rule.worth = [](float score, bool is_solved) { return is_solved ? 0 : score; };
  rule.solved = 0;
  if (options.variant == Variant::kAsPublished) {
    constexpr float kStep = 0.01F;
    rule.backup = [](float best) { return best - kStep; };
    return MakeStartsOnlyAgent(options, rule, {.are_solved_ones_learned = true});
  }
  const float lowest = -static_cast<float>(options.depth_max);
  rule.meaning = ScoreMeaning::kMinusStepsToGo;
  // No state is less than a step away unless it is solved.
  rule.backup = [lowest](float best) { return std::clamp(best - 1, lowest, -1.0F); };
  rule.dead_end = lowest;
  return MakeWalkingAgent(options, rule);
}

void AdaptToDavi(TrainOptions& options) {
  if (options.variant == Variant::kRepaired) {
    options.temperature = 1;  // a difference of one step makes a step e times as likely
    return;
  }
  options.easiest_of = 1;
  options.eval_max_steps = 29;
}

}  // namespace conpole
