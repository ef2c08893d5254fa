// Finds the views of a puzzle (LayoutSymmetry) from its moves alone. Any thread may call it.
#pragma once

#include <cstddef>
#include <vector>

#include "conpole/fixed_layout.h"

namespace conpole {

// The views of a layout, the states as they are first, at the most `most`. How:
//   1. Actions are given other names so that every two of them still make a permutation of the same cycles, one after the
//   other.
//   2. For each such renaming, a cell of every orbit is given a place; where the others are then follows from the moves.
//   3. What is kept agrees with all moves and conditions, and with the solved state once colours are renamed, too.
// Gives up, with what it has found, where there are too many renamings to try.
std::vector<LayoutSymmetry> FindSymmetries(const FixedLayout& layout, std::size_t most = 256);

}  // namespace conpole
