#include "verify/cube.h"

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
constexpr std::size_t kCentre = 4;  // of a face's cells
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

constexpr std::size_t kLayerSets = 8;

bool Moves(std::size_t layers, int depth) { return (layers >> (1 - depth) & 1) != 0; }

// By face and set of layers.
const std::array<std::array<Turn, kLayerSets>, kFaces>& Turns() {
  static const std::array<std::array<Turn, kLayerSets>, kFaces> turns = [] {
    std::array<std::array<Turn, kLayerSets>, kFaces> made;
    for (std::size_t face = 0; face < kFaces; ++face) {
      const Vector& axis = kNormals[face];
      for (std::size_t cell = 0; cell < kCubeCells; ++cell) {
        const Sticker sticker = StickerOf(cell);
        const std::size_t turned = CellOf({Rotated(sticker.position, axis), Rotated(sticker.normal, axis)});
        for (std::size_t layers = 0; layers < kLayerSets; ++layers) {
          made[face][layers][cell] = Moves(layers, Dot(sticker.position, axis)) ? turned : cell;
        }
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

std::string SolvedCubeCells() {
  std::string cells;
  for (std::size_t face = 0; face < kFaces; ++face) cells.append(kFaceCells, static_cast<char>('0' + face));
  return cells;
}

std::string TurnCube(std::string_view cells, std::size_t face, int quarters) {
  return TurnCube(cells, face, CubeLayers::kFace, quarters);
}

std::string TurnCube(std::string_view cells, std::size_t face, CubeLayers layers, int quarters) {
  const Turn& turn = Turns()[face][static_cast<std::size_t>(layers)];
  std::string turned(cells);
  for (; quarters > 0; --quarters) {
    const std::string before = turned;
    for (std::size_t cell = 0; cell < kCubeCells; ++cell) turned[turn[cell]] = before[cell];
  }
  return turned;
}

std::optional<std::string> HeldUpright(std::string_view cells) {
  // Every face in turn is brought up, and the cube turned round below it.
  static constexpr std::array<std::pair<std::size_t, int>, kFaces> kBringUp{{{0, 0}, {3, 2}, {5, 1}, {5, 3}, {3, 3}, {3, 1}}};
  for (const auto& [face, quarters] : kBringUp) {
    std::string held = TurnCube(cells, face, CubeLayers::kWhole, quarters);
    for (int round = 0; round < 4; ++round) {
      bool upright = true;
      for (std::size_t f = 0; f < kFaces; ++f) upright = upright && ColourAt(held, kFaceCells * f + kCentre) == f;
      if (upright) return held;
      held = TurnCube(held, 0, CubeLayers::kWhole, 1);
    }
  }
  return std::nullopt;
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

namespace {

// A piece or a place by the letters of its faces, first those of up and down, then front and back, as people name them.
std::string NameOfFaces(const std::vector<std::size_t>& faces) {
  std::string name;
  for (const char letter : std::string_view("UDFBRL")) {
    const std::size_t face = kCubeFaces.find(letter);
    name.append(static_cast<std::size_t>(std::count(faces.begin(), faces.end(), face)), letter);
  }
  return name;
}

std::string NameOfPlace(const PieceCells& sits_at) {
  std::vector<std::size_t> faces;
  for (const std::size_t cell : sits_at) faces.push_back(cell / kFaceCells);
  return NameOfFaces(faces);
}

}  // namespace

// Turns reach a colouring if and only if its pieces are all there, corners and edges are permuted with equal parity, corner
// twists add up to 0 mod 3 and edge flips to 0 mod 2.
CubeFault FindCubeFault(std::string_view cells) {
  CubeFault fault;
  for (std::size_t face = 0; face < kFaces; ++face) {
    if (ColourAt(cells, kFaceCells * face + kCentre) != face) fault.centres = true;
  }
  if (fault.centres) return fault;
  const std::vector<PieceCells>& places = CellsOfPieces();
  const std::string solved = SolvedCubeCells();
  std::map<std::vector<std::size_t>, std::size_t> homes;
  for (const PieceCells& sits_at : places) homes.emplace(PieceAt(sits_at, solved).colours, homes.size());
  std::vector<std::size_t> permutation;
  std::vector<std::size_t> turned;  // the places of pieces that are at home and turned
  std::vector<std::size_t> moved;   // the places of those that are not at home
  std::size_t twist = 0;
  std::size_t flip = 0;
  for (std::size_t place = 0; place < places.size(); ++place) {
    const PieceCells& sits_at = places[place];
    const Piece piece = PieceAt(sits_at, cells);
    const auto home = homes.find(piece.colours);
    if (home == homes.end()) {
      // The other way round, the last two colours of a corner are exchanged.
      std::vector<std::size_t> mirrored = piece.colours;
      std::swap(mirrored[mirrored.size() - 2], mirrored.back());
      if (mirrored.size() == 3 && homes.contains(mirrored)) {
        fault.mirrored = NameOfFaces(piece.colours);
        return fault;
      }
      fault.no_such = NameOfPlace(sits_at);
      fault.colours = NameOfFaces(piece.colours);
      return fault;
    }
    if (std::find(permutation.begin(), permutation.end(), home->second) != permutation.end()) {
      fault.twice = NameOfFaces(piece.colours);
      return fault;
    }
    permutation.push_back(home->second);
    (sits_at.size() == 3 ? twist : flip) += piece.turned;
    if (home->second != place) moved.push_back(place);
    if (home->second == place && piece.turned != 0) turned.push_back(place);
  }
  std::size_t inversions = 0;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    for (std::size_t k = i + 1; k < permutation.size(); ++k) inversions += permutation[i] > permutation[k] ? 1U : 0U;
  }
  // Of corners and edges together: even if and only if the parities are equal.
  fault.exchanged = inversions % 2 != 0;
  fault.twisted = twist % 3 != 0;
  fault.flipped = flip % 2 != 0;
  if (fault.exchanged && moved.size() == 2 && turned.empty()) {
    for (std::size_t i = 0; i < 2; ++i) fault.exchanged_pieces[i] = NameOfPlace(places[moved[i]]);
  }
  if (!moved.empty()) return fault;
  std::vector<std::string> corners;
  std::vector<std::string> edges;
  for (const std::size_t place : turned) (places[place].size() == 3 ? corners : edges).push_back(NameOfPlace(places[place]));
  if (fault.twisted && corners.size() == 1) fault.twisted_corner = corners.front();
  if (fault.flipped && edges.size() == 1) fault.flipped_edge = edges.front();
  return fault;
}

}  // namespace conpole
