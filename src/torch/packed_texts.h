// Texts as packed sequences of characters, as LSTM layers take them. Includes LibTorch: only src/torch may include this.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <torch/torch.h>

namespace conpole {

// Characters of several strings in the order that LibTorch's packed sequences have: the first characters of all strings, then
// the second ones of those that have one, and so on. Strings are sorted by decreasing length first.
struct PackedTexts {
  torch::Tensor characters;   // one byte each, on the CPU
  torch::Tensor batch_sizes;  // how many strings have a first, second, ... character; int64 on the CPU
  torch::Tensor places;       // where the sorted strings stood before; int64 on the CPU
};

// Texts with a byte per character, as TextReader gives them, of a network that knows `known` characters. Requires at least one.
// An empty text counts as one unknown character: packed sequences have no empty ones.
PackedTexts PackTexts(std::span<const std::string_view> texts, std::size_t known, bool pinned);

}  // namespace conpole
