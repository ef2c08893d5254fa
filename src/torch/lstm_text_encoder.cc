#include "torch/lstm_text_encoder.h"

#include <vector>

#include "nn/alphabet.h"
#include "torch/packed_texts.h"

#ifdef CONPOLE_FUSED_LSTM
#include "torch/fused_lstm.h"
#endif

namespace conpole {
namespace {

class LstmTextEncoder final : public TextEncoder {
 public:
  LstmTextEncoder(const Architecture& architecture, const TextEncoderOptions& options)
      : own_kernels_(options.own_kernels),
        embedding_(
            register_module("embedding", torch::nn::Embedding(static_cast<std::int64_t>(CharacterCount(architecture.alphabet)),
                                                              architecture.size("embedding")))),
        lstm_(register_module(
            "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(architecture.size("embedding"), architecture.size("hidden"))
                                        .num_layers(architecture.size("layers"))
                                        .bidirectional(true)))),
        mlp_(register_module("mlp", TorchMlp(2 * architecture.size("hidden")))) {}

  bool has_fixed_parameters() const override { return embedding_->weight.is_cuda() && !uses_own_kernels(); }
  torch::Tensor Encode(std::span<const std::string_view> texts) override {
    const torch::Device device = embedding_->weight.device();
    const PackedTexts packed = PackTexts(texts, static_cast<std::size_t>(embedding_->weight.size(0)), device.is_cuda());
    const torch::Tensor characters = packed.characters.to(device, /*non_blocking=*/true);
    const torch::Tensor places = packed.places.to(device, /*non_blocking=*/true);
    const torch::Tensor sorted = mlp_->forward(LastHidden(characters, packed.batch_sizes));
    return torch::empty_like(sorted).index_copy(0, places, sorted);
  }

 private:
  bool uses_own_kernels() const {
#ifdef CONPOLE_FUSED_LSTM
    return own_kernels_ && FusedLayers::CanRun(lstm_->options.hidden_size(), embedding_->weight);
#else
    return false;
#endif
  }
  // The last hidden states of both directions of the last layer.
  torch::Tensor LastHidden(const torch::Tensor& characters, const torch::Tensor& batch_sizes) {
#ifdef CONPOLE_FUSED_LSTM
    if (uses_own_kernels() && !torch::GradMode::is_enabled()) {
      std::vector<torch::Tensor> weights;
      for (const torch::Tensor& part : lstm_->parameters(/*recurse=*/false)) weights.push_back(part.reshape({-1}));
      FusedLayers layers(lstm_->options.num_layers(), embedding_->weight, torch::cat(weights));
      return layers.Forward(characters, batch_sizes, /*keep=*/false);
    }
#endif
    const torch::Tensor embedded = embedding_->forward(characters.to(torch::kInt32));
    const auto packed = torch::nn::utils::rnn::PackedSequence(embedded, batch_sizes);
    // layers * 2, strings, hidden
    const torch::Tensor hidden = std::get<0>(std::get<1>(lstm_->forward_with_packed_input(packed)));
    return torch::cat({hidden[-2], hidden[-1]}, 1);
  }

  [[maybe_unused]] bool own_kernels_;
  torch::nn::Embedding embedding_;
  torch::nn::LSTM lstm_;
  TorchMlp mlp_;
};

}  // namespace

std::shared_ptr<TextEncoder> MakeLstmTextEncoder(const Architecture& architecture, const TextEncoderOptions& options) {
  return std::make_shared<LstmTextEncoder>(architecture, options);
}

}  // namespace conpole
