#include "search/packed_hash.h"

#include <array>
#include <cstring>

#include "util/hash.h"

namespace conpole {
namespace {

constexpr std::size_t kMostCells = 256;  // of a layout

std::vector<std::uint64_t> RandomWords(std::size_t count) {
  constexpr std::uint64_t kSeed = 0x5A17B3C9D0E1F284;
  constexpr std::uint64_t kLowByte = 0xFF;
  std::vector<std::uint64_t> words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = MixHash(MixHash(kSeed, i), i + 1) & ~kLowByte;
  return words;
}

}  // namespace

HashesAfterMoves::HashesAfterMoves(const FixedLayout& layout, const std::vector<std::uint64_t>& words,
                                   const std::vector<std::vector<std::uint8_t>>& moves)
    : cells_(layout.cells), colours_(layout.colours), moves_(moves.size()), words_(words.size() * moves.size()) {
  for (std::size_t move = 0; move < moves_; ++move) {
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      const std::size_t from = moves[move][cell];
      for (std::size_t colour = 0; colour < colours_; ++colour) {
        words_[(from * colours_ + colour) * moves_ + move] = words[cell * colours_ + colour];
      }
    }
  }
}

void HashesAfterMoves::Of(const std::uint8_t* state, std::uint64_t* hashes) const {
  // Some moves at a time, whose sums stay in registers.
  using Pair __attribute__((vector_size(2 * sizeof(std::uint64_t)))) = std::uint64_t;
  constexpr std::size_t kPairs = 6;
  std::array<const std::uint64_t*, kMostCells> rows;
  for (std::size_t cell = 0; cell < cells_; ++cell) rows[cell] = words_.data() + (cell * colours_ + state[cell]) * moves_;
  std::size_t move = 0;
  for (; move + 2 * kPairs <= moves_; move += 2 * kPairs) {
    Pair sums[kPairs]{};
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      for (std::size_t i = 0; i < kPairs; ++i) {
        Pair words;
        std::memcpy(&words, rows[cell] + move + 2 * i, sizeof words);
        sums[i] += words;
      }
    }
    std::memcpy(hashes + move, sums, sizeof sums);
  }
  for (; move < moves_; ++move) {
    hashes[move] = 0;
    for (std::size_t cell = 0; cell < cells_; ++cell) hashes[move] += rows[cell][move];
  }
}

PackedHash::PackedHash(const FixedLayout& layout)
    : cells_(layout.cells),
      colours_(layout.colours),
      words_(RandomWords(cells_ * colours_)),
      successors_(layout, words_, layout.moves),
      conditions_(layout.conditions) {}

std::uint64_t PackedHash::Of(const std::uint8_t* state) const {
  std::uint64_t hash = 0;
  for (std::size_t cell = 0; cell < cells_; ++cell) hash += words_[cell * colours_ + state[cell]];
  return hash;
}

void PackedHash::OfSuccessors(const std::uint8_t* state, std::uint64_t* hashes) const {
  successors_.Of(state, hashes);
  if (conditions_.empty()) return;
  const std::uint64_t own = Of(state);
  for (std::size_t action = 0; action < conditions_.size(); ++action) {
    if (state[conditions_[action].cell] != conditions_[action].colour) hashes[action] = own;
  }
}

}  // namespace conpole
