// Hashes of packed states (conpole/fixed_layout.h): the sum, without regard to overflow, of a random word per cell and colour.
// So the hashes of all successors of a state are sums as well, and are known without making the successors. Fifty-six bits,
// above a byte of zeros in which a table may keep what it knows of a state: what a search finds by them is replayed, so that
// two states with one hash cost a search at the most. Immutable; any thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conpole/fixed_layout.h"

namespace conpole {

// The hashes of a state after each of a list of moves, which are the cells that each cell gets its colour from.
class HashesAfterMoves {
 public:
  // `words` has the word of each cell and colour.
  HashesAfterMoves(const FixedLayout& layout, const std::vector<std::uint64_t>& words,
                   const std::vector<std::vector<std::uint8_t>>& moves);

  std::size_t moves() const { return moves_; }
  // One hash per move.
  void Of(const std::uint8_t* state, std::uint64_t* hashes) const;

  // Per cell and colour, a word per move: a state's hashes are the sums over its cells.
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::size_t cells_;
  std::size_t colours_;
  std::size_t moves_;
  std::vector<std::uint64_t> words_;
};

class PackedHash {
 public:
  explicit PackedHash(const FixedLayout& layout);

  std::uint64_t Of(const std::uint8_t* state) const;
  // One hash per action: that of the state after it, which is its own if the action is not possible.
  void OfSuccessors(const std::uint8_t* state, std::uint64_t* hashes) const;

  // The word of each cell and colour: those of a cell stand together.
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::size_t cells_;
  std::size_t colours_;
  std::vector<std::uint64_t> words_;
  HashesAfterMoves successors_;
  std::vector<MoveCondition> conditions_;
};

}  // namespace conpole
