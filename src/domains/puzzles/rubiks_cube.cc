#include "domains/puzzles/rubiks_cube.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conpole/fixed_layout.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::size_t kFaces = 6;
constexpr std::size_t kCellsPerFace = 9;
constexpr std::size_t kCells = kFaces * kCellsPerFace;
constexpr std::size_t kFaceBytes = kCellsPerFace + 2;  // A000000000a
constexpr std::size_t kStateBytes = kFaces * kFaceBytes;
constexpr std::size_t kTurns = 2 * kFaces;

// Where cell 0..53 stands in the text.
constexpr std::size_t TextIndex(std::size_t cell) { return cell / kCellsPerFace * kFaceBytes + 1 + cell % kCellsPerFace; }

// A clockwise quarter turn moves the ring of eight cells around the face's centre by two places, and the strip of twelve
// neighbouring cells by three.
struct Face {
  char name;
  std::array<std::uint8_t, 8> ring;
  std::array<std::uint8_t, 12> strip;
};
constexpr std::array<Face, kFaces> kFaceCells{{
    {'U', {0, 1, 2, 5, 8, 7, 6, 3}, {20, 23, 26, 47, 50, 53, 29, 32, 35, 38, 41, 44}},
    {'F', {45, 46, 47, 50, 53, 52, 51, 48}, {0, 3, 6, 24, 25, 26, 17, 14, 11, 29, 28, 27}},
    {'B', {36, 37, 38, 41, 44, 43, 42, 39}, {2, 5, 8, 35, 34, 33, 15, 12, 9, 18, 19, 20}},
    {'L', {18, 19, 20, 23, 26, 25, 24, 21}, {0, 1, 2, 44, 43, 42, 9, 10, 11, 45, 46, 47}},
    {'R', {27, 28, 29, 32, 35, 34, 33, 30}, {6, 7, 8, 51, 52, 53, 15, 16, 17, 38, 37, 36}},
    {'D', {9, 10, 11, 14, 17, 16, 15, 12}, {18, 21, 24, 36, 39, 42, 27, 30, 33, 45, 48, 51}},
}};

// One turn as copies of characters: text[to[k]] becomes the old text[from[k]].
struct Turn {
  std::array<std::uint8_t, 20> to{};
  std::array<std::uint8_t, 20> from{};
};

constexpr Turn MakeTurn(const Face& face, bool clockwise) {
  Turn turn;
  const auto move = [&](std::size_t k, std::size_t to_cell, std::size_t from_cell) {
    turn.to[k] = static_cast<std::uint8_t>(TextIndex(clockwise ? to_cell : from_cell));
    turn.from[k] = static_cast<std::uint8_t>(TextIndex(clockwise ? from_cell : to_cell));
  };
  for (std::size_t k = 0; k < 8; ++k) move(k, face.ring[k], face.ring[(k + 6) % 8]);
  for (std::size_t k = 0; k < 12; ++k) move(8 + k, face.strip[k], face.strip[(k + 3) % 12]);
  return turn;
}

// U1 F1 B1 L1 R1 D1 U-1 F-1 B-1 L-1 R-1 D-1
constexpr std::array<Turn, kTurns> kTurnTable = [] {
  std::array<Turn, kTurns> turns;
  for (std::size_t t = 0; t < kTurns; ++t) turns[t] = MakeTurn(kFaceCells[t % kFaces], t < kFaces);
  return turns;
}();

// Writes the state after a turn; both are of kStateBytes.
void ApplyTurn(const Turn& turn, const char* state, char* result) {
  std::memcpy(result, state, kStateBytes);
  for (std::size_t k = 0; k < turn.to.size(); ++k) result[turn.to[k]] = state[turn.from[k]];
}

std::string SolvedState() {
  std::string state;
  for (std::size_t face = 0; face < kFaces; ++face) {
    state += static_cast<char>('A' + face);
    state.append(kCellsPerFace, static_cast<char>('0' + face));
    state += static_cast<char>('a' + face);
  }
  return state;
}

// A quarter turn moves 20 cells, of which 8 stay on their face: it puts at most 12 right, so this never overestimates.
float StickersToGo(std::string_view state) {
  char colour = '0';
  int wrong = 0;
  for (const char c : state) {
    // A000000000a: the colour belongs on the face that the letter before it names.
    if (c >= 'A' && c <= 'F') colour = static_cast<char>('0' + (c - 'A'));
    if (c >= '0' && c <= '9' && c != colour) ++wrong;
  }
  return static_cast<float>(wrong) / 12.0F;
}

