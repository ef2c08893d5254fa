// The cube unfolded, drawn in characters: up, then left, front, right and back side by side, then down. ReadCubeNotation reads
// the plain picture back. A pure function: any thread may call it.
#pragma once

#include <string>
#include <string_view>

namespace conpole {

// Nine lines, without the end of the last one. Every cell has the letter of the face that its colour belongs to and, where it
// is coloured by a terminal's escape sequences, the colours that most cubes have: white up, red right, green in front, yellow
// down, orange left, blue behind. Requires 54 colours as CubeCells gives them.
std::string DrawCube(std::string_view cells, bool is_coloured);

}  // namespace conpole
