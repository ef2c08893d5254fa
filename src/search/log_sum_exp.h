// The logarithm of a sum of exponentials, without overflow: what turns scores into log-probabilities. Any thread may call this.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace conpole {

// log sum over i of exp values[i], added up as numbers of type `Sum`; 0 for no values.
template <class Sum = double>
float LogSumExp(std::span<const float> values) {
  if (values.empty()) return 0;
  const float highest = *std::max_element(values.begin(), values.end());
  Sum sum = 0;
  for (const float value : values) sum += std::exp(static_cast<Sum>(value - highest));
  return highest + static_cast<float>(std::log(sum));
}

}  // namespace conpole
