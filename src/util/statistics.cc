#include "util/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "util/random.h"

namespace conpole {

Interval RateInterval(std::size_t successes, std::size_t trials) {
  if (trials == 0) return {0, 1};
  constexpr double kZ = 1.959963984540054;  // the normal distribution's 97.5% point
  const auto n = static_cast<double>(trials);
  const double rate = static_cast<double>(successes) / n;
  const double centre = rate + kZ * kZ / (2 * n);
  const double spread = kZ * std::sqrt(rate * (1 - rate) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  return {std::max(0.0, (centre - spread) / scale), std::min(1.0, (centre + spread) / scale)};
}

double Percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank == 0 ? 0 : rank - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double Mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Bootstrap::Bootstrap(std::size_t size, std::uint64_t seed, std::size_t draws) : size_(size) {
  Random random(seed);
  drawn_.reserve(size * draws);
  while (drawn_.size() < size * draws) drawn_.push_back(static_cast<std::uint32_t>(random.Uint64(0, size)));
}

Interval Bootstrap::OfMean(std::span<const double> values) const {
  if (size_ == 0) return {0, 0};
  std::vector<double> means;
  for (auto next = drawn_.begin(); next != drawn_.end();) {
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += values[*next++];
    means.push_back(sum / static_cast<double>(size_));
  }
  constexpr double kTail = 0.025;
  return {Percentile(means, kTail), Percentile(means, 1 - kTail)};
}

}  // namespace conpole
