// The cube as a body in space: what turns do and which colourings they can reach, worked out from its geometry and without the
// tables of the domain. Cells are numbered as in the domain's text: nine per face, faces in the order up, down, left, right,
// back, front. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace conpole {

inline constexpr std::size_t kCubeCells = 54;
inline constexpr std::string_view kCubeFaces = "UDLRBF";

// The colours '0' to '5' of the 54 cells. Requires canonical text.
std::string CubeCells(std::string_view state);
// The canonical text of 54 colours.
std::string CubeState(std::string_view cells);
std::string SolvedCubeCells();

// Which layers turn with a face: its own, the one behind it, the opposite one.
enum class CubeLayers : std::uint8_t { kFace = 1, kSlice = 2, kWide = 3, kWhole = 7 };

// The cells after some clockwise quarter turns of a face, given by its index in kCubeFaces.
std::string TurnCube(std::string_view cells, std::size_t face, int quarters);
std::string TurnCube(std::string_view cells, std::size_t face, CubeLayers layers, int quarters);
// The cube held so that its centres are where they belong; nothing if no way of holding it does that.
std::optional<std::string> HeldUpright(std::string_view cells);
// Whether one quarter turn leads from one to the other.
bool IsCubeTurn(std::string_view from, std::string_view to);
bool IsCubeSolved(std::string_view cells);

// What is wrong with colours that no turns lead to. A cube that was taken apart can have several of the last three faults.
struct CubeFault {
  bool centres = false;    // a centre has not the colour of its face
  std::string no_such;     // a place, named by its faces, where there are colours that no piece has: UF
  std::string colours;     // of it
  std::string mirrored;    // a corner whose colours go round the wrong way
  std::string twice;       // a piece that is there twice, named by its colours
  bool exchanged = false;  // two pieces are exchanged
  bool twisted = false;    // a corner is twisted
  bool flipped = false;    // an edge is flipped
  // The pieces, where nothing else is out of place.
  std::string exchanged_pieces[2];
  std::string twisted_corner;
  std::string flipped_edge;

  bool any() const {
    return centres || !no_such.empty() || !mirrored.empty() || !twice.empty() || exchanged || twisted || flipped;
  }
};
// Requires 54 colours, nine of each.
CubeFault FindCubeFault(std::string_view cells);

}  // namespace conpole
