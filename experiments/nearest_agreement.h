// How much a problem has in common with the problem that is nearest to it, by any measure of distance. Where several are
// equally near, none of them is preferred: they count equally. Values; any thread may call these.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace conpole {

// The candidates with the least distance, in their order; empty if there are none. `candidates` are indices into `distances`.
std::vector<std::size_t> NearestOf(std::span<const float> distances, std::span<const std::size_t> candidates);

// The mean of agreement(candidate) over the nearest ones; nothing if there are no candidates.
std::optional<double> NearestAgreement(std::span<const float> distances, std::span<const std::size_t> candidates,
                                       const std::function<double(std::size_t candidate)>& agreement);

// How much two multisets have in common: the size of the intersection over that of the union, 1 for two empty ones. Both are
// sorted.
double MultisetOverlap(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace conpole
