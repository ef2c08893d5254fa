#include "torch/torch_encoder.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "conpole/error.h"
#include "torch/network.h"

namespace conpole {

namespace {

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

}  // namespace

class TorchEncoder::Implementation {
 public:
  Implementation(const Model& model, const TorchOptions& options)
      : max_characters_(options.max_characters), device_(DeviceOf(options.device)), network_(model.architecture) {
    network_->SetTensors(model.tensors);
    network_->eval();
    network_->to(device_, TypeOf(options.precision));
  }

  const Architecture& architecture() const { return network_->architecture(); }

  // One row per text, on the device. Large batches go through in pieces; while the GPU works on one, the next is packed.
  torch::Tensor Vectors(std::span<const std::string_view> texts) {
    const torch::NoGradGuard no_gradients;
    std::vector<torch::Tensor> pieces;
    for (std::size_t begin = 0; begin < texts.size();) {
      std::size_t end = begin;
      std::size_t characters = 0;
      do {
        characters += texts[end].size();
        ++end;
      } while (end < texts.size() && characters + texts[end].size() <= max_characters_);
      pieces.push_back(network_->Encode(PackTexts(texts.subspan(begin, end - begin), device_.is_cuda())));
      begin = end;
    }
    return pieces.size() == 1 ? pieces.front() : torch::cat(pieces);
  }

  void Encode(std::span<const std::string_view> texts, std::span<float> vectors) {
    if (!texts.empty()) CopyToHost(Vectors(texts), vectors);
  }

  void Score(const ScoreBatch& batch, std::span<float> scores) {
    if (batch.pairs.empty()) return;
    const torch::NoGradGuard no_gradients;
    const auto count = static_cast<std::int64_t>(batch.pairs.size());
    const torch::Tensor pairs =
        torch::empty({2, count}, torch::TensorOptions().dtype(torch::kInt64).pinned_memory(device_.is_cuda()));
    auto* const rows = pairs.data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < count; ++i) {
      rows[i] = batch.pairs[static_cast<std::size_t>(i)].parent;
      rows[count + i] = batch.pairs[static_cast<std::size_t>(i)].candidate;
    }
    const torch::Tensor vectors = Vectors(batch.texts);
    const torch::Tensor on_device = pairs.to(device_, /*non_blocking=*/true);
    const torch::Tensor candidates = vectors.index_select(0, on_device[1]);
    CopyToHost(architecture().head == Head::kValue ? network_->Value(candidates)
                                                   : network_->Score(vectors.index_select(0, on_device[0]), candidates),
               scores);
  }

 private:
  static void CopyToHost(const torch::Tensor& from, std::span<float> to) {
    torch::from_blob(to.data(), {static_cast<std::int64_t>(to.size())}, torch::kFloat32)
        .copy_(from.reshape({-1}).to(torch::kFloat32));
  }

  std::size_t max_characters_;
  torch::Device device_;
  Network network_;
};

TorchEncoder::TorchEncoder(const Model& model, const TorchOptions& options)
    : implementation_(std::make_unique<Implementation>(model, options)) {}
TorchEncoder::~TorchEncoder() = default;

const Architecture& TorchEncoder::architecture() const { return implementation_->architecture(); }
void TorchEncoder::Encode(std::span<const std::string_view> texts, std::span<float> vectors) {
  implementation_->Encode(texts, vectors);
}
void TorchEncoder::Score(const ScoreBatch& batch, std::span<float> scores) { implementation_->Score(batch, scores); }

double TorchProductRate(const TorchOptions& options) {
  const torch::NoGradGuard no_gradients;
  const torch::Device device = DeviceOf(options.device);
  const std::int64_t size = device.is_cuda() ? 8192 : 2048;
  const torch::Tensor a = torch::randn({size, size}).to(device, TypeOf(options.precision));
  const torch::Tensor b = torch::randn({size, size}).to(device, TypeOf(options.precision));
  const auto wait = [&](const torch::Tensor& result) { return result[0][0].item<float>(); };
  double best = 1e300;
  for (int i = 0; i < 8; ++i) {
    const auto start = std::chrono::steady_clock::now();
    wait(torch::mm(a, b));
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size) / best;
}

bool CudaIsAvailable() { return torch::cuda::is_available(); }
void SetTorchThreads(int threads) { torch::set_num_threads(threads); }

}  // namespace conpole
