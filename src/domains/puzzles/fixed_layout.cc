#include "conpole/fixed_layout.h"

#include <algorithm>

#include "conpole/error.h"

namespace conpole {
namespace {

std::vector<std::uint8_t> Composed(const std::vector<std::uint8_t>& first, const std::vector<std::uint8_t>& second) {
  std::vector<std::uint8_t> both;
  for (const std::uint8_t cell : second) both.push_back(first[cell]);
  return both;
}

bool IsPermutation(std::vector<std::uint8_t> move) {
  std::sort(move.begin(), move.end());
  for (std::size_t i = 0; i < move.size(); ++i) {
    if (move[i] != i) return false;
  }
  return true;
}

bool IsIdentity(const std::vector<std::uint8_t>& move) {
  for (std::size_t i = 0; i < move.size(); ++i) {
    if (move[i] != i) return false;
  }
  return true;
}

// Where the cell that an action asks about has gone after it.
MoveCondition AfterMove(const FixedLayout& layout, std::size_t action) {
  MoveCondition condition = layout.conditions[action];
  const std::vector<std::uint8_t>& from = layout.moves[action];
  condition.cell = static_cast<std::uint8_t>(std::find(from.begin(), from.end(), condition.cell) - from.begin());
  return condition;
}

}  // namespace

std::vector<std::uint8_t> ViewOf(const LayoutSymmetry& symmetry, std::span<const std::uint8_t> state) {
  std::vector<std::uint8_t> view;
  for (const std::uint8_t cell : symmetry.cells) view.push_back(symmetry.colours[state[cell]]);
  return view;
}

std::vector<std::uint8_t> PackState(const FixedLayout& layout, std::string_view state) {
  std::vector<std::uint8_t> cells(layout.cells);
  layout.pack(state, cells.data());
  return cells;
}

std::vector<std::uint8_t> PossibleActions(const FixedLayout& layout, const std::uint8_t* state) {
  std::vector<std::uint8_t> possible;
  for (std::size_t action = 0; action < layout.actions(); ++action) {
    if (IsPossible(layout, action, state)) possible.push_back(static_cast<std::uint8_t>(action));
  }
  return possible;
}

std::vector<std::vector<std::uint8_t>> SensibleNextActions(const FixedLayout& layout) {
  // An action and its inverse have the same rank, so that neither gets between two others of one rank.
  const auto rank = [&](std::size_t action) { return std::min<std::size_t>(action, layout.inverse[action]); };
  std::vector<std::vector<std::uint8_t>> next(layout.actions());
  for (std::size_t a = 0; a < layout.actions(); ++a) {
    for (std::size_t b = 0; b < layout.actions(); ++b) {
      if (!layout.conditions.empty()) {
        if (layout.conditions[b] == AfterMove(layout, a) && b != layout.inverse[a]) {
          next[a].push_back(static_cast<std::uint8_t>(b));
        }
        continue;
      }
      const std::vector<std::uint8_t> both = Composed(layout.moves[a], layout.moves[b]);
      const bool can_be_swapped = both == Composed(layout.moves[b], layout.moves[a]);
      const bool is_one = std::find(layout.moves.begin(), layout.moves.end(), both) != layout.moves.end();
      if (b == layout.inverse[a] || is_one || (can_be_swapped && rank(b) < rank(a))) continue;
      next[a].push_back(static_cast<std::uint8_t>(b));
    }
  }
  return next;
}

void CheckLayout(const FixedLayout& layout) {
  constexpr std::size_t kMost = 256;
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw Error(std::string("a fixed layout is not sound: ") + what);
  };
  require(layout.cells >= 1 && layout.cells <= kMost, "there must be 1 to 256 cells");
  require(layout.colours >= 1 && layout.colours <= kMost, "there must be 1 to 256 colours");
  require(layout.actions() >= 1 && layout.actions() <= kMost, "there must be 1 to 256 actions");
  require(layout.solved.size() == layout.cells, "the solved state has another number of cells");
  require(std::all_of(layout.solved.begin(), layout.solved.end(), [&](auto colour) { return colour < layout.colours; }),
          "the solved state has a colour that there is not");
  require(layout.inverse.size() == layout.actions(), "not every action has one that undoes it");
  for (std::size_t a = 0; a < layout.actions(); ++a) {
    require(layout.moves[a].size() == layout.cells && IsPermutation(layout.moves[a]), "an action is not a permutation");
    require(layout.inverse[a] < layout.actions() && IsIdentity(Composed(layout.moves[a], layout.moves[layout.inverse[a]])),
            "an action is not undone by its inverse");
  }
  require(layout.conditions.empty() || layout.conditions.size() == layout.actions(), "some actions have no condition");
  for (std::size_t a = 0; a < layout.conditions.size(); ++a) {
    const MoveCondition condition = layout.conditions[a];
    require(condition.cell < layout.cells && std::count(layout.solved.begin(), layout.solved.end(), condition.colour) == 1,
            "an action's condition is not about the one cell of a colour");
    require(layout.conditions[layout.inverse[a]] == AfterMove(layout, a), "an action's inverse is not possible after it");
  }
  for (const LayoutSymmetry& symmetry : layout.symmetries()) {
    require(symmetry.cells.size() == layout.cells && IsPermutation(symmetry.cells) &&
                symmetry.colours.size() == layout.colours && IsPermutation(symmetry.colours) &&
                symmetry.actions.size() == layout.actions() && IsPermutation(symmetry.actions),
            "a symmetry is not a permutation");
    require(ViewOf(symmetry, layout.solved) == layout.solved, "a symmetry changes the solved state");
    for (std::size_t a = 0; a < layout.actions(); ++a) {
      require(Composed(layout.moves[a], symmetry.cells) == Composed(symmetry.cells, layout.moves[symmetry.actions[a]]),
              "a symmetry does not go with an action");
      if (layout.conditions.empty()) continue;
      const MoveCondition seen = layout.conditions[symmetry.actions[a]];
      require(symmetry.cells[seen.cell] == layout.conditions[a].cell &&
                  symmetry.colours[layout.conditions[a].colour] == seen.colour,
              "a symmetry does not go with an action's condition");
    }
  }
  require(layout.pack != nullptr && layout.unpack != nullptr, "states cannot be packed");
}

}  // namespace conpole
