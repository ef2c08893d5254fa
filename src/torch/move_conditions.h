// The conditions of a layout's actions (conpole/fixed_layout.h) on a device. Includes LibTorch: only src/torch may include
// this.
#pragma once

#include <cstddef>
#include <cstdint>

#include <torch/torch.h>

#include "conpole/fixed_layout.h"

namespace conpole {

class MoveConditions {
 public:
  MoveConditions() = default;
  MoveConditions(const FixedLayout& layout, const torch::Device& device) {
    if (layout.conditions.empty()) return;
    const auto actions = static_cast<std::int64_t>(layout.actions());
    cells_ = torch::empty({actions}, torch::kInt64);
    colours_ = torch::empty({actions}, torch::kUInt8);
    for (std::size_t a = 0; a < layout.actions(); ++a) {
      cells_.data_ptr<std::int64_t>()[a] = layout.conditions[a].cell;
      colours_.data_ptr<std::uint8_t>()[a] = layout.conditions[a].colour;
    }
    cells_ = cells_.to(device);
    colours_ = colours_.to(device);
  }

  // False if every action is always possible.
  bool defined() const { return cells_.defined(); }
  // A row per state: true where an action is not possible. `states` are bytes.
  torch::Tensor Impossible(const torch::Tensor& states) const { return states.index_select(1, cells_).ne(colours_); }

 private:
  torch::Tensor cells_;
  torch::Tensor colours_;
};

}  // namespace conpole
