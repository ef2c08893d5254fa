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
  std::vector<std::uint8_t> actions;

  std::size_t states() const { return walks * length; }
};

// Draws walks with steps that make sense after each other. `step` and `seed` alone decide which.
class WalkSource {
 public:
  // The layout must outlive it.
  WalkSource(const FixedLayout& layout, std::uint64_t seed) : next_(SensibleNextActions(layout)), seed_(seed) {}

  WalkBatch Draw(std::uint64_t step, std::size_t walks, std::size_t length) const;

 private:
  std::vector<std::vector<std::uint8_t>> next_;
  std::uint64_t seed_;
};

}  // namespace conpole
