// The few statistics that results are reported with. Any thread may call these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace conpole {

struct Interval {
  double low;
  double high;
};

// The 95% confidence interval of a rate of which `successes` of `trials` were seen (Wilson's score interval). [0, 1] for no
// trials.
Interval RateInterval(std::size_t successes, std::size_t trials);

// The value below which a share of the values lies, 0 <= share <= 1; the nearest rank. 0 for no values.
double Percentile(std::vector<double> values, double share);

double Mean(const std::vector<double>& values);  // 0 for no values

// 95% confidence intervals of means over the same things, by drawing these anew, with repetition, many times (the percentile
// bootstrap). The draws depend on the seed alone, so that means of several measures, and of their differences, are compared
// over the same draws. Immutable; any thread may ask.
class Bootstrap {
 public:
  static constexpr std::size_t kDraws = 2000;

  explicit Bootstrap(std::size_t size, std::uint64_t seed = 0, std::size_t draws = kDraws);

  // Of the mean of `size` values. Both ends are 0 for no values.
  Interval OfMean(std::span<const double> values) const;

 private:
  std::size_t size_;
  std::vector<std::uint32_t> drawn_;  // size_ indices for every draw
};

}  // namespace conpole
