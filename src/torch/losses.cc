#include "torch/losses.h"

#include <algorithm>
#include <utility>

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
LossOfScores Contrastive(const torch::Tensor& scores, const TrainingBatch& batch) {
  // A row per example, filled up with a score that counts for nothing.
  std::size_t longest = 0;
  std::size_t begin = 0;
  for (const std::size_t end : batch.example_ends()) longest = std::max(longest, end - std::exchange(begin, end));
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(batch.examples()), static_cast<std::int64_t>(longest)};
  const auto pairs = static_cast<std::int64_t>(batch.pairs().size());
  const torch::Device device = scores.device();
  torch::Tensor places = torch::empty(shape, Staging(torch::kInt64, device));
  torch::Tensor place_of_pair = torch::empty({pairs}, Staging(torch::kInt64, device));
  torch::Tensor targets = torch::empty(shape, Staging(torch::kFloat32, device));
  places.fill_(pairs);
  targets.zero_();
  auto* const all_places = places.data_ptr<std::int64_t>();
  auto* const of_pairs = place_of_pair.data_ptr<std::int64_t>();
  auto* const all_targets = targets.data_ptr<float>();
  begin = 0;
  std::size_t row = 0;
  for (const std::size_t end : batch.example_ends()) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t place = row + i - begin;
      all_places[place] = static_cast<std::int64_t>(i);
      of_pairs[i] = static_cast<std::int64_t>(place);
      all_targets[place] = batch.targets()[i];
    }
    begin = end;
    row += longest;
  }
  const torch::Tensor wanted = targets.to(device, /*non_blocking=*/true);
  const torch::Tensor padded = torch::cat({scores, torch::full({1}, kNoScore, scores.options())});
  const torch::Tensor log_shares =
      padded.index_select(0, places.to(device, /*non_blocking=*/true).view({-1})).view(shape).log_softmax(1);
  const torch::Tensor of_rows = (log_shares.exp() - wanted) / static_cast<double>(batch.examples());
  return {-(log_shares * wanted).sum() / static_cast<double>(batch.examples()),
          of_rows.view({-1}).index_select(0, place_of_pair.to(device, /*non_blocking=*/true))};
}

}  // namespace

LossOfScores LossOf(Loss loss, const torch::Tensor& scores, const TrainingBatch& batch) {
  const torch::NoGradGuard no_gradients;
  if (loss == Loss::kContrastive) return Contrastive(scores, batch);
  const torch::Tensor targets = TargetsOf(batch, scores.device());
  const auto count = static_cast<double>(scores.numel());
  if (loss == Loss::kBinary) {
    return {torch::binary_cross_entropy_with_logits(scores, targets), (scores.sigmoid() - targets) / count};
  }
  return {(scores - targets).square().mean() / 2, (scores - targets) / count};
}

}  // namespace conpole
