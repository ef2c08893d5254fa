#include "verify/cube_turns.h"

#include <array>

#include <fmt/format.h>

#include "conpole/error.h"
#include "verify/cube.h"

namespace conpole {
namespace {

// Turns of two opposite faces, one after the other.
struct Pair {
  std::size_t first_face = 0;
  std::array<int, 2> quarters{};  // of the first face and of the opposite one

  bool IsNothing() const { return quarters[0] % 4 == 0 && quarters[1] % 4 == 0; }
};

// Opposite faces are neighbours in kCubeFaces.
std::size_t Opposite(std::size_t face) { return face ^ 1U; }

}  // namespace

CubeTurn CubeTurnOf(std::string_view label) {
  const std::size_t face = label.empty() ? std::string_view::npos : kCubeFaces.find(label.front());
  if (face != std::string_view::npos) {
    const std::string_view rest = label.substr(1);
    if (rest == "1") return {face, 1};
    if (rest == "2") return {face, 2};
    if (rest == "-1") return {face, 3};
  }
  throw Error(fmt::format("'{}' is no turn of a cube", label));
}

std::string LabelOf(const CubeTurn& turn) {
  return fmt::format("{}{}", kCubeFaces[turn.face], turn.quarters == 3 ? "-1" : turn.quarters == 2 ? "2" : "1");
}

std::string Singmaster(const CubeTurn& turn) {
  return fmt::format("{}{}", kCubeFaces[turn.face], turn.quarters == 3 ? "'" : turn.quarters == 2 ? "2" : "");
}

std::string Singmaster(std::span<const CubeTurn> turns) {
  std::string text;
  for (const CubeTurn& turn : turns) text += (text.empty() ? "" : " ") + Singmaster(turn);
  return text;
}

std::vector<CubeTurn> JoinTurns(std::span<const CubeTurn> turns) {
  std::vector<Pair> pairs;  // no two that follow each other are of the same faces
  for (const CubeTurn& turn : turns) {
    const bool goes_on =
        !pairs.empty() && (pairs.back().first_face == turn.face || pairs.back().first_face == Opposite(turn.face));
    if (!goes_on) pairs.push_back({turn.face});
    pairs.back().quarters[pairs.back().first_face == turn.face ? 0 : 1] += turn.quarters;
    // What comes next may then go on with what was there before.
    if (pairs.back().IsNothing()) pairs.pop_back();
  }
  std::vector<CubeTurn> joined;
  for (const Pair& pair : pairs) {
    if (pair.quarters[0] % 4 != 0) joined.push_back({pair.first_face, pair.quarters[0] % 4});
    if (pair.quarters[1] % 4 != 0) joined.push_back({Opposite(pair.first_face), pair.quarters[1] % 4});
  }
  return joined;
}

std::vector<CubeTurn> SplitTurns(std::span<const CubeTurn> turns) {
  std::vector<CubeTurn> split;
  for (const CubeTurn& turn : turns) {
    if (turn.quarters == 2) split.push_back({turn.face, 1});
    split.push_back({turn.face, turn.quarters == 2 ? 1 : turn.quarters});
  }
  return split;
}

std::size_t CountQuarterTurns(std::span<const CubeTurn> turns) {
  std::size_t count = 0;
  for (const CubeTurn& turn : turns) count += turn.quarters == 2 ? 2U : 1U;
  return count;
}

}  // namespace conpole
