// What agents that learn from the solutions of beams have in common: each step of a solution is an experience, the pair (state,
// next state) and the pairs that the beam could have gone on with: the other new candidates of that step. All functions may be
// called by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "search/beam_search.h"
#include "search/lockstep.h"
#include "train/agents/agent.h"
#include "train/loop/replay.h"
#include "train/loop/training_batch.h"
#include "train/run/options.h"
#include "util/random.h"

namespace conpole {

// Moves `count` items, chosen at random, to the front. Requires that there are that many.
template <class T>
void SampleToFront(std::vector<T>& items, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < count; ++i) std::swap(items[i], items[random.Uint64(i, items.size())]);
}

// Whether a network reads the states that candidates come from. Where they are left out, all candidates come from the empty
// text: what is learned then is what a state is worth.
enum class Parents : std::uint8_t { kRead, kLeftOut };

// An agent that learns from the solutions of beams.
struct LessonRule {
  Head head = Head::kBilinear;
  ScoreMeaning meaning = ScoreMeaning::kLogPreference;
  Loss loss = Loss::kContrastive;
  BeamValue value = BeamValue::kLastScore;  // that beams keep the best by
  Negatives negatives = Negatives::kOwnParent;
  Parents parents = Parents::kRead;
};
std::unique_ptr<Agent> MakeLessonAgent(const TrainOptions& options, const LessonRule& rule);

// Adds what a search that was solved teaches: each step of the solution that was found, with target 1, against the other
// candidates of its round, at most `kept` of them, drawn at random, with target 0. Another solved state is not held against the
// one that was found.
void KeepSolutionSteps(const Domain& domain, const GuidedSearch& search, Negatives negatives, std::size_t kept, Random& random,
                       ReplayBuffer& replay);

// Adds such an experience as an example, with at most `sampled` of the others, drawn at random. Should several pairs have the
// target 1, which then stand first, there is an example for each, with the same of the others.
void AddSolutionStep(const Experience& experience, std::size_t sampled, Parents parents, Random& random, TrainingBatch& batch);

}  // namespace conpole
