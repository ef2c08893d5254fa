#include "experiments/nearest_agreement.h"

#include <algorithm>
#include <iterator>

namespace conpole {

std::vector<std::size_t> NearestOf(std::span<const float> distances, std::span<const std::size_t> candidates) {
  std::vector<std::size_t> nearest;
  for (const std::size_t candidate : candidates) {
    if (!nearest.empty() && distances[candidate] > distances[nearest.front()]) continue;
    if (!nearest.empty() && distances[candidate] < distances[nearest.front()]) nearest.clear();
    nearest.push_back(candidate);
  }
  return nearest;
}

std::optional<double> NearestAgreement(std::span<const float> distances, std::span<const std::size_t> candidates,
                                       const std::function<double(std::size_t candidate)>& agreement) {
  const std::vector<std::size_t> nearest = NearestOf(distances, candidates);
  if (nearest.empty()) return std::nullopt;
  double sum = 0;
  for (const std::size_t candidate : nearest) sum += agreement(candidate);
  return sum / static_cast<double>(nearest.size());
}

double MultisetOverlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty() && b.empty()) return 1;
  std::vector<std::string> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return static_cast<double>(common.size()) / static_cast<double>(a.size() + b.size() - common.size());
}

}  // namespace conpole
