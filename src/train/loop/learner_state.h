// What a learner keeps of itself in a checkpoint: vectors of 32-bit numbers, as a safetensors file has them; names, sizes and
// numbers, nothing that could be run. All functions may be called by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conpole {

// The names that the learners of texts give them, so that one can go on with what the other has saved.
inline constexpr const char* kWeightsName = "weights";
inline constexpr const char* kMeanName = "mean";
inline constexpr const char* kSquareName = "square";
inline constexpr const char* kSlowWeightsName = "slow-weights";

struct LearnerState {
  std::map<std::string, std::vector<float>> vectors;
  std::int64_t steps = 0;  // of gradients

  // The vector of this name. Throws Error if there is none, or if it is of another size, and Diverged if a value is not finite.
  const std::vector<float>& At(const std::string& name, std::size_t size) const;
};

std::string FormatLearnerState(std::span<const std::pair<std::string, std::span<const float>>> vectors, std::int64_t steps);
// Throws Error, which says so, if the bytes are not such a state.
LearnerState ParseLearnerState(std::string_view bytes);

// Throws Diverged, which names `what`.
[[noreturn]] void ThrowDiverged(const char* what);
// Throws Diverged unless all values are finite.
void CheckFinite(std::span<const float> values, const char* what);

}  // namespace conpole
