#include "tutor/cube.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace conpole {
namespace {

// x to the right, y up, z to the front. A sticker is where its piece is and the direction it faces.
using Vector = std::array<int, 3>;
struct Sticker {
  Vector position;
  Vector normal;
  friend bool operator==(const Sticker&, const Sticker&) = default;
};

constexpr std::size_t kFaces = 6;
constexpr std::size_t kFaceCells = 9;
constexpr std::array<Vector, kFaces> kNormals{{{0, 1, 0}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}}};

constexpr Vector Cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
constexpr int Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// A quarter turn about a face's normal, clockwise as seen from outside.
constexpr Vector Rotated(const Vector& v, const Vector& axis) {
  Vector turned = Cross(v, axis);
  for (std::size_t k = 0; k < 3; ++k) turned[k] += Dot(v, axis) * axis[k];
  return turned;
}

// A face's cells go column by column from the left, each from its lower end up, as one looks at the face; below the upper face
// is the front, below the lower one the back.
constexpr Sticker StickerOf(std::size_t cell) {
  const std::size_t face = cell / kFaceCells;
  const Vector normal = kNormals[face];
  const Vector upward = face == 0 ? Vector{0, 0, -1} : face == 1 ? Vector{0, 0, 1} : Vector{0, 1, 0};
  const Vector rightward = Cross(upward, normal);
  const int across = static_cast<int>(cell % kFaceCells / 3) - 1;
  const int up = static_cast<int>(cell % 3) - 1;
  Vector position = normal;
  for (std::size_t k = 0; k < 3; ++k) position[k] += across * rightward[k] + up * upward[k];
  return {position, normal};
}

constexpr std::size_t CellOf(const Sticker& sticker) {
  std::size_t cell = 0;
  while (!(StickerOf(cell) == sticker)) ++cell;
  return cell;
}

using Turn = std::array<std::size_t, kCubeCells>;  // where each cell goes

const std::array<Turn, kFaces>& Turns() {
  static const std::array<Turn, kFaces> turns = [] {
    std::array<Turn, kFaces> made;
    for (std::size_t face = 0; face < kFaces; ++face) {
      const Vector& axis = kNormals[face];
      for (std::size_t cell = 0; cell < kCubeCells; ++cell) {
        const Sticker sticker = StickerOf(cell);
        const bool moves = Dot(sticker.position, axis) == 1;
        made[face][cell] = moves ? CellOf({Rotated(sticker.position, axis), Rotated(sticker.normal, axis)}) : cell;
      }
    }
    return made;
  }();
  return turns;
}

// The cells where a corner (three) or an edge (two) sits. The first cell is the one that orientation is counted from: up or
// down, else back or front; a corner's cells go round clockwise.
using PieceCells = std::vector<std::size_t>;

const std::vector<PieceCells>& CellsOfPieces() {
  static const std::vector<PieceCells> all = [] {
    std::vector<PieceCells> made;
    for (int index = 0; index < 27; ++index) {
      const Vector position{index / 9 - 1, index / 3 % 3 - 1, index % 3 - 1};
      std::vector<std::size_t> faces;
      for (const std::size_t face : {0U, 1U, 4U, 5U, 2U, 3U}) {
        if (Dot(position, kNormals[face]) == 1) faces.push_back(face);
      }
      if (faces.size() < 2) continue;
      const bool round = faces.size() == 2 || Dot(Cross(kNormals[faces[0]], kNormals[faces[1]]), kNormals[faces[2]]) > 0;
      if (!round) std::swap(faces[1], faces[2]);
      PieceCells sits_at;
      for (const std::size_t face : faces) sits_at.push_back(CellOf({position, kNormals[face]}));
      made.push_back(std::move(sits_at));
    }
    return made;
  }();
  return all;
}

std::size_t ColourAt(std::string_view cells, std::size_t cell) { return static_cast<std::size_t>(cells[cell] - '0'); }

// The colours of a piece, starting with the one that orientation is counted from, and how far that one is from the first cell.
struct Piece {
  std::vector<std::size_t> colours;
  std::size_t turned = 0;
};

