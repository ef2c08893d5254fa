// What all learners on the LibTorch side share: AdamW on one vector of weights, and the vectors of a checkpoint. Includes
// LibTorch: only src/torch may include this. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "train/loop/learner_state.h"

namespace conpole {

// AdamW on one vector of weights, in the order of operations that LibTorch's has. Its state is plain tensors, which a
// checkpoint can hold without LibTorch's archives.
struct AdamW {
  static constexpr double kBeta1 = 0.9;
  static constexpr double kBeta2 = 0.999;
  static constexpr double kEpsilon = 1e-8;

  torch::Tensor mean;    // of the gradients, lately
  torch::Tensor square;  // of their squares
  std::int64_t steps = 0;

  void Step(torch::Tensor& weights, const torch::Tensor& gradient, double learning_rate, double weight_decay);
};

// What goes into a checkpoint (train/loop/learner_state.h), and the vector of a name that it must have, as large as `like`.
std::string FormatVectors(const std::vector<std::pair<std::string, torch::Tensor>>& vectors, std::int64_t steps);
torch::Tensor TakeVector(const LearnerState& state, const std::string& name, const torch::Tensor& like);

// Throws Diverged unless all values are finite.
void CheckFinite(const torch::Tensor& values, const char* what);

}  // namespace conpole
