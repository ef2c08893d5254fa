// What ADI and DAVI have in common: both learn the worth of a state, and the worth of a state is that of its best successor,
// less what a step costs. They differ in the scale. All functions may be called by any thread.
#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "conpole/scorer.h"
#include "train/agents/agent.h"
#include "train/loop/learner.h"
#include "train/run/options.h"

namespace conpole {

// The target of what is looked ahead to and not known: the network says what it is worth when the example is learned.
inline constexpr float kAskTheNetwork = std::numeric_limits<float>::quiet_NaN();

// How scores of the network become worths, and how the worth of the best successor becomes the target of a state.
struct ValueRule {
  ScoreMeaning meaning = ScoreMeaning::kRank;
  Loss loss = Loss::kSquared;
  // The worth of a successor with this score. The higher, the better.
  std::function<float(float score, bool is_solved)> worth;
  // The target of a state whose best successor is worth so much.
  std::function<float(float best)> backup;
  float solved = 0;    // the target of a solved state
  float dead_end = 0;  // and of one that has no successors
};

// As both were published. Each problem that is drawn is an example, and no other state is. Its target is computed once, by the
// network as it is then, and stays. 64 gradient steps are taken on a batch before the next is drawn, and an example costs as
// many environment steps as it looks at states: 1 and its successors.
struct StartsOnly {
  bool are_solved_ones_learned = false;  // whether a problem that is solved already is an example, too
};
std::unique_ptr<Agent> MakeStartsOnlyAgent(const TrainOptions& options, ValueRule rule, StartsOnly published);

// Repaired. The agent walks, drawing steps by their worth, and every state of a walk is an example, the solved one at the end
// included. Targets are made anew whenever an example is learned, by a slow copy of the network.
std::unique_ptr<Agent> MakeWalkingAgent(const TrainOptions& options, ValueRule rule);

// Adds what is learned of an experience and, for its targets, what it looks ahead to.
void AddPairsWithLookahead(const Experience& experience, TrainingBatch& batch);

}  // namespace conpole
