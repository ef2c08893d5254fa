// What agents that learn from the solutions of searches have in common: each step of a solution is an experience, the pair
// (state, next state) and the pairs that the search could have gone on with: the other candidates of the round that listed the
// next state. In a beam that is the step; in Levin tree search states of all depths may be expanded in a round, of which one at
// the most lies on the solution.
// All functions may be called by any thread.
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

// Moves `count` items, chosen at random, to the front. Requires that there are so many.
template <class T>
void SampleToFront(std::vector<T>& items, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < count; ++i) std::swap(items[i], items[random.Uint64(i, items.size())]);
}

// The search of a problem, as the options say, that remembers what such an agent is to learn from. `value` is what a beam keeps
// the best by. Levin tree search requires that scores are log-preferences. It expands as many states per round as a beam is
// wide, and at most as many as the beam could in its steps, however deep they lie: both cost the same, and batches are as
// large.
std::unique_ptr<GuidedSearch> MakeLessonSearch(const Domain& domain, const std::string& problem, const TrainOptions& options,
                                               BeamValue value, const SearchTerms& terms, StateTable memory);

// Whether a search that has ended is to be learned from: it is solved and, but for some of them, drawn at random, not what the
// first choices of its scorer lead to anyway. It was made by MakeLessonSearch with these options.
bool IsWorthLearning(const GuidedSearch& search, const TrainOptions& options, Random& random);

// Which steps become experiences, and what each of them has.
struct SolutionLessons {
  LearnFrom from = LearnFrom::kSolution;
  Negatives negatives = Negatives::kOwnParent;
  std::size_t negatives_kept = 255;  // of an experience, at the most
  std::size_t ways = 4;              // right pairs of an experience at the most, and as many detours per step of the solution
};
SolutionLessons SolutionLessonsOf(const TrainOptions& options, Negatives negatives);

// Adds what a search that was solved teaches. The targets of right pairs are 1; those of the others, drawn at random, 0. Right
// pairs come first, the solution's own before all. An experience knows how many steps are left before its step is taken.
//   kSolution     each step of the solution that was found against the other candidates of its round; another solved state is
//                 not held against the one that was found
//   kShortest     the same, with the steps of other ways that are known to be as short as further right pairs; what begins such
//                 a way is not held against a right step
//   kKnownWays    besides that, some of the other states from which a way is known, each against the other successors of that
//                 state, but for those that are as near
// For all but kSolution the search must have remembered its meetings.
void KeepSolutionSteps(const Domain& domain, const GuidedSearch& search, const SolutionLessons& lessons, Random& random,
                       ReplayBuffer& replay);
// The gradient steps that a solution has earned which gave so many experiences.
double GradientStepsFor(std::uint64_t experiences, const TrainOptions& options);

// Adds an example for each right pair of such an experience; all have the same of the others, drawn at random, at most
// `sampled` of them. `value_share` of the experiences are compared without the states that the pairs leave, as if all left the
// empty text: what is learned then is what a state is worth.
void AddSolutionStep(const Experience& experience, std::size_t sampled, double value_share, Random& random,
                     TrainingBatch& batch);

}  // namespace conpole
