// What every beam search does in a step, over texts and over packed states: it gives candidates the values of their paths, and
// goes on with the best. Any thread may call these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "conpole/run_search.h"
#include "search/log_sum_exp.h"

namespace conpole {

// Makes the scores of one state's candidates the values of their paths, given that of the path to the state. Probabilities are
// added up as numbers of type `Sum`.
template <class Sum = double>
void AddPathValue(BeamValue value, float so_far, std::span<float> scores) {
  if (value == BeamValue::kLastScore) return;
  const float base = value == BeamValue::kLogProbability ? so_far - LogSumExp<Sum>(scores) : so_far;
  for (float& score : scores) score += base;
}

// Calls take(candidate) for one candidate after the other until it has said true `width` times: the one with the highest value
// first, and of equal values the one that is listed first. `order` is memory to use again.
template <class Take>
void TakeBest(std::span<const float> values, std::size_t width, std::vector<std::uint32_t>& order, const Take& take) {
  const auto is_better = [&](std::uint32_t a, std::uint32_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  order.resize(values.size());
  std::iota(order.begin(), order.end(), 0U);
  // The best come in portions, each sorted by itself: as a rule the first is enough.
  for (std::size_t begin = 0, taken = 0; begin < order.size() && taken < width;) {
    const std::size_t end = std::min(order.size(), begin + 2 * (width - taken) + 64);
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = order.begin() + static_cast<std::ptrdiff_t>(end);
    if (to != order.end()) std::nth_element(from, to, order.end(), is_better);
    std::sort(from, to, is_better);
    for (auto at = from; at != to && taken < width; ++at) {
      if (take(*at)) ++taken;
    }
    begin = end;
  }
}

}  // namespace conpole
