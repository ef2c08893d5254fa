// Groups of permutations of up to 256 points by the method of Schreier and Sims: how many elements a group has, and which
// permutations belong to it. Random elements are sifted until kSifted of them in a row tell nothing new, so that an order is
// too small with a probability of less than 2^-kSifted. Immutable; any thread may use one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conpole/fixed_layout.h"

namespace conpole {

using Permutation = std::vector<std::uint8_t>;  // for each point where it comes from, as moves of a layout have it

class PermutationGroup {
 public:
  static constexpr int kSifted = 48;

  PermutationGroup(std::size_t points, const std::vector<Permutation>& generators);

  // In decimal, and its natural logarithm.
  std::string Order() const;
  double LogOrder() const;
  bool Contains(const Permutation& permutation) const;

  // Whether an element makes `to` of `from`, which have a colour per point: to[i] is from[element[i]]. Nothing if that is not
  // found out within `most` tries.
  std::optional<bool> Leads(std::span<const std::uint8_t> from, std::span<const std::uint8_t> to, std::size_t most) const;

 private:
  // The elements that leave all points before this one where they are.
  struct Level {
    std::uint8_t point = 0;
    std::vector<std::uint8_t> orbit = {};
    std::vector<Permutation> to = {};  // for each point of the orbit an element that takes `point` there; else empty
    std::vector<Permutation> generators = {};
    std::vector<std::uint8_t> fixed = {};  // the points that this level moves, and no later one
  };

  // What is left of an element once the levels have taken out what they know, and the level that does not.
  std::size_t Sift(Permutation& element) const;
  void Add(Permutation element, std::size_t level);
  void ExtendOrbit(std::size_t level);

  std::size_t points_;
  std::vector<Level> levels_;
  std::vector<std::uint8_t> never_moved_;
};

// The group of a puzzle. Where actions have conditions, that of the walks which lead the hole home.
class PuzzleGroup {
 public:
  explicit PuzzleGroup(const FixedLayout& layout);

  const PermutationGroup& group() const { return *group_; }
  // How many states there would be if no two cells had the same colour: at least as many as there are.
  std::string States() const;
  double LogOfStates() const;
  // Whether a state can be solved at all. Nothing if that is too hard to tell.
  std::optional<bool> CanBeSolved(std::span<const std::uint8_t> state) const;

 private:
  const FixedLayout& layout_;
  // Of each cell that the hole can be in, a walk that leads it there from the solved state. Only where there are conditions.
  std::vector<std::optional<Permutation>> ways_;
  std::size_t places_ = 1;  // of the hole
  std::optional<PermutationGroup> group_;
};

}  // namespace conpole
