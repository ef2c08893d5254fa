#include "torch/network.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include "conpole/error.h"
#include "nn/vocabulary.h"
#include "torch/packed_lstm.h"

#ifdef CONPOLE_FUSED_LSTM
#include "torch/fused_lstm.h"
#endif

namespace conpole {

PackedTexts PackTexts(std::span<const std::string_view> texts, bool pinned) {
  const auto count = static_cast<std::int64_t>(texts.size());
  // A counting sort by length: lengths are small and batches are large.
  const auto length_of = [&](std::size_t i) { return std::max<std::size_t>(1, texts[i].size()); };
  std::size_t longest = 1;
  for (std::size_t i = 0; i < texts.size(); ++i) longest = std::max(longest, length_of(i));
  std::vector<std::int64_t> longer(longest + 2, 0);  // strings of more than so many characters
  for (std::size_t i = 0; i < texts.size(); ++i) ++longer[length_of(i) - 1];
  for (std::size_t length = longest; length-- > 0;) longer[length] += longer[length + 1];

  PackedTexts packed;
  packed.batch_sizes = torch::empty({static_cast<std::int64_t>(longest)}, torch::kInt64);
  auto* const batch_sizes = packed.batch_sizes.data_ptr<std::int64_t>();
  std::copy_n(longer.begin(), longest, batch_sizes);
  std::vector<std::int64_t> first(longest + 1, 0);  // where the characters of a step begin
  std::partial_sum(batch_sizes, batch_sizes + longest, first.begin() + 1);

  const auto options = torch::TensorOptions().pinned_memory(pinned);
  packed.characters = torch::empty({first.back()}, options.dtype(torch::kUInt8));
  packed.places = torch::empty({count}, options.dtype(torch::kInt64));
  auto* const characters = packed.characters.data_ptr<std::uint8_t>();
  auto* const places = packed.places.data_ptr<std::int64_t>();
  std::vector<std::int64_t> next(longest + 1);  // the next free row of each length
  for (std::size_t length = 1; length <= longest; ++length) next[length] = longer[length];
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::int64_t row = next[length_of(i)]++;
    places[row] = static_cast<std::int64_t>(i);
    for (std::size_t at = 0; at < texts[i].size(); ++at) characters[first[at] + row] = CharacterIndex(texts[i][at]);
    if (texts[i].empty()) characters[row] = kVocabularySize - 1;
  }
  return packed;
}

torch::Tensor PairRows(std::span<const ScoreBatch::Pair> pairs, const torch::Device& device) {
  const auto count = static_cast<std::int64_t>(pairs.size());
  const torch::Tensor rows =
      torch::empty({2, count}, torch::TensorOptions().dtype(torch::kInt64).pinned_memory(device.is_cuda()));
  auto* const parents = rows.data_ptr<std::int64_t>();
  auto* const candidates = parents + count;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    parents[i] = pairs[i].parent;
    candidates[i] = pairs[i].candidate;
  }
  return rows.to(device, /*non_blocking=*/true);
}

NetworkImpl::NetworkImpl(const Architecture& architecture, bool own_kernels)
    : architecture_(architecture), own_kernels_(own_kernels) {
  const std::int64_t size = architecture.vector_size();
  embedding_ = register_module("embedding", torch::nn::Embedding(kVocabularySize, architecture.embedding));
  lstm_ = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(architecture.embedding, architecture.hidden)
                                                      .num_layers(architecture.layers)
                                                      .bidirectional(true)));
  first_linear_ = register_module("mlp_0", torch::nn::Linear(size, size));
  second_linear_ = register_module("mlp_2", torch::nn::Linear(size, size));
  head_ = architecture.head == Head::kBilinear
              ? register_module("score", torch::nn::Linear(torch::nn::LinearOptions(size, size).bias(false)))
              : register_module("value", torch::nn::Linear(size, 1));
}

torch::Tensor NetworkImpl::Encode(const PackedTexts& texts) {
  const torch::Device device = embedding_->weight.device();
  const torch::Tensor characters = texts.characters.to(device, /*non_blocking=*/true);
  const torch::Tensor places = texts.places.to(device, /*non_blocking=*/true);
  const torch::Tensor ends = LastHidden(characters, texts.batch_sizes);
  const torch::Tensor sorted = second_linear_->forward(torch::relu(first_linear_->forward(ends)));
  return torch::empty_like(sorted).index_copy(0, places, sorted);
}

torch::Tensor NetworkImpl::LastHidden(const torch::Tensor& characters, const torch::Tensor& batch_sizes) {
#ifdef CONPOLE_FUSED_LSTM
  if (own_kernels_ && CanFuse(lstm_, embedding_->weight)) {
    return RunFusedLstm(lstm_, embedding_->weight, characters, batch_sizes);
  }
#endif
  const torch::Tensor embedded = embedding_->forward(characters.to(torch::kInt32));
  if (characters.is_cpu() && torch::GradMode::is_enabled()) return RunPackedLstm(lstm_, embedded, batch_sizes);
  const auto packed = torch::nn::utils::rnn::PackedSequence(embedded, batch_sizes);
  const torch::Tensor hidden = std::get<0>(std::get<1>(lstm_->forward_with_packed_input(packed)));  // layers * 2, strings, H
  return torch::cat({hidden[-2], hidden[-1]}, 1);
}

torch::Tensor NetworkImpl::Score(const torch::Tensor& parents, const torch::Tensor& candidates) {
  return (head_->forward(parents).to(torch::kFloat32) * candidates.to(torch::kFloat32)).sum(1);
}

torch::Tensor NetworkImpl::Value(const torch::Tensor& vectors) { return head_->forward(vectors).squeeze(1); }

namespace {

// LibTorch allows no dots in the names of modules.
std::string ParameterName(std::string tensor) {
  if (tensor.rfind("mlp.", 0) == 0) tensor[3] = '_';
  return tensor;
}

}  // namespace

void NetworkImpl::SetTensors(const Tensors& tensors) {
  const torch::NoGradGuard no_gradients;
  auto parameters = named_parameters();
  for (const TensorShape& expected : TensorShapes(architecture_)) {
    const auto found = tensors.find(expected.name);
    if (found == tensors.end() || found->second.shape != expected.shape) {
      throw Error("the model has no tensor '" + expected.name + "' of the right shape");
    }
    const std::vector<std::int64_t> shape(expected.shape.begin(), expected.shape.end());
    const torch::Tensor values = torch::from_blob(const_cast<float*>(found->second.values.data()), shape, torch::kFloat32);
    parameters[ParameterName(expected.name)].copy_(values);
  }
}

Tensors NetworkImpl::GetTensors() const {
  const auto parameters = named_parameters();
  Tensors tensors;
  for (const TensorShape& expected : TensorShapes(architecture_)) {
    const torch::Tensor values =
        parameters[ParameterName(expected.name)].detach().to(torch::kCPU, torch::kFloat32).contiguous();
    Tensor& tensor = tensors[expected.name];
    tensor.shape = expected.shape;
    tensor.values.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
  }
  return tensors;
}

}  // namespace conpole
