// What all learners on the LibTorch side share: AdamW on one vector of weights, and the vectors of a checkpoint. Includes
// LibTorch: only src/torch may include this. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <torch/torch.h>

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

// LibTorch, and OpenBLAS where LibTorch uses it, have threads of their own, which share every operation and wait for each
// other. Those on a few strings are too small for that, and our threads do without.
void UseNoThreadsWithinOperations();

// Gradient steps ask for the same large blocks of memory again and again. Has the process keep what they give back: to take
// pages from the system and give them back at every step costs a quarter of a step's time on the CPU.
void KeepFreedMemory();

// The vectors of a checkpoint, as a safetensors file has them: names, sizes and numbers, nothing that could be run.
std::string FormatVectors(const std::vector<std::pair<std::string, torch::Tensor>>& vectors, std::int64_t steps);

struct Vectors {
  std::map<std::string, torch::Tensor> by_name;
  std::int64_t steps = 0;

  // The vector of this name. Throws Error if there is none, if it has not the size of `like` or a value is not finite.
  torch::Tensor Take(const std::string& name, const torch::Tensor& like) const;
};

// Throws Error, which says so, if the bytes are not such vectors.
Vectors ParseVectors(std::string_view bytes);

// Throws Diverged, which names `what`.
[[noreturn]] void ThrowDiverged(const char* what);
// Throws Diverged unless all values are finite.
void CheckFinite(const torch::Tensor& values, const char* what);

}  // namespace conpole
