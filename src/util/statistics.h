// The few statistics that results are reported with. Any thread may call these.
#pragma once

#include <cstddef>
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

}  // namespace conpole
