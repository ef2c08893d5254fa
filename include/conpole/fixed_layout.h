// What a domain may say about its states besides their texts: that they all have the same cells, each of one of a few colours,
// and that there is one fixed list of actions, each of which moves the colours from cell to cell in the same way in every state
// where it is possible, and is undone by another one. Searches and learners work on such states without texts: a state is
// packed into a byte per cell.
//
// A layout is immutable and lives as long as the program. Any thread may use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

// Another view of all states, in which the same actions are there under other names: after an action, the view of a state is
// the view before, after the action's namesake. The solved state looks the same.
struct LayoutSymmetry {
  std::vector<std::uint8_t> cells;    // for each cell of the view, the cell that it shows
  std::vector<std::uint8_t> colours;  // for each colour, the one that stands for it in the view
  std::vector<std::uint8_t> actions;  // for each action its namesake
};

// Where an action is possible: where this cell has this colour, which only one cell of a state has, such as the hole between
// sliding tiles.
struct MoveCondition {
  std::uint8_t cell = 0;
  std::uint8_t colour = 0;

  friend bool operator==(const MoveCondition&, const MoveCondition&) = default;
};

struct FixedLayout {
  std::size_t cells = 0;    // at most 256
  std::size_t colours = 0;  // at most 256
  // The one solved state.
  std::vector<std::uint8_t> solved = {};
  // For each action, in the order in which the domain lists successors: the cell that each cell gets its colour from.
  std::vector<std::vector<std::uint8_t>> moves = {};
  // For each action the one that undoes it. So walks from the solved state can be walked back.
  std::vector<std::uint8_t> inverse = {};
  // For each action where it is possible; empty if every action always is. The domain lists the possible ones alone.
  std::vector<MoveCondition> conditions = {};
  // Views that the domain knows of, the states as they are among them; null if it says nothing about it. They take long to
  // find, so that they are found when they are first asked for.
  std::function<const std::vector<LayoutSymmetry>&()> find_symmetries = nullptr;
  // From the canonical text of a state to a byte per cell, and back.
  std::function<void(std::string_view state, std::uint8_t* cells)> pack = nullptr;
  std::function<std::string(const std::uint8_t* cells)> unpack = nullptr;

  std::size_t actions() const { return moves.size(); }
  const std::vector<LayoutSymmetry>& symmetries() const {
    static const std::vector<LayoutSymmetry> none;
    return find_symmetries == nullptr ? none : find_symmetries();
  }
};

inline bool IsPossible(const FixedLayout& layout, std::size_t action, const std::uint8_t* state) {
  if (layout.conditions.empty()) return true;
  const MoveCondition condition = layout.conditions[action];
  return state[condition.cell] == condition.colour;
}

// The actions that are possible, in their order.
std::vector<std::uint8_t> PossibleActions(const FixedLayout& layout, const std::uint8_t* state);

// Writes the state after an action; the two must not overlap. An action that is not possible changes nothing.
inline void MovePacked(const FixedLayout& layout, std::size_t action, const std::uint8_t* state, std::uint8_t* result) {
  if (!IsPossible(layout, action, state)) {
    std::copy_n(state, layout.cells, result);
    return;
  }
  const std::uint8_t* const from = layout.moves[action].data();
  for (std::size_t cell = 0; cell < layout.cells; ++cell) result[cell] = state[from[cell]];
}

// What a state looks like in another view.
std::vector<std::uint8_t> ViewOf(const LayoutSymmetry& symmetry, std::span<const std::uint8_t> state);

std::vector<std::uint8_t> PackState(const FixedLayout& layout, std::string_view state);

// For each action, those that make sense right after it: possible, not the one that undoes it, none that makes one action
// of both, and of two that can be swapped only one order. Every state that can be reached at all can be reached by such walks,
// in as few steps.
std::vector<std::vector<std::uint8_t>> SensibleNextActions(const FixedLayout& layout);

// Throws Error unless the layout is what it has to be: sizes within bounds, moves that are permutations, inverses that undo,
// symmetries that are some.
void CheckLayout(const FixedLayout& layout);

}  // namespace conpole
