// Walks away from the solved state, for domains whose states have a fixed layout: walked back, each is a solution. All
// functions may be called by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conpole/fixed_layout.h"

namespace conpole {

// Walks of one length. The actions of all walks at one step stand together.
struct WalkBatch {
  std::size_t walks = 0;
  std::size_t length = 0;
  std::vector<std::uint8_t> actions = {};
  // The states of long walks are dealt into parts by chance, each for a gradient step. States that are near each other on a
  // walk are much alike, and a network that sees them in one part after the other learns the walks by heart. So walk w of n
  // counts only up to the (w + 1)-th n-th of its length, and of its states only one in so many.
  std::size_t parts = 1;
  std::size_t every = 1;
  std::size_t part = 0;    // the one to learn from now; they come in their order
  std::uint64_t seed = 0;  // of the dealing
  // Whether how far states are is learned by looking one step ahead, no longer from the lengths of walks.
  bool looks_ahead = false;

  // The first walk that takes this step; all after it do, too.
  std::size_t FirstAt(std::size_t step) const { return parts == 1 ? 0 : (step * walks + length - 1) / length; }
  // The first walk whose state after this step is learned from; from there on it is one in `every`.
  std::size_t FirstLearned(std::size_t step) const {
    const std::size_t first = FirstAt(step);
    return first + (every - (first + step) % every) % every;
  }
  // Of a part.
  std::size_t states() const;
};

// Draws walks with steps that make sense after each other. `step` and `seed` alone decide which. Where actions come in any
// order and undo themselves (search/packed_beam.h), a walk takes each once at the most, the last ones of the list first: walked
// back, it is in the one order in which a beam takes them.
class WalkSource {
 public:
  // The layout must outlive it.
  WalkSource(const FixedLayout& layout, std::uint64_t seed);

  WalkBatch Draw(std::uint64_t step, std::size_t walks, std::size_t length) const { return Draw(step, {walks, length}); }
  // Walks like these, whose actions are not looked at. Steps that a walk does not take are 0.
  WalkBatch Draw(std::uint64_t step, WalkBatch walks) const;

 private:
  std::vector<std::uint8_t> first_;              // the actions that are possible in the solved state
  std::vector<std::vector<std::uint8_t>> next_;  // of each action those that may follow
  bool is_any_order_ = false;
  std::uint64_t seed_;
};

// How long walks should be, so that they lead to states that are about as far as any, and not much longer:
//   - Where actions come in any order and undo themselves, half of them and some more, since the other half is not needed.
//   - Else enough steps for walks to lead to as many states as there are (domains/puzzles/permutation_group.h), and some more;
//     and enough that the colour of a cell tells next to nothing of how long the walk was. The latter is found by
//     trying. It decides where a hole has to be everywhere before tiles are mixed.
std::size_t EstimateWalkLength(const FixedLayout& layout);

}  // namespace conpole
