#include "nn/bag_encoder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "nn/alphabet.h"

namespace conpole {
namespace {

constexpr std::size_t kMaxBagTileRows = 48;

std::size_t BagHidden(const Architecture& architecture) { return static_cast<std::size_t>(architecture.size("hidden")); }

std::vector<TensorShape> BagTensorShapes(const Architecture& architecture) {
  const std::size_t hidden = BagHidden(architecture);
  std::vector<TensorShape> shapes;
  for (int k = 0; k < architecture.size("window"); ++k) {
    shapes.push_back({fmt::format("window.{}.weight", k), {CharacterCount(architecture.alphabet), hidden}, true});
  }
  shapes.push_back({"window.bias", {hidden}});
  for (TensorShape& shape : MlpTensorShapes(hidden)) shapes.push_back(std::move(shape));
  return shapes;
}

}  // namespace

const NetworkKind& BagKind() {
  static const NetworkKind kind{
      .name = "bag",
      .meaning = "the mean over windows of a few characters",
      .sizes = {{"hidden", "Size of a vector", 4096, 128}, {"window", "Characters that are looked at together", 16, 3}},
      .vector_size = BagHidden,
      .fan_in = [](const Architecture& architecture) { return architecture.size("hidden"); },
      .tensor_shapes = BagTensorShapes,
      .make_encoder = [](const Model& model, const Kernels& kernels) -> std::unique_ptr<Encoder> {
        return std::make_unique<BagEncoder>(model, kernels);
      }};
  return kind;
}

BagEncoder::BagEncoder(const Model& model, const Kernels& kernels)
    : hidden_(BagHidden(model.architecture)),
      characters_(CharacterCount(model.architecture.alphabet)),
      bias_(model.tensors.at("window.bias").values),
      mlp_(model, kernels) {
  for (int k = 0; k < model.architecture.size("window"); ++k) {
    window_.push_back(model.tensors.at(fmt::format("window.{}.weight", k)).values);
  }
}

void BagEncoder::Mean(std::string_view text, float* mean) const {
  std::fill_n(mean, hidden_, 0.0F);
  std::vector<float> sum(hidden_);
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::copy(bias_.begin(), bias_.end(), sum.begin());
    for (std::size_t k = 0; k < window_.size() && at + k < text.size(); ++k) {
      const float* const row = window_[k].data() + CharacterIndex(text[at + k], characters_) * hidden_;
      for (std::size_t i = 0; i < hidden_; ++i) sum[i] += row[i];
    }
    for (std::size_t i = 0; i < hidden_; ++i) mean[i] += std::max(sum[i], 0.0F);
  }
  if (text.empty()) return;
  const auto length = static_cast<float>(text.size());
  for (std::size_t i = 0; i < hidden_; ++i) mean[i] /= length;
}

void BagEncoder::Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const {
  const std::size_t tile_rows = std::clamp<std::size_t>((texts.size() + pool.size() - 1) / pool.size(), 1, kMaxBagTileRows);
  pool.For((texts.size() + tile_rows - 1) / tile_rows, [&](std::size_t tile) {
    const std::size_t begin = tile * tile_rows;
    const std::size_t end = std::min(texts.size(), begin + tile_rows);
    std::vector<float> means((end - begin) * hidden_);
    std::vector<float*> places;
    for (std::size_t i = begin; i < end; ++i) {
      Mean(texts[i], means.data() + (i - begin) * hidden_);
      places.push_back(vectors.data() + i * hidden_);
    }
    mlp_.Run(means.data(), places);
  });
}

}  // namespace conpole
