// Beam search over packed states (conpole/fixed_layout.h), for beams of any width up to hundreds of thousands of states. From a
// layer of at most W states, a step
//   1. ends the search if the endgame (search/endgame.h) knows the way from a state of the layer, or without it if one is
//      solved: of these the one with the fewest steps to go; and also if all states are too far from the end for the steps
//      that are left,
//   2. asks the policy about all states of the layer,
//   3. gives every successor the value of its path: the log-probability, or what else BeamValue says; what NotAfter says is
//      left out,
//   4. takes the W best successors that differ from each other and from the states of the last kRememberedLayers layers.
// By distance, or by both, step 4 takes AskedToKeep(W) successors, by the parent's value and the policy, and step 2 leaves the
// W best of these: by distance alone, or by the sum of that and of the path's log-probability, each less its mean and over its
// spread in the layer, so that neither needs a unit. So the policy chooses whom the network is asked about, and the value who
// stays. By log-probability, doubt counts as well: PriceOfDoubt times the entropy of the policy is taken from the value in
// every state on the way. Far from the end a policy is less sure, so that of two paths the one that has left this behind is the
// better. Of equal values the successor that is listed first comes first. The result does not depend on the number of threads.
// The same search with LibTorch on a device is in torch/torch_policy.h; a test holds both to the same results.
//
// One thread at a time uses a search. It owns nothing that it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "search/endgame.h"
#include "search/hash_map.h"
#include "util/thread_pool.h"

namespace conpole {

inline constexpr std::size_t kRememberedLayers = 4;

// Whether it needs a policy that has values.
inline bool AsksForDistance(BeamValue value) { return value == BeamValue::kDistance || value == BeamValue::kBoth; }

// How many states such a beam asks about to keep so many. With half as many more as it keeps, beams made 108.8 moves of random
// 24-puzzles, with twice as many and a beam that is narrower by as much 112.3, with no more than it keeps 109.7, each after
// 46,000 to 48,000 evaluations by a small network.
inline std::size_t AskedToKeep(std::size_t width) { return (3 * width + 1) / 2; }

// How many states the layers of a beam keep, by its options.
class LayerWidth {
 public:
  // `reach` is that of the endgame, if it is used.
  LayerWidth(const PackedBeamOptions& options, std::size_t reach) : options_(options), reach_(reach) {}

  // For the layer after so many steps, when the policy was asked about so many states. The first layers are narrow whatever
  // this says, and show how fast it is.
  std::size_t After(std::size_t steps, std::uint64_t evaluated) const;

 private:
  const PackedBeamOptions& options_;
  std::size_t reach_;
  StopToken::Clock::time_point start_ = StopToken::Clock::now();
};

// The steps that led to a layer, one entry per state.
struct PackedLayer {
  std::vector<std::uint32_t> parents;  // in the layer before
  std::vector<std::uint8_t> actions;
};

class CpuPackedBeam final : public PackedBeam {
 public:
  CpuPackedBeam(const Endgame& endgame, PackedPolicy& policy, ThreadPool& pool);

  PackedResult Search(std::span<const std::uint8_t> start, const PackedBeamOptions& options) override;

 private:
  // The layer that the search has come to.
  struct Frontier {
    std::vector<std::uint8_t> states;
    std::vector<std::uint64_t> hashes;
    std::vector<float> values;
    std::vector<std::uint8_t> last;  // actions; none in the first layer
  };

  // Step 1: the index of the state to end with; the layer's size if there is none.
  std::size_t FindEnd(bool uses_endgame);
  // Of step 2: leaves the best states of the layer.
  void Prune(std::size_t width, BeamValue value);
  // Step 3.
  void ComputeValues(BeamValue value);
  // Step 4. False if there is nothing to go on with.
  bool Select(std::size_t width, std::uint64_t& candidates);
  std::vector<std::uint8_t> ActionsTo(std::size_t index) const;

  const FixedLayout& layout_;
  const Endgame& endgame_;
  PackedPolicy& policy_;
  ThreadPool& pool_;
  std::vector<std::vector<std::uint8_t>> not_after_;
  float price_of_doubt_;
  Frontier layer_;
  Frontier next_;
  std::vector<PackedLayer> layers_;
  std::vector<std::vector<std::uint64_t>> remembered_;  // the hashes of the last layers
  std::vector<std::size_t> distances_;                  // steps to go, where the endgame knows
  std::vector<float> preferences_;                      // then the values, an entry per state and action
  std::vector<float> far_;                              // how far each state of the layer is, if that is asked for
  std::vector<std::uint64_t> successor_hashes_;         // likewise
  std::vector<std::uint32_t> order_;
  HashMap seen_;
};

// Searches `views` views of the start (LayoutSymmetry), spread over those that there are, one after the other, each only for a
// shorter solution than was found before, and returns the shortest, as actions from the start itself. What is evaluated is
// added up, and max_evaluated is for all of them. Throws Error if there are fewer views.
PackedResult SearchViews(PackedBeam& beam, const FixedLayout& layout, std::span<const std::uint8_t> start,
                         const PackedBeamOptions& options, std::size_t views);

// Whether two actions, as moves of cells, lead to the same in either order.
bool CanBeSwapped(const FixedLayout& layout, std::size_t one, std::size_t other);

// Whether all actions can be swapped, each undoes itself, and none has a condition.
bool CanBeTakenInAnyOrder(const FixedLayout& layout);

// 0.6: on 300 random cubes, beams of 256 with the shipped model made 26.07, 25.78, 25.71 and 25.69 turns for prices of 0, 0.3,
// 0.6 and 1, while asking about ever fewer states. Nothing where actions can be taken in any order, which was not measured:
// there most steps are sure, and doubt says nothing about how far a state is.
float PriceOfDoubt(const FixedLayout& layout);

// For each action, those that no beam takes right after it: the one that undoes it. Where actions can be taken in any order,
// they are taken in the order of the list, so that also all before it: else a beam is full of the same steps in other orders.
std::vector<std::vector<std::uint8_t>> NotAfter(const FixedLayout& layout);

// A way that leads to the same state from `start` without what is plainly too much: steps that undo earlier ones, if all that
// is between them can be swapped with them, and ways back to a state where it has been.
std::vector<std::uint8_t> WithoutDetours(const FixedLayout& layout, std::span<const std::uint8_t> start,
                                         std::span<const std::uint8_t> actions);

}  // namespace conpole
