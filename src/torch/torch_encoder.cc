#include "torch/torch_encoder.h"

#include <algorithm>
#include <chrono>

#include <torch/torch.h>

#include "torch/inference.h"

namespace conpole {

class TorchEncoder::Implementation : public Inference {
 public:
  Implementation(const Model& model, const TorchOptions& options) : Inference(model.architecture, options) {
    SetTensors(model.tensors);
  }
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

std::vector<std::string> TorchKinds() { return TextEncoderKinds(); }
bool CudaIsAvailable() { return torch::cuda::is_available(); }
void SetTorchThreads(int threads) { torch::set_num_threads(threads); }

}  // namespace conpole
