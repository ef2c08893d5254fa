// States of a domain file that are layouts: cells with a colour each. Moves edit the text of a state. Where all of them are
// permutations or toggles, or all slide something into the only hole, and each can be taken back by one of them, there is a
// FixedLayout, for packed states.
//
// Immutable; any thread may use it. The definition outlives it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "domains/files/definition.h"
#include "util/random.h"

namespace conpole::files {

class LayoutEngine {
 public:
  explicit LayoutEngine(const Definition& file);

  std::optional<Malformed> Read(std::string_view text, std::vector<std::uint8_t>& cells) const;
  std::string Write(const std::vector<std::uint8_t>& cells) const;
  bool Solved(const std::vector<std::uint8_t>& cells) const;
  // `cells` are those of the state.
  void Append(std::string_view state, const std::vector<std::uint8_t>& cells, Labels labels, Successors& out) const;
  std::string Scramble(const struct Scramble& range, Random& random) const;

  // Nothing if states cannot be packed.
  std::optional<FixedLayout> MakeFixedLayout() const;

 private:
  std::optional<Malformed> ReadSlowly(std::string_view text, std::vector<std::uint8_t>& cells) const;
  bool HasRightCounts(const std::vector<std::uint8_t>& cells) const;
  bool Do(const Move& move, const std::vector<std::uint8_t>& cells, std::vector<std::uint8_t>& result) const;
  bool Undo(const Move& move, const std::vector<std::uint8_t>& cells, std::vector<std::uint8_t>& result) const;
  std::optional<std::pair<std::vector<std::uint8_t>, MoveCondition>> AsConditionalMove(const Move& move) const;
  // Moves and their inverses; false if there are none for packed states.
  bool AddConditionalMoves(FixedLayout& made) const;
  void AddMoves(std::size_t fold, FixedLayout& made) const;

  const LayoutDefinition& layout_;
  bool keeps_colours_ = true;  // no move changes how many cells have a colour
  bool has_inverses_ = true;   // all moves are unconditional, and each is undone by one of them
  bool has_toggles_ = false;
  std::map<std::string, std::uint8_t, std::less<>> colours_;
  std::vector<std::size_t> counts_;
  std::vector<std::size_t> inverse_;

  // Where every character is one byte, a state is edited as text.
  bool is_plain_ = false;
  std::array<std::int16_t, 256> colour_of_{};  // of a byte; -1 for none
  std::string shape_;                          // the decoration; 0 for a cell
  std::vector<std::uint16_t> place_of_;        // of each cell in the text
  // Of each permutation the bytes that it changes, and where they come from.
  std::vector<std::vector<std::pair<std::uint16_t, std::uint16_t>>> changes_;
};

}  // namespace conpole::files
