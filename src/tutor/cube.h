// The cube as a body in space: what turns do and which colourings they can reach, worked out from its geometry and without the
// tables of the domain. Cells are numbered as in the domain's text: nine per face, faces in the order up, down, left, right,
// back, front. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace conpole {

inline constexpr std::size_t kCubeCells = 54;
inline constexpr std::string_view kCubeFaces = "UDLRBF";

// The colours '0' to '5' of the 54 cells. Requires canonical text.
std::string CubeCells(std::string_view state);
// The canonical text of 54 colours.
std::string CubeState(std::string_view cells);

// The cells after so many clockwise quarter turns of a face, given by its index in kCubeFaces.
std::string TurnCube(std::string_view cells, std::size_t face, int quarters);
// Whether one quarter turn leads from one to the other.
bool IsCubeTurn(std::string_view from, std::string_view to);
bool IsCubeSolved(std::string_view cells);
// Why no turns lead from these 54 colours to the solved cube; empty if some do.
std::string WhyUnsolvable(std::string_view cells);

}  // namespace conpole
