#include "torch/losses.h"

#include <algorithm>
#include <utility>

#include "conpole/error.h"

namespace conpole {
namespace {

// Minus infinity would do, but its gradient is not a number.
constexpr double kNoScore = -1e9;

// Memory that a GPU can take while the processor goes on: a plain copy waits for all that the GPU has to do.
torch::TensorOptions Staging(torch::ScalarType type, const torch::Device& device) {
  return torch::TensorOptions().dtype(type).pinned_memory(device.is_cuda());
}

torch::Tensor TargetsOf(const TrainingBatch& batch, const torch::Device& device) {
  const std::span<const float> targets = batch.targets();
  torch::Tensor copy = torch::empty({static_cast<std::int64_t>(targets.size())}, Staging(torch::kFloat32, device));
  std::copy(targets.begin(), targets.end(), copy.data_ptr<float>());
  return copy.to(device, /*non_blocking=*/true);
}

// Cross-entropy between the targets of each example, which add up to 1, and the softmax of its scores.
torch::Tensor Contrastive(const torch::Tensor& scores, const TrainingBatch& batch) {
  // A row per example, filled up with a score that counts for nothing.
  std::size_t longest = 0;
  std::size_t begin = 0;
  for (const std::size_t end : batch.example_ends()) longest = std::max(longest, end - std::exchange(begin, end));
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(batch.examples()), static_cast<std::int64_t>(longest)};
  const torch::Device device = scores.device();
  torch::Tensor places = torch::empty(shape, Staging(torch::kInt64, device));
  torch::Tensor targets = torch::empty(shape, Staging(torch::kFloat32, device));
  places.fill_(static_cast<std::int64_t>(batch.pairs().size()));
  targets.zero_();
  auto* place_row = places.data_ptr<std::int64_t>();
  auto* target_row = targets.data_ptr<float>();
  begin = 0;
  for (const std::size_t end : batch.example_ends()) {
    for (std::size_t i = begin; i < end; ++i) {
      place_row[i - begin] = static_cast<std::int64_t>(i);
      target_row[i - begin] = batch.targets()[i];
    }
    begin = end;
    place_row += longest;
    target_row += longest;
  }
  const torch::Tensor padded = torch::cat({scores, torch::full({1}, kNoScore, scores.options())});
  const torch::Tensor log_shares = padded.index({places.to(device, /*non_blocking=*/true)}).log_softmax(1);
  return -(log_shares * targets.to(device, /*non_blocking=*/true)).sum(1).mean();
}

}  // namespace

torch::Tensor LossOf(Loss loss, const torch::Tensor& scores, const TrainingBatch& batch) {
  switch (loss) {
    case Loss::kContrastive:
      return Contrastive(scores, batch);
    case Loss::kBinary:
      return torch::binary_cross_entropy_with_logits(scores, TargetsOf(batch, scores.device()));
    case Loss::kSquared:
      return (scores - TargetsOf(batch, scores.device())).square().mean() / 2;
  }
  throw Error("there is no such loss");
}

}  // namespace conpole
