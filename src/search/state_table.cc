#include "search/state_table.h"

#include <algorithm>
#include <cstring>

#include "conpole/error.h"

namespace conpole {
namespace {

constexpr std::size_t kFirstBlock = std::size_t{4} << 10;
constexpr std::size_t kLargestBlock = std::size_t{2} << 20;  // a large page

}  // namespace

template <bool kSlack>
const char* StateTable::CopyText(std::string_view text) {
  const std::size_t needed = text.size() + TextBuffer::kSlack;
  while (block_ < blocks_.size() && block_used_ + needed > blocks_[block_].size()) {
    ++block_;
    block_used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const std::size_t wanted = blocks_.empty() ? kFirstBlock : std::min(2 * blocks_.back().size(), kLargestBlock);
    blocks_.emplace_back(std::max(needed, wanted));
  }
  char* const kept = blocks_[block_].data() + block_used_;
  if constexpr (kSlack) {
    CopyBlocks(kept, text.data(), text.size());
  } else if (!text.empty()) {
    std::memcpy(kept, text.data(), text.size());
  }
  block_used_ += text.size();
  return kept;
}

template <bool kSlack>
StateTable::Id StateTable::FindOrAdd(std::string_view text, std::uint64_t hash, Id parent) {
  const Id next = size();
  const Id id = slots_.FindOrAdd(
      hash, next, [&](Id other) { return states_[other].text() == text; }, [&](Id other) { return states_[other].hash; });
  if (id != next) return id;
  if (states_.size() + 1 >= kNone) throw Error("a search met more than 4 billion states");
  states_.push_back({hash, CopyText<kSlack>(text), static_cast<std::uint32_t>(text.size()), parent});
  return id;
}

template StateTable::Id StateTable::FindOrAdd<true>(std::string_view, std::uint64_t, Id);
template StateTable::Id StateTable::FindOrAdd<false>(std::string_view, std::uint64_t, Id);

StateTable::Id StateTable::Add(std::string_view text, Id parent) { return FindOrAdd<false>(text, HashText(text), parent); }

void StateTable::Clear() {
  states_.clear();
  slots_.Clear();
  block_ = 0;
  block_used_ = 0;
}

std::vector<std::string> StateTable::PathTo(Id id) const {
  std::vector<std::string> path;
  for (; id != kNone; id = states_[id].parent) path.emplace_back(states_[id].text());
  std::reverse(path.begin(), path.end());
  return path;
}

std::size_t StateTable::MemoryUsed() const {
  std::size_t text_bytes = 0;
  for (const auto& block : blocks_) text_bytes += block.size();
  return text_bytes + states_.capacity() * sizeof(State) + slots_.MemoryUsed();
}

}  // namespace conpole
