#include "train/loop/packed_replay.h"

#include <algorithm>

#include "conpole/error.h"

namespace conpole {

void PackedReplay::Add(std::span<const std::uint8_t> state, std::uint8_t action) {
  if (size() < capacity_) {
    states_.insert(states_.end(), state.begin(), state.end());
    actions_.push_back(action);
    return;
  }
  std::copy(state.begin(), state.end(), states_.begin() + static_cast<std::ptrdiff_t>(next_ * cells_));
  actions_[next_] = action;
  next_ = (next_ + 1) % capacity_;
}

// The oldest first, so that another capacity can take over the latest.
void PackedReplay::Save(const WriteBytes& write) const {
  const auto piece = [&](const std::vector<std::uint8_t>& bytes, std::size_t begin, std::size_t end) {
    if (begin != end) write({reinterpret_cast<const char*>(bytes.data()) + begin, end - begin});
  };
  piece(actions_, next_, actions_.size());
  piece(actions_, 0, next_);
  piece(states_, next_ * cells_, states_.size());
  piece(states_, 0, next_ * cells_);
}

void PackedReplay::Restore(std::string_view bytes, std::size_t actions) {
  const std::size_t count = bytes.size() / (1 + cells_);
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto is_bad = [&](std::uint8_t action) { return action >= actions; };
  if (bytes.size() % (1 + cells_) != 0 || std::any_of(data, data + count, is_bad)) {
    throw Error("the examples in the checkpoint are damaged");
  }
  const std::size_t left_out = count - std::min(count, capacity_);
  actions_.assign(data + left_out, data + count);
  states_.assign(data + count + left_out * cells_, data + bytes.size());
  next_ = 0;
}

}  // namespace conpole
