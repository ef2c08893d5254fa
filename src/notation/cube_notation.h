// Cubes as people write them: turns or facelets.
//
//   R U2 R' (R U R' U')2 [R, U] Rw M x     turns, in groups that may be repeated or undone, commutators, layers, the whole cube
//   UUUUUUUUU RRRRRRRRR ...                facelets: six faces of nine, each row by row as one looks at it
//
// Facelets are the letters of faces, U R F D L B, in any order of the faces, since each has its letter in its centre; or
// colours, W R G B O Y, in the order U R F D L B, or U D L R B F or U L F R B D if opposite colours say so; or an unfolded cube
// of nine lines; or 54 digits in the order of the domain. What looks like facelets is never read as turns. Whether turns lead
// to such a cube is another question (FindCubeFault).
//
// A pure function: any thread may call it.
#pragma once

#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "notation/notation.h"

namespace conpole {

// Turns go on from the cells `start`.
NotationResult ReadCubeNotation(const Domain& domain, std::string_view start, std::string_view text);

// The cell of a facelet, by its place among the 54 in the order U R F D L B.
std::size_t CellOfFacelet(std::size_t facelet);

}  // namespace conpole
