#include "torch/packed_texts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "nn/alphabet.h"

namespace conpole {

namespace {

constexpr char kUnknown = kUnknownByte;  // what an empty text counts as
static_assert(CharacterIndex(kUnknown) == kAsciiCharacters - 1);

}  // namespace

PackedTexts PackTexts(std::span<const std::string_view> texts, std::size_t known, bool pinned) {
  const auto count = static_cast<std::int64_t>(texts.size());
  // A counting sort by length: lengths are small and batches are large.
  const auto length_of = [&](std::size_t i) { return std::max<std::size_t>(1, texts[i].size()); };
  std::size_t longest = 1;
  for (std::size_t i = 0; i < texts.size(); ++i) longest = std::max(longest, length_of(i));
  std::vector<std::int64_t> longer(longest + 2, 0);  // how many strings are longer than the index
  for (std::size_t i = 0; i < texts.size(); ++i) ++longer[length_of(i) - 1];
  for (std::size_t length = longest; length-- > 0;) longer[length] += longer[length + 1];

  PackedTexts packed;
  packed.batch_sizes = torch::empty({static_cast<std::int64_t>(longest)}, torch::kInt64);
  auto* const batch_sizes = packed.batch_sizes.data_ptr<std::int64_t>();
  std::copy_n(longer.begin(), longest, batch_sizes);
  std::vector<std::int64_t> first(longest + 1, 0);  // where the characters of a step begin
  std::partial_sum(batch_sizes, batch_sizes + longest, first.begin() + 1);

  const auto options = torch::TensorOptions().pinned_memory(pinned);
  packed.characters = torch::empty({first.back()}, options.dtype(torch::kUInt8));
  packed.places = torch::empty({count}, options.dtype(torch::kInt64));
  auto* const characters = packed.characters.data_ptr<std::uint8_t>();
  auto* const places = packed.places.data_ptr<std::int64_t>();
  std::vector<std::int64_t> next(longest + 1);  // the next free row of each length
  for (std::size_t length = 1; length <= longest; ++length) next[length] = longer[length];
  std::vector<const char*> sorted(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::int64_t row = next[length_of(i)]++;
    places[row] = static_cast<std::int64_t>(i);
    sorted[static_cast<std::size_t>(row)] = texts[i].empty() ? &kUnknown : texts[i].data();
  }
  // Column by column, so that what is written lies together.
  for (std::size_t at = 0; at < longest; ++at) {
    std::uint8_t* const column = characters + first[at];
    const auto rows = static_cast<std::size_t>(batch_sizes[at]);
    for (std::size_t row = 0; row < rows; ++row) column[row] = CharacterIndex(sorted[row][at], known);
  }
  return packed;
}

}  // namespace conpole
