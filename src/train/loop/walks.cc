#include "train/loop/walks.h"

#include "util/hash.h"
#include "util/random.h"

namespace conpole {

WalkBatch WalkSource::Draw(std::uint64_t step, std::size_t walks, std::size_t length) const {
  constexpr std::uint64_t kStream = 4;  // another one than those of the search-based trainer
  WalkBatch batch{walks, length, std::vector<std::uint8_t>(walks * length)};
  Random random(MixHash(MixHash(seed_, kStream), step));
  for (std::size_t at = 0; at < batch.actions.size(); ++at) {
    const std::vector<std::uint8_t>* next = at < walks ? nullptr : &next_[batch.actions[at - walks]];
    // Where all moves commute, nothing new follows the last one in their order.
    if (next == nullptr || next->empty()) {
      batch.actions[at] = static_cast<std::uint8_t>(random.Uint64(0, next_.size()));
    } else {
      batch.actions[at] = (*next)[random.Uint64(0, next->size())];
    }
  }
  return batch;
}

}  // namespace conpole
