// All states within a few steps of the solved one, with their distance: found by walking backwards from it, so that no policy
// need be asked about them. A search that meets one knows the shortest way from there. Immutable; any thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conpole/fixed_layout.h"
#include "search/hash_map.h"
#include "search/packed_hash.h"

namespace conpole {

class Endgame {
 public:
  // As many whole rounds of steps as there are states for, at the most `max_states`. The layout must outlive it.
  explicit Endgame(const FixedLayout& layout, std::size_t max_states = std::size_t{1} << 20);

  const FixedLayout& layout() const { return layout_; }
  const PackedHash& hash() const { return hash_; }
  std::size_t radius() const { return radius_; }
  std::size_t size() const { return size_; }

  // Steps to the solved state, by the hash of a state; nothing if they are more than the radius.
  std::optional<std::size_t> Distance(std::uint64_t hash) const {
    const std::uint8_t distance = distances_[hash];
    if (distance > radius_) return std::nullopt;
    return distance;
  }

  // A shortest way from a state to the solved one. Nothing if the state is farther than the radius, or only its hash is not.
  std::optional<std::vector<std::uint8_t>> Path(std::span<const std::uint8_t> state) const;

  // The hashes of all states in ascending order of signed numbers, and their distances in the same order.
  void List(std::vector<std::int64_t>& hashes, std::vector<std::int64_t>& distances) const;

 private:
  const FixedLayout& layout_;
  PackedHash hash_;
  HashMap distances_;  // also of some that are farther than the radius
  std::size_t size_;
  std::size_t radius_ = 0;
};

// The endgame of a layout in its usual size, which is made when it is asked for first and kept.
const Endgame& SharedEndgame(const FixedLayout& layout);

}  // namespace conpole
