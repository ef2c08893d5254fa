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
  // The states of long walks are dealt into parts by chance, each for a gradient step: those of one walk are much alike.
  std::size_t parts = 1;
  std::size_t part = 0;    // the one to learn from now; they come in their order
  std::uint64_t seed = 0;  // of the dealing

  std::size_t states() const { return walks * length / parts; }
};

// Draws walks with steps that make sense after each other. `step` and `seed` alone decide which.
class WalkSource {
 public:
  // The layout must outlive it.
  WalkSource(const FixedLayout& layout, std::uint64_t seed);

  WalkBatch Draw(std::uint64_t step, std::size_t walks, std::size_t length) const;

 private:
  std::vector<std::uint8_t> first_;              // the actions that are possible in the solved state
  std::vector<std::vector<std::uint8_t>> next_;  // of each action those that may follow
  // All actions can be swapped, and each undoes itself: a walk takes none twice before all were taken.
  bool is_any_order_ = false;
  std::uint64_t seed_;
};

// How long walks should be, so that they lead to states that are about as far as any, and not much longer:
//   - Where actions come in any order and undo themselves, as many as there are.
//   - Else so many steps that walks could lead to as many states as there are (domains/puzzles/permutation_group.h), and some
//     more; and so many that what colour a cell has tells next to nothing of how long the walk was. The latter is found by
//     trying. It decides where a hole has to be everywhere before tiles are mixed.
std::size_t EstimateWalkLength(const FixedLayout& layout);

}  // namespace conpole