Piece PieceAt(const PieceCells& sits_at, std::string_view cells) {
  Piece piece;
  for (const std::size_t cell : sits_at) piece.colours.push_back(ColourAt(cells, cell));
  auto first = std::find_if(piece.colours.begin(), piece.colours.end(), [](std::size_t colour) { return colour < 2; });
  if (first == piece.colours.end())
    first = std::find_if(piece.colours.begin(), piece.colours.end(), [](std::size_t colour) { return colour > 3; });
  if (first == piece.colours.end()) first = piece.colours.begin();
  piece.turned = static_cast<std::size_t>(first - piece.colours.begin());
  std::rotate(piece.colours.begin(), first, piece.colours.end());
  return piece;
}

}  // namespace

std::string CubeCells(std::string_view state) {
  std::string cells;
  std::copy_if(state.begin(), state.end(), std::back_inserter(cells), [](char c) { return c >= '0' && c <= '5'; });
  return cells;
}

std::string CubeState(std::string_view cells) {
  std::string state;
  for (std::size_t face = 0; face < kFaces; ++face) {
    state += static_cast<char>('A' + face);
    state += cells.substr(kFaceCells * face, kFaceCells);
    state += static_cast<char>('a' + face);
  }
  return state;
}

std::string TurnCube(std::string_view cells, std::size_t face, int quarters) {
  std::string turned(cells);
  for (; quarters > 0; --quarters) {
    const std::string before = turned;
    for (std::size_t cell = 0; cell < kCubeCells; ++cell) turned[Turns()[face][cell]] = before[cell];
  }
  return turned;
}

bool IsCubeTurn(std::string_view from, std::string_view to) {
  for (std::size_t face = 0; face < kFaces; ++face) {
    if (TurnCube(from, face, 1) == to || TurnCube(to, face, 1) == from) return true;
  }
  return false;
}

bool IsCubeSolved(std::string_view cells) {
  if (cells.size() != kCubeCells) return false;
  for (std::size_t cell = 0; cell < kCubeCells; ++cell) {
    if (ColourAt(cells, cell) != cell / kFaceCells) return false;
  }
  return true;
}

// Turns reach a colouring if and only if its pieces are all there, corners and edges are permuted with equal parity, corner
// twists add up to 0 mod 3 and edge flips to 0 mod 2.
std::string WhyUnsolvable(std::string_view cells) {
  std::string solved;
  for (std::size_t face = 0; face < kFaces; ++face) solved.append(kFaceCells, static_cast<char>('0' + face));
  for (std::size_t face = 0; face < kFaces; ++face) {
    if (ColourAt(cells, kFaceCells * face + 4) != face) return "a centre has the wrong colour";
  }
  std::map<std::vector<std::size_t>, std::size_t> homes;
  for (const PieceCells& sits_at : CellsOfPieces()) homes.emplace(PieceAt(sits_at, solved).colours, homes.size());
  std::vector<std::size_t> permutation;
  std::size_t twist = 0;
  std::size_t flip = 0;
  for (const PieceCells& sits_at : CellsOfPieces()) {
    const Piece piece = PieceAt(sits_at, cells);
    const auto home = homes.find(piece.colours);
    if (home == homes.end()) return "there is a piece with colours that no piece has";
    if (std::find(permutation.begin(), permutation.end(), home->second) != permutation.end()) return "a piece is there twice";
    permutation.push_back(home->second);
    (sits_at.size() == 3 ? twist : flip) += piece.turned;
  }
  std::size_t inversions = 0;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    for (std::size_t k = i + 1; k < permutation.size(); ++k) inversions += permutation[i] > permutation[k] ? 1U : 0U;
  }
  // Of corners and edges together: even if and only if the parities are equal.
  if (inversions % 2 != 0) return "two pieces are exchanged";
  if (twist % 3 != 0) return "a corner is twisted";
  if (flip % 2 != 0) return "an edge is flipped";
  return {};
}

}  // namespace conpole
