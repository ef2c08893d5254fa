#include "torch/fused_network.h"

#include <cstddef>
#include <vector>

#include "torch/network.h"
#include "torch/packed_texts.h"

namespace conpole {

bool FusedNetwork::CanRun(const Architecture& architecture, const torch::Tensor& weights) {
  return architecture.kind == "lstm" && FusedLayers::CanRun(architecture.size("hidden"), weights);
}

FusedNetwork::FusedNetwork(const Architecture& architecture) : architecture_(architecture), reader_(architecture) {}

FusedNetwork::Parts FusedNetwork::PartsOf(const torch::Tensor& weights) const {
  std::int64_t begin = 0;
  const auto take = [&](std::int64_t rows, std::int64_t columns) {
    const torch::Tensor part = weights.narrow(0, begin, rows * columns).view({rows, columns});
    begin += rows * columns;
    return part;
  };
  const auto hidden = std::int64_t{architecture_.size("hidden")};
  const auto embedding = std::int64_t{architecture_.size("embedding")};
  const std::int64_t vector = 2 * hidden;
  Parts parts;
  parts.embedding = take(static_cast<std::int64_t>(CharacterCount(architecture_.alphabet)), embedding);
  std::int64_t of_layers = 0;
  for (int layer = 0; layer < architecture_.size("layers"); ++layer) {
    of_layers += 2 * 4 * hidden * ((layer == 0 ? embedding : vector) + hidden + 2);
  }
  parts.layers = take(1, of_layers).squeeze(0);
  parts.first = take(vector, vector);
  parts.first_bias = take(1, vector).squeeze(0);
  parts.second = take(vector, vector);
  parts.second_bias = take(1, vector).squeeze(0);
  if (architecture_.head == Head::kBilinear) {
    parts.head = take(vector, vector);
  } else {
    parts.head = take(1, vector).squeeze(0);
    parts.head_bias = take(1, 1).squeeze(0);
  }
  return parts;
}

torch::Tensor FusedNetwork::Score(const torch::Tensor& weights, std::span<const std::string_view> texts,
                                  std::span<const ScoreBatch::Pair> pairs) {
  const torch::Device device = weights.device();
  parts_ = PartsOf(weights);
  ReadTexts memory;
  const PackedTexts packed =
      PackTexts(reader_.Read(texts, memory), static_cast<std::size_t>(parts_.embedding.size(0)), /*pinned=*/true);
  // Pairs name rows of the sorted texts, so that vectors need not go back to where their texts stood.
  std::vector<std::uint32_t> row_of(texts.size());
  const auto* const places = packed.places.data_ptr<std::int64_t>();
  for (std::size_t row = 0; row < texts.size(); ++row)
    row_of[static_cast<std::size_t>(places[row])] = static_cast<std::uint32_t>(row);
  std::vector<ScoreBatch::Pair> sorted(pairs.begin(), pairs.end());
  for (ScoreBatch::Pair& pair : sorted) pair = {row_of[pair.parent], row_of[pair.candidate]};
  pairs_ = PairRows(sorted, device);

  layers_.emplace(architecture_.size("layers"), parts_.embedding, parts_.layers);
  last_ = layers_->Forward(packed.characters.to(device, /*non_blocking=*/true), packed.batch_sizes, /*keep=*/true);
  between_ = torch::addmm(parts_.first_bias, last_, parts_.first.t()).relu_();
  vectors_ = torch::addmm(parts_.second_bias, between_, parts_.second.t());
  if (architecture_.head == Head::kValue) {
    const torch::Tensor values = torch::mv(vectors_.to(torch::kFloat32), parts_.head.to(torch::kFloat32));
    return values.index_select(0, pairs_[1]) + parts_.head_bias.to(torch::kFloat32);
  }
  forms_ = torch::mm(vectors_.index_select(0, pairs_[0]), parts_.head.t());
  return (forms_.to(torch::kFloat32) * vectors_.index_select(0, pairs_[1]).to(torch::kFloat32)).sum(1);
}

torch::Tensor FusedNetwork::Gradient(const torch::Tensor& of_scores) const {
  const torch::ScalarType type = vectors_.scalar_type();
  // 1. Through the head.
  torch::Tensor of_vectors;
  std::vector<torch::Tensor> of_head;
  if (architecture_.head == Head::kValue) {
    const torch::Tensor of_values = torch::zeros({vectors_.size(0)}, of_scores.options()).index_add_(0, pairs_[1], of_scores);
    of_vectors = torch::outer(of_values, parts_.head.to(torch::kFloat32)).to(type);
    of_head = {torch::mv(vectors_.to(torch::kFloat32).t(), of_values), of_values.sum().reshape({1})};
  } else {
    const torch::Tensor parents = vectors_.index_select(0, pairs_[0]);
    const torch::Tensor candidates = vectors_.index_select(0, pairs_[1]);
    const torch::Tensor column = of_scores.unsqueeze(1);
    const torch::Tensor of_forms = (column * candidates).to(type);
    of_vectors = torch::zeros(vectors_.sizes(), of_scores.options())
                     .index_add_(0, pairs_[0], torch::mm(of_forms, parts_.head).to(torch::kFloat32))
                     .index_add_(0, pairs_[1], column * forms_)
                     .to(type);
    of_head = {torch::mm(of_forms.t(), parents).reshape({-1})};
  }
  // 2. Through the two linear layers.
  const torch::Tensor of_between = torch::threshold_backward(torch::mm(of_vectors, parts_.second), between_, 0);
  // 3. Through the LSTM layers.
  const FusedLayers::Gradients of_layers = layers_->Backward(torch::mm(of_between, parts_.first));
  std::vector<torch::Tensor> all{of_layers.embedding.reshape({-1}),
                                 of_layers.weights,
                                 torch::mm(of_between.t(), last_).reshape({-1}),
                                 of_between.sum(0),
                                 torch::mm(of_vectors.t(), between_).reshape({-1}),
                                 of_vectors.sum(0)};
  all.insert(all.end(), of_head.begin(), of_head.end());
  return torch::cat(all).to(torch::kFloat32);
}

}  // namespace conpole
