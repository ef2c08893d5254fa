#include "torch/rank_sum.h"

#include <cstddef>
#include <span>

namespace conpole {

void SumOverRanks(Ranks& ranks, torch::Tensor& values) {
  auto* const on_device = dynamic_cast<DeviceRanks*>(&ranks);
  if (on_device != nullptr && on_device->SumsOn(values.device())) return on_device->SumOnDevice(values);
  torch::Tensor copy = values.cpu();
  ranks.Sum(std::span(copy.data_ptr<float>(), static_cast<std::size_t>(copy.numel())));
  if (!values.is_cpu()) values.copy_(copy);
}

}  // namespace conpole
