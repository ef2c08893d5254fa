// Autodidactic iteration (McAleer and others: Solving the Rubik's Cube with Approximate Policy Iteration, 2018), without its
// policy: learns the value of a state.
//   as published   V(s) = max over the successors c of s of (r(c) + V(c)) - 0.02, where r(c) is 1 if c is solved, else 0. V(c)
//   is
//                  added at solved states, too, although nothing comes after them and V is never learned there.
//   repaired       V(s) = discount * max over the successors c of s of V(c), 1 where s is solved, 0 at dead ends. V is the
//   sigmoid
//                  of the score, so that it stays in its range.
#include <cmath>
#include <memory>

#include "train/agents/agents.h"
#include "train/agents/value_iteration.h"

namespace conpole {

std::unique_ptr<Agent> MakeAdi(const TrainOptions& options) {
  ValueRule rule;
  if (options.variant == Variant::kAsPublished) {
    constexpr float kStep = 0.02F;
    rule.worth = [](float score, bool is_solved) { return is_solved ? 1 + score : score; };
    rule.backup = [](float best) { return best - kStep; };
    return MakeStartsOnlyAgent(options, rule, {.are_solved_ones_learned = false});
  }
  rule.meaning = ScoreMeaning::kLogOdds;
  rule.loss = Loss::kBinary;
  rule.worth = [](float score, bool is_solved) { return is_solved ? 1 : 1 / (1 + std::exp(-score)); };
  rule.backup = [discount = static_cast<float>(options.discount)](float best) { return discount * best; };
  rule.solved = 1;
  rule.dead_end = 0;
  return MakeWalkingAgent(options, rule);
}

void AdaptToAdi(TrainOptions& options) {
  if (options.variant == Variant::kRepaired) return;
  options.easiest_of = 1;
  options.eval_max_steps = 29;
}

}  // namespace conpole
