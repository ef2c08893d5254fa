// A network of kind "residual" (nn/residual_network.h) with LibTorch, for scoring only: its weights in one precision on one
// device. Includes LibTorch: only src/torch may include this. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "nn/model.h"

namespace conpole {

// How many columns OneHotCells gives: cells times colours, and zeros to a multiple of eight, without which matrix products in
// half precision are slow on a GPU.
std::int64_t OneHotColumns(std::int64_t cells, std::int64_t colours);

// A column per cell and colour, 1 where the cell has the colour. `states` are bytes, a row per state.
torch::Tensor OneHotCells(const torch::Tensor& states, std::int64_t colours, torch::ScalarType type);

class ResidualInference {
 public:
  // Throws Error if the model is of another kind or its tensors are not those of its architecture.
  ResidualInference(const Model& model, const torch::Device& device, torch::ScalarType type);

  const torch::Device& device() const { return device_; }
  std::int64_t cells() const { return cells_; }
  std::int64_t actions() const { return actions_; }
  bool has_values() const { return action_.bias.size(0) > actions_; }

  // A row per state of log-preferences and, if it has values, how far the state is, in 32 bits. `states` are bytes on the
  // device.
  torch::Tensor Score(const torch::Tensor& states) const;

 private:
  struct Linear {
    torch::Tensor weight;  // transposed: in x out
    torch::Tensor bias;
  };
  Linear MakeLinear(const Model& model, const std::string& name) const;

  torch::Device device_;
  torch::ScalarType type_;
  std::int64_t cells_;
  std::int64_t colours_;
  std::int64_t actions_;
  Linear input_;
  Linear narrow_;
  std::vector<Linear> blocks_;  // two each
  Linear action_;
};

}  // namespace conpole
