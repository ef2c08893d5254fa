// All states within a few steps of the solved one, with their distance: found by walking backwards from it, so that no policy
// need be asked about them. A search that meets one knows the shortest way from there, and also from the states two steps
// before these, which are far too many to be listed: their successors' successors are looked up. Immutable; any thread may use
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conpole/fixed_layout.h"
#include "search/hash_map.h"
#include "search/packed_hash.h"
#include "util/mapped_file.h"

namespace conpole {

// The steps that an endgame looks ahead.
enum class Lookahead : std::uint8_t { kNone, kTwoSteps };

class Endgame {
 public:
  // As many whole rounds of steps as there are states for, at the most `max_states`. The layout must outlive it.
  explicit Endgame(const FixedLayout& layout, std::size_t max_states = std::size_t{1} << 20,
                   Lookahead lookahead = Lookahead::kNone);

  // What Write wrote for the same layout. It stays on the disk, but for what is looked at. Its head is checked, not its list,
  // which would take long; a list with faults can cost solutions, but makes none that are wrong. Throws Error, which begins
  // with the path.
  Endgame(const FixedLayout& layout, const std::string& path, Lookahead lookahead);
  // Throws Error, which begins with the path.
  void Write(const std::string& path) const;

  Endgame(const Endgame&) = delete;
  Endgame& operator=(const Endgame&) = delete;

  const FixedLayout& layout() const { return layout_; }
  const PackedHash& hash() const { return hash_; }
  std::size_t radius() const { return radius_; }
  std::size_t size() const { return size_; }
  // Whether these are all states that there are. Then the radius is the distance of the farthest.
  bool is_complete() const { return is_complete_; }
  // How far it sees: from states within this many steps of the solved one it knows the way.
  std::size_t reach() const { return radius_ + (ahead_ ? 2 : 0); }

  // Steps to the solved state, by the hash of a state; nothing if they are more than the radius.
  std::optional<std::size_t> Distance(std::uint64_t hash) const {
    const std::uint8_t distance = known_[hash];
    if (distance > radius_) return std::nullopt;
    return distance;
  }

  // Likewise with looking ahead, so that it knows of states up to two steps beyond the radius. `hash` is that of the state.
  std::optional<std::size_t> DistanceAhead(const std::uint8_t* state, std::uint64_t hash) const;

  // A shortest way from a state to the solved one. Nothing if the state is farther than that, or only its hash is not.
  std::optional<std::vector<std::uint8_t>> Path(std::span<const std::uint8_t> state) const;

  // The hashes of a state after all walks that it looks ahead, each of two steps; null if it does not look ahead.
  const HashesAfterMoves* ahead() const { return ahead_ ? &*ahead_ : nullptr; }

  // The hashes of all states in ascending order of signed numbers, and their distances in the same order.
  void List(std::vector<std::int64_t>& hashes, std::vector<std::int64_t>& distances) const;

 private:
  struct Ahead {
    std::size_t walk;            // the one that gets closest
    std::size_t distance_after;  // at its end
  };

  void ListStates(std::size_t max_states);
  void PrepareToLookAhead();
  // Nothing if no walk leads to a state that is listed.
  std::optional<Ahead> LookAhead(const std::uint8_t* state) const;

  const FixedLayout& layout_;
  PackedHash hash_;
  std::optional<MappedFile> file_;
  HashMap distances_;  // empty if there is a file
  HashSlots known_;    // distances, also of some states that are farther than the radius
  std::size_t size_ = 1;
  std::size_t radius_ = 0;
  bool is_complete_ = false;
  // The walks of two steps that lead to different states, wherever they begin.
  std::vector<std::array<std::uint8_t, 2>> walks_;
  std::optional<HashesAfterMoves> ahead_;
};

// The endgame of a layout with looking ahead: of the file EndgamePath if it is there, else made anew in the usual size. That is
// done when it is asked for first, and kept.
const Endgame& SharedEndgame(const FixedLayout& layout);

// Where the endgame of a layout has its place on the disk: in the user's folder for what can be made again, which is
// $XDG_CACHE_HOME or ~/.cache. Empty if there is no such folder.
std::string EndgamePath(const FixedLayout& layout);

// The most states for which an endgame fits into so much memory.
std::size_t EndgameStatesFor(std::size_t bytes);

}  // namespace conpole
