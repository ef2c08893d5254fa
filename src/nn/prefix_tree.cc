#include "nn/prefix_tree.h"

#include <algorithm>
#include <numeric>

namespace conpole {

void PrefixTree::Build(std::span<const std::string_view> texts, const Reading& reading) {
  // 1. The texts in the order in which they are read.
  read_.assign(texts.begin(), texts.end());
  begins_.assign(1, 0);
  std::size_t longest = 0;
  for (const std::string_view text : texts) {
    begins_.push_back(begins_.back() + text.size());
    longest = std::max(longest, text.size());
  }
  if (reading.from_the_end) {
    reversed_.resize(begins_.back());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::reverse_copy(texts[i].begin(), texts[i].end(), reversed_.begin() + static_cast<std::ptrdiff_t>(begins_[i]));
      read_[i] = std::string_view(reversed_).substr(begins_[i], texts[i].size());
    }
  }
  // 2. Sorted, each shares most with the one before; how many nodes each level has.
  order_.resize(texts.size());
  std::iota(order_.begin(), order_.end(), 0U);
  if (reading.shares) {
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return read_[a] < read_[b]; });
  }
  shared_.assign(texts.size(), 0);
  first_.assign(longest + 1, 0);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::string_view text = read_[order_[i]];
    if (reading.shares && i != 0) {
      const std::string_view other = read_[order_[i - 1]];
      shared_[i] =
          static_cast<std::uint32_t>(std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first - text.begin());
    }
    for (std::size_t at = shared_[i]; at < text.size(); ++at) ++first_[at + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  // 3. The nodes.
  before_.resize(first_.back());
  position_.resize(first_.back());
  node_of_.resize(begins_.back());
  last_.assign(texts.size(), kNone);
  next_.assign(first_.begin(), first_.end());
  path_.resize(longest);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::size_t text = order_[i];
    const std::size_t length = read_[text].size();
    for (std::size_t at = 0; at < length; ++at) {
      const std::size_t position = begins_[text] + (reading.from_the_end ? length - 1 - at : at);
      if (at >= shared_[i]) {
        const std::size_t node = next_[at]++;
        before_[node] = at == 0 ? kNone : path_[at - 1];
        position_[node] = static_cast<std::uint32_t>(position);
        path_[at] = static_cast<std::uint32_t>(node);
      }
      node_of_[position] = path_[at];
    }
    if (length != 0) last_[text] = path_[length - 1];
  }
}

}  // namespace conpole
