#include "torch/inference.h"

#include <vector>

#include "conpole/error.h"

namespace conpole {
namespace {

void CopyToHost(const torch::Tensor& from, std::span<float> to) {
  torch::from_blob(to.data(), {static_cast<std::int64_t>(to.size())}, torch::kFloat32)
      .copy_(from.reshape({-1}).to(torch::kFloat32));
}

}  // namespace

torch::Device DeviceOf(const std::string& name) {
  try {
    const torch::Device device(name);
    if (device.is_cuda() && !torch::cuda::is_available()) throw Error("there is no GPU that this build of LibTorch can use");
    return device;
  } catch (const c10::Error&) {
    throw Error("unknown device '" + name + "'; there are: cpu, cuda, cuda:N");
  }
}

torch::ScalarType TypeOf(TorchPrecision precision) {
  switch (precision) {
    case TorchPrecision::kFloat16:
      return torch::kFloat16;
    case TorchPrecision::kBFloat16:
      return torch::kBFloat16;
    default:
      return torch::kFloat32;
  }
}

Inference::Inference(const Architecture& architecture, const TorchOptions& options)
    : max_characters_(options.max_characters),
      device_(DeviceOf(options.device)),
      network_(architecture, TextEncoderOptions{options.own_kernels}) {
  network_->eval();
  network_->to(device_, TypeOf(options.precision));
}

torch::Tensor Inference::Vectors(std::span<const std::string_view> texts) {
  const torch::NoGradGuard no_gradients;
  std::vector<torch::Tensor> pieces;
  for (std::size_t begin = 0; begin < texts.size();) {
    std::size_t end = begin;
    std::size_t characters = 0;
    do {
      characters += texts[end].size();
      ++end;
    } while (end < texts.size() && characters + texts[end].size() <= max_characters_);
    pieces.push_back(network_->Encode(texts.subspan(begin, end - begin)));
    begin = end;
  }
  return pieces.size() == 1 ? pieces.front() : torch::cat(pieces);
}

void Inference::Encode(std::span<const std::string_view> texts, std::span<float> vectors) {
  if (!texts.empty()) CopyToHost(Vectors(texts), vectors);
}

void Inference::Score(const ScoreBatch& batch, std::span<float> scores) {
  if (batch.pairs.empty()) return;
  const torch::NoGradGuard no_gradients;
  const torch::Tensor pairs = PairRows(batch.pairs, device_);
  CopyToHost(network_->ScorePairs(Vectors(batch.texts), pairs), scores);
}

}  // namespace conpole
