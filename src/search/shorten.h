// Shorter ways near a way that was found. No policy is asked: beams go astray for a few steps and come back, and all states
// near their way are few enough to be looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/stop_token.h"
#include "search/packed_hash.h"

namespace conpole {

// The shortest way from `start` to where `actions` lead that goes through states around that way alone: those within a few
// steps of a state on it, as many rounds of steps as there are states for, at the most `max_states`. From a shorter way it goes
// on, until there is none. The way itself if nothing is shorter, or if it is stopped before something is. `hash` is of the
// layout.
std::vector<std::uint8_t> ShortestNearby(const FixedLayout& layout, const PackedHash& hash, std::span<const std::uint8_t> start,
                                         std::vector<std::uint8_t> actions, std::size_t max_states, const StopToken& stop = {});

}  // namespace conpole
