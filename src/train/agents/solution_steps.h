// What agents that learn from the solutions of beam search have in common: each step of a solution is an experience, the pair
// (state, next state) and the pairs that the beam could have gone on with. All functions may be called by any thread.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "search/beam_search.h"
#include "train/options.h"
#include "train/replay.h"
#include "train/training_batch.h"
#include "util/random.h"

namespace conpole {

// Moves `count` items, chosen at random, to the front. Requires that there are so many.
template <class T>
void SampleToFront(std::vector<T>& items, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < count; ++i) std::swap(items[i], items[random.Uint64(i, items.size())]);
}

// Adds the steps of the solution that was found, each with at most `kept` others, drawn at random. The target of the right pair
// is 1, of the others 0.
void KeepSolutionSteps(const Domain& domain, const BeamSearch& search, Negatives negatives, std::size_t kept, Random& random,
                       ReplayBuffer& replay);

// Adds the right pair of such an experience, and then at most `sampled` of the others, drawn at random.
void AddSolutionStep(const Experience& experience, std::size_t sampled, Random& random, TrainingBatch& batch);

}  // namespace conpole
