#include "torch/bag_text_encoder.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "nn/alphabet.h"

namespace conpole {
namespace {

// The ReLU of a sum over a window, for each character.
class WindowImpl : public torch::nn::Module {
 public:
  WindowImpl(std::int64_t window, std::int64_t characters, std::int64_t hidden) {
    for (std::int64_t k = 0; k < window; ++k) {
      weights_.push_back(register_module(std::to_string(k), torch::nn::Embedding(characters, hidden)));
    }
    bias_ = register_parameter("bias", torch::zeros({hidden}));
  }

  // `characters` has a row for each character of the window.
  torch::Tensor forward(const torch::Tensor& characters) {
    torch::Tensor sum = bias_;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      const torch::Tensor& weight = weights_[k]->weight;
      const torch::Tensor with_none = torch::cat({weight, torch::zeros({1, weight.size(1)}, weight.options())});
      sum = sum + with_none.index_select(0, characters[static_cast<std::int64_t>(k)]);
    }
    return torch::relu(sum);
  }

  std::size_t size() const { return weights_.size(); }
  torch::Device device() const { return bias_.device(); }

 private:
  std::vector<torch::nn::Embedding> weights_;
  torch::Tensor bias_;
};
TORCH_MODULE(Window);

class BagTextEncoder final : public TextEncoder {
 public:
  explicit BagTextEncoder(const Architecture& architecture)
      : known_(CharacterCount(architecture.alphabet)),
        window_(register_module(
            "window", Window(architecture.size("window"), static_cast<std::int64_t>(known_), architecture.size("hidden")))),
        mlp_(register_module("mlp", TorchMlp(architecture.size("hidden")))) {}

  torch::Tensor Encode(std::span<const std::string_view> texts) override {
    const torch::Device device = window_->device();
    const auto options = torch::TensorOptions().pinned_memory(device.is_cuda());
    std::size_t total = 0;
    for (const std::string_view text : texts) total += text.size();
    const auto windows = static_cast<std::int64_t>(window_->size());
    // What comes past the last character stands past the end of its text.
    const torch::Tensor characters = torch::full({windows, static_cast<std::int64_t>(total)}, static_cast<std::int64_t>(known_),
                                                 options.dtype(torch::kUInt8));
    const torch::Tensor begins = torch::empty({static_cast<std::int64_t>(texts.size())}, options.dtype(torch::kInt64));
    auto* const character = characters.data_ptr<std::uint8_t>();
    std::size_t begin = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      begins.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(begin);
      for (std::size_t at = 0; at < texts[i].size(); ++at) {
        for (std::size_t k = 0; k < window_->size() && k <= at; ++k) {
          character[k * total + begin + at - k] = CharacterIndex(texts[i][at], known_);
        }
      }
      begin += texts[i].size();
    }
    const torch::Tensor rows = window_->forward(characters.to(device, /*non_blocking=*/true).to(torch::kInt32));
    return mlp_->forward(Means(rows, begins.to(device, /*non_blocking=*/true)));
  }

 private:
  // The mean over the rows of each text; zero for an empty one.
  static torch::Tensor Means(const torch::Tensor& rows, const torch::Tensor& begins) {
    constexpr std::int64_t kMean = 1;  // as LibTorch numbers what an embedding bag does
    const torch::Tensor indices = torch::arange(rows.size(0), begins.options());
    return std::get<0>(torch::embedding_bag(rows, indices, begins, /*scale_grad_by_freq=*/false, kMean));
  }

  std::size_t known_;  // characters
  Window window_;
  TorchMlp mlp_;
};

}  // namespace

std::shared_ptr<TextEncoder> MakeBagTextEncoder(const Architecture& architecture, const TextEncoderOptions& /*options*/) {
  return std::make_shared<BagTextEncoder>(architecture);
}

}  // namespace conpole
