#include "torch/optimiser.h"

#include <cmath>
#include <span>

namespace conpole {

void AdamW::Step(torch::Tensor& weights, const torch::Tensor& gradient, double learning_rate, double weight_decay) {
  ++steps;
  if (weight_decay != 0) weights.mul_(1 - learning_rate * weight_decay);
  mean.mul_(kBeta1).add_(gradient, 1 - kBeta1);
  square.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
  const double correction = 1 - std::pow(kBeta2, static_cast<double>(steps));
  const torch::Tensor scale = (square.sqrt() / std::sqrt(correction)).add_(kEpsilon);
  weights.addcdiv_(mean, scale, -learning_rate / (1 - std::pow(kBeta1, static_cast<double>(steps))));
}

std::string FormatVectors(const std::vector<std::pair<std::string, torch::Tensor>>& vectors, std::int64_t steps) {
  std::vector<torch::Tensor> kept;
  std::vector<std::pair<std::string, std::span<const float>>> spans;
  for (const auto& [name, vector] : vectors) {
    const torch::Tensor& values = kept.emplace_back(vector.detach().to(torch::kCPU, torch::kFloat32).contiguous());
    spans.emplace_back(name, std::span(values.data_ptr<float>(), static_cast<std::size_t>(values.numel())));
  }
  return FormatLearnerState(spans, steps);
}

torch::Tensor TakeVector(const LearnerState& state, const std::string& name, const torch::Tensor& like) {
  return torch::tensor(state.At(name, static_cast<std::size_t>(like.numel())));
}

void CheckFinite(const torch::Tensor& values, const char* what) {
  if (!torch::isfinite(values).all().item<bool>()) ThrowDiverged(what);
}

}  // namespace conpole