// The cells in the order of the text, without its letters.
void PackCube(std::string_view state, std::uint8_t* cells) {
  for (std::size_t cell = 0; cell < kCells; ++cell) cells[cell] = static_cast<std::uint8_t>(state[TextIndex(cell)] - '0');
}

std::string UnpackCube(const std::uint8_t* cells) {
  std::string state = SolvedState();
  for (std::size_t cell = 0; cell < kCells; ++cell) state[TextIndex(cell)] = static_cast<char>('0' + cells[cell]);
  return state;
}

// The views of a cube: turned as a whole, and in a mirror, 48 in all. A cell is known by the face that it is on and the faces
// whose turns move it, so that a view is made by renaming faces. Which renamings are views is found by trying them all.
std::vector<LayoutSymmetry> CubeSymmetries(const FixedLayout& layout) {
  std::array<std::uint8_t, kFaces> colour_of{};  // of each face, as kFaceCells lists them
  for (std::size_t face = 0; face < kFaces; ++face) colour_of[face] = layout.solved[kFaceCells[face].ring[0]];
  using Name = std::pair<std::size_t, std::set<std::size_t>>;  // of a cell
  std::vector<Name> names(kCells);
  std::map<Name, std::uint8_t> cell_of;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    for (std::size_t face = 0; face < kFaces; ++face) {
      if (layout.moves[face][cell] != cell) names[cell].second.insert(face);
      if (layout.solved[cell] == colour_of[face]) names[cell].first = face;
    }
    cell_of[names[cell]] = static_cast<std::uint8_t>(cell);
  }
  std::vector<LayoutSymmetry> symmetries;
  std::array<std::uint8_t, kFaces> renamed{0, 1, 2, 3, 4, 5};
  do {
    for (const bool is_mirrored : {false, true}) {
      LayoutSymmetry view{std::vector<std::uint8_t>(kCells), std::vector<std::uint8_t>(kFaces), {}};
      for (std::size_t face = 0; face < kFaces; ++face) view.colours[colour_of[face]] = colour_of[renamed[face]];
      for (std::size_t turn = 0; turn < kTurns; ++turn) {
        const bool is_clockwise = (turn < kFaces) != is_mirrored;
        view.actions.push_back(static_cast<std::uint8_t>(renamed[turn % kFaces] + (is_clockwise ? 0 : kFaces)));
      }
      bool is_view = true;
      for (std::size_t cell = 0; cell < kCells && is_view; ++cell) {
        Name name{renamed[names[cell].first], {}};
        for (const std::size_t face : names[cell].second) name.second.insert(renamed[face]);
        const auto seen_at = cell_of.find(name);
        is_view = seen_at != cell_of.end();  // opposite faces do not become neighbours
        if (is_view) view.cells[seen_at->second] = static_cast<std::uint8_t>(cell);
      }
      for (std::size_t turn = 0; turn < kTurns && is_view; ++turn) {
        for (std::size_t cell = 0; cell < kCells && is_view; ++cell) {
          is_view = layout.moves[turn][view.cells[cell]] == view.cells[layout.moves[view.actions[turn]][cell]];
        }
      }
      if (is_view) symmetries.push_back(std::move(view));
    }
  } while (std::next_permutation(renamed.begin(), renamed.end()));
  return symmetries;
}

const FixedLayout& CubeLayout() {
  static const FixedLayout layout = [] {
    FixedLayout made{.cells = kCells, .colours = kFaces, .pack = &PackCube, .unpack = &UnpackCube};
    made.solved.resize(kCells);
    PackCube(SolvedState(), made.solved.data());
    std::array<std::uint8_t, kStateBytes> cell_at{};
    for (std::size_t cell = 0; cell < kCells; ++cell) cell_at[TextIndex(cell)] = static_cast<std::uint8_t>(cell);
    for (std::size_t t = 0; t < kTurns; ++t) {
      std::vector<std::uint8_t> move(kCells);
      std::iota(move.begin(), move.end(), std::uint8_t{0});
      const Turn& turn = kTurnTable[t];
      for (std::size_t k = 0; k < turn.to.size(); ++k) move[cell_at[turn.to[k]]] = cell_at[turn.from[k]];
      made.moves.push_back(std::move(move));
      made.inverse.push_back(static_cast<std::uint8_t>((t + kFaces) % kTurns));
    }
    made.find_symmetries = []() -> const std::vector<LayoutSymmetry>& {
      static const std::vector<LayoutSymmetry> found = CubeSymmetries(CubeLayout());
      return found;
    };
    return made;
  }();
  return layout;
}

