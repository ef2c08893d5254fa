#include "torch/network.h"

#include <cstddef>
#include <cstdint>

#include "conpole/error.h"
#include "nn/network_kind.h"
#include "torch/bag_text_encoder.h"
#include "torch/lstm_text_encoder.h"

namespace conpole {
namespace {

struct TextEncoderKind {
  std::string_view name;
  std::shared_ptr<TextEncoder> (*make)(const Architecture& architecture, const TextEncoderOptions& options);
};

// The same kinds as in nn/network_kind.cc.
constexpr TextEncoderKind kKinds[] = {
    {"lstm", MakeLstmTextEncoder},
    {"bag", MakeBagTextEncoder},
};

std::shared_ptr<TextEncoder> MakeTextEncoder(const Architecture& architecture, const TextEncoderOptions& options) {
  for (const TextEncoderKind& kind : kKinds) {
    if (kind.name == architecture.kind) return kind.make(architecture, options);
  }
  throw Error("LibTorch cannot run networks of kind '" + architecture.kind + "'");
}

}  // namespace

std::vector<std::string> TextEncoderKinds() {
  std::vector<std::string> names;
  for (const TextEncoderKind& kind : kKinds) names.emplace_back(kind.name);
  return names;
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

NetworkImpl::NetworkImpl(const Architecture& architecture, const TextEncoderOptions& options)
    : architecture_(architecture), reader_(architecture) {
  const std::size_t vector_size = CheckedKind(architecture).vector_size(architecture);
  encoder_ = register_module("encoder", MakeTextEncoder(architecture, options));
  head_ = register_module("head", MakeTorchHead(architecture.head, static_cast<std::int64_t>(vector_size)));
  parameters_ = parameters();
}

torch::Tensor NetworkImpl::Encode(std::span<const std::string_view> texts) {
  ReadTexts memory;
  return encoder_->Encode(reader_.Read(texts, memory));
}

void NetworkImpl::CopyParametersFrom(const torch::Tensor& values) {
  const torch::NoGradGuard no_gradients;
  const auto for_each_part = [&](const torch::Tensor& whole, const auto& visit) {
    std::int64_t begin = 0;
    for (torch::Tensor& parameter : parameters_) {
      visit(parameter, whole.narrow(0, begin, parameter.numel()).view(parameter.sizes()));
      begin += parameter.numel();
    }
  };
  // On a GPU one copy takes as long as one of its parts. Whoever moves the network to another device parts it again.
  const auto is_joined = [&] { return joined_.defined() && joined_.data_ptr() == parameters_.front().data_ptr(); };
  if (!is_joined() && values.is_cuda() && !encoder_->has_fixed_parameters()) {
    joined_ = torch::empty({values.numel()}, parameters_.front().options().requires_grad(false));
    for_each_part(joined_, [](torch::Tensor& parameter, const torch::Tensor& part) { parameter.set_data(part); });
  }
  if (is_joined()) {
    joined_.copy_(values);
  } else {
    for_each_part(values, [](torch::Tensor& parameter, const torch::Tensor& part) { parameter.copy_(part); });
  }
}

template <class Visit>
void NetworkImpl::ForEachTensor(const Visit& visit) const {
  const auto of_encoder = encoder_->named_parameters();
  const auto of_head = head_->named_parameters();
  for (const TensorShape& shape : TensorShapes(architecture_)) {
    const torch::Tensor* const found = of_encoder.find(shape.name);
    visit(shape, found != nullptr ? *found : of_head[shape.name]);
  }
}

void NetworkImpl::SetTensors(const Tensors& tensors) {
  const torch::NoGradGuard no_gradients;
  ForEachTensor([&](const TensorShape& expected, const torch::Tensor& parameter) {
    const auto found = tensors.find(expected.name);
    if (found == tensors.end() || found->second.shape != expected.shape) {
      throw Error("the model has no tensor '" + expected.name + "' of the right shape");
    }
    const std::vector<std::int64_t> shape(expected.shape.begin(), expected.shape.end());
    const torch::Tensor values = torch::from_blob(const_cast<float*>(found->second.values.data()), shape, torch::kFloat32);
    parameter.copy_(values);
  });
}

Tensors NetworkImpl::GetTensors() const {
  Tensors tensors;
  ForEachTensor([&](const TensorShape& expected, const torch::Tensor& parameter) {
    const torch::Tensor values = parameter.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    Tensor& tensor = tensors[expected.name];
    tensor.shape = expected.shape;
    tensor.values.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
  });
  return tensors;
}

}  // namespace conpole
