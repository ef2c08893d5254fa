#include "search/packed_hash.h"

#include <algorithm>

#include "util/hash.h"

namespace conpole {

namespace {

std::vector<std::uint64_t> RandomWords(std::size_t count) {
  constexpr std::uint64_t kSeed = 0x5A17B3C9D0E1F284;
  std::vector<std::uint64_t> words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = MixHash(MixHash(kSeed, i), i + 1);
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
  std::fill_n(hashes, moves_, 0);
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    const std::uint64_t* const words = words_.data() + (cell * colours_ + state[cell]) * moves_;
    for (std::size_t move = 0; move < moves_; ++move) hashes[move] += words[move];
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