class RubiksCube final : public Domain {
 public:
  explicit RubiksCube(const Parameters& parameters)
      : Domain(RubiksCubeType(), parameters),
        solved_(SolvedState()),
        min_moves_(parameters.Integer("min_moves")),
        max_moves_(parameters.Integer("max_moves")) {
    parameters.RequireOrdered("min_moves", "max_moves");
  }

  std::string Generate(std::uint64_t seed) const override {
    Random random(seed);
    std::string state = solved_;
    std::string turned = solved_;
    for (std::int64_t left = random.Int64(min_moves_, max_moves_ + 1); left > 0; --left) {
      ApplyTurn(kTurnTable[static_cast<std::size_t>(random.Uint64(0, kTurns))], state.data(), turned.data());
      state.swap(turned);
    }
    return state;
  }

  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    if (std::optional<Malformed> error = Check(state)) {
      out.SetError(std::move(*error));
      return Status::kMalformed;
    }
    if (state == solved_) return Status::kSolved;
    for (std::size_t t = 0; t < kTurns; ++t) {
      char* const result = out.BeginState(kStateBytes);
      ApplyTurn(kTurnTable[t], state.data(), result);
      out.EndState(result + kStateBytes);
      if (labels == Labels::kOn) {
        char* label = out.BeginLabel(3);
        *label++ = kFaceCells[t % kFaces].name;
        out.EndLabel(WriteText(label, t < kFaces ? "1" : "-1"));
      }
    }
    return Status::kOpen;
  }

  bool Solved(std::string_view state) const override { return state == solved_; }

  Parsed Parse(std::string_view text) const override {
    if (std::optional<Malformed> error = Check(text)) return {{}, std::move(error)};
    return {std::string(text), std::nullopt};
  }

 private:
  // Any colouring with nine cells of each colour is a state, also one that no turns lead to: finding that out is up to the
  // solver.
  std::optional<Malformed> Check(std::string_view state) const {
    std::uint64_t counts = 0;  // a byte per colour
    for (std::size_t i = 0; i < kStateBytes; ++i) {
      if (i >= state.size()) return Malformed{i, "expected 66 characters, found the end"};
      const std::size_t place = i % kFaceBytes;
      const bool letter = place == 0 || place == kFaceBytes - 1;
      if (letter && state[i] != solved_[i])
        return Malformed{i, Message("expected {}, found {}", Quoted(solved_[i]), Quoted(state[i]))};
      if (letter) continue;
      if (state[i] < '0' || state[i] >= static_cast<char>('0' + kFaces)) {
        return Malformed{i, Message("expected {}, found {}", "a colour 0 to 5", Quoted(state[i]))};
      }
      counts += std::uint64_t{1} << (8 * (state[i] - '0'));
    }
    if (state.size() > kStateBytes)
      return Malformed{kStateBytes, Message("expected {}, found {}", "the end", Quoted(state[kStateBytes]))};
    constexpr std::uint64_t kNineOfEach = 0x090909090909;
    if (counts != kNineOfEach) return Malformed{0, "there are not nine cells of each colour"};
    return std::nullopt;
  }

  std::string solved_;
  std::int64_t min_moves_;
  std::int64_t max_moves_;
};

}  // namespace

const DomainType& RubiksCubeType() {
  static const DomainType type{
      "rubiks-cube",
      "the 3x3x3 cube by quarter turns",
      {{"min_moves", "the fewest turns that a problem is scrambled by", "1", {{0, 1'000'000}}},
       {"max_moves", "the most turns that a problem is scrambled by", "19", {{0, 1'000'000}}}},
      {{"U1", "the upper face, clockwise"},
       {"F1", "the front face, clockwise"},
       {"B1", "the back face, clockwise"},
       {"L1", "the left face, clockwise"},
       {"R1", "the right face, clockwise"},
       {"D1", "the lower face, clockwise"},
       {"U-1", "the upper face, counter-clockwise"},
       {"F-1", "the front face, counter-clockwise"},
       {"B-1", "the back face, counter-clockwise"},
       {"L-1", "the left face, counter-clockwise"},
       {"R-1", "the right face, counter-clockwise"},
       {"D-1", "the lower face, counter-clockwise"}},
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<RubiksCube>(parameters); },
      {{"stickers", "cells of a wrong colour, of which a turn can put 12 right", &StickersToGo}},
      &CubeLayout()};
  return type;
}

}  // namespace conpole
