// A list of distinct texts: adding a text gives its place in the list, the old one if it is there already. Batches for a
// network are made with it, since each text costs. The texts belong to the caller and must stay valid. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conpole/error.h"
#include "util/hash.h"
#include "util/text_slots.h"

namespace conpole {

class TextIndex {
 public:
  static constexpr std::uint32_t kNone = TextSlots::kNone;

  std::uint32_t Add(std::string_view text) { return Add(text, HashText(text)); }
  // The same where the hash (HashText) is known.
  std::uint32_t Add(std::string_view text, std::uint64_t hash) {
    if (texts_.size() >= kNone) throw Error("there are more than 4 billion different texts");
    const auto next = static_cast<std::uint32_t>(texts_.size());
    const std::uint32_t place = slots_.FindOrAdd(
        hash, next, [&](std::uint32_t other) { return texts_[other] == text; },
        [&](std::uint32_t other) { return hashes_[other]; });
    if (place == next) {
      texts_.push_back(text);
      hashes_.push_back(hash);
    }
    return place;
  }

  // The place of a text; kNone if it is not in the list.
  std::uint32_t Find(std::string_view text) const {
    return slots_.Find(HashText(text), [&](std::uint32_t other) { return texts_[other] == text; });
  }

  // Empties the list, keeps its memory, and makes room for about `texts` texts.
  void Reset(std::size_t texts = 0) {
    texts_.clear();
    hashes_.clear();
    slots_.Reset(texts);
  }

  std::size_t size() const { return texts_.size(); }
  // In the order of arrival, and the hash of each.
  std::span<const std::string_view> texts() const { return texts_; }
  std::span<const std::uint64_t> hashes() const { return hashes_; }

 private:
  TextSlots slots_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace conpole
