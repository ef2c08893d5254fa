// Turns of the cube's faces as people write and count them: Singmaster's notation, R R' R2; quarter turns, or half turns that
// count as one. Opposite faces turn independently of each other, so R L R is R2 L. Pure functions: any thread may call them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

struct CubeTurn {
  std::size_t face = 0;  // index in kCubeFaces
  int quarters = 1;      // clockwise: 1, 2 or 3

  friend bool operator==(const CubeTurn&, const CubeTurn&) = default;
};

// From and to the domain's labels, R1 and R-1, of which R2 is a continuation. Throws Error for any other label.
CubeTurn CubeTurnOf(std::string_view label);
std::string LabelOf(const CubeTurn& turn);

// R, R' or R2; of several, with blanks between them.
std::string Singmaster(const CubeTurn& turn);
std::string Singmaster(std::span<const CubeTurn> turns);

// The same turns with those of one face put together wherever nothing but turns of the same or the opposite face comes between
// them, and without those that undo each other. No way to write them by such rules alone has fewer turns, or quarter turns.
std::vector<CubeTurn> JoinTurns(std::span<const CubeTurn> turns);
// The same turns by quarters.
std::vector<CubeTurn> SplitTurns(std::span<const CubeTurn> turns);
// A half turn is two.
std::size_t CountQuarterTurns(std::span<const CubeTurn> turns);

}  // namespace conpole
