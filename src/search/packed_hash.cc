#include "search/packed_hash.h"

#include <algorithm>

#include "util/hash.h"

namespace conpole {

PackedHash::PackedHash(const FixedLayout& layout) : cells_(layout.cells), colours_(layout.colours), actions_(layout.actions()) {
  constexpr std::uint64_t kSeed = 0x5A17B3C9D0E1F284;
  words_.resize(cells_ * colours_);
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = MixHash(MixHash(kSeed, i), i + 1);
  successor_words_.resize(words_.size() * actions_);
  for (std::size_t action = 0; action < actions_; ++action) {
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      const std::size_t from = layout.moves[action][cell];
      for (std::size_t colour = 0; colour < colours_; ++colour) {
        successor_words_[(from * colours_ + colour) * actions_ + action] = words_[cell * colours_ + colour];
      }
    }
  }
}

std::uint64_t PackedHash::Of(const std::uint8_t* state) const {
  std::uint64_t hash = 0;
  for (std::size_t cell = 0; cell < cells_; ++cell) hash += words_[cell * colours_ + state[cell]];
  return hash;
}

void PackedHash::OfSuccessors(const std::uint8_t* state, std::uint64_t* hashes) const {
  std::fill_n(hashes, actions_, 0);
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    const std::uint64_t* const words = successor_words_.data() + (cell * colours_ + state[cell]) * actions_;
    for (std::size_t action = 0; action < actions_; ++action) hashes[action] += words[action];
  }
}

}  // namespace conpole
