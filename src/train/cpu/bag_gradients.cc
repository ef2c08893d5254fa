#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "nn/alphabet.h"
#include "train/cpu/encoder_gradients.h"

namespace conpole {
namespace {

class BagGradients final : public EncoderGradients {
 public:
  explicit BagGradients(NetworkWeights& weights)
      : weights_(weights),
        hidden_(static_cast<std::size_t>(weights.architecture().size("hidden"))),
        characters_(CharacterCount(weights.architecture().alphabet)),
        bias_(weights.PlaceOf("window.bias")) {
    for (int k = 0; k < weights.architecture().size("window"); ++k) {
      window_.push_back(weights.PlaceOf(fmt::format("window.{}.weight", k)));
    }
  }

  void Forward(std::span<const std::string_view> texts, Rows& out) override {
    texts_.assign(texts.begin(), texts.end());
    out.Clear(texts.size(), hidden_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t at = 0; at < texts[i].size(); ++at) {
        const std::vector<float>& sum = SumAt(texts[i], at);
        const float share = 1.0F / static_cast<float>(texts[i].size());
        for (std::size_t unit = 0; unit < hidden_; ++unit) out[i][unit] += share * std::max(sum[unit], 0.0F);
      }
    }
  }

  void Backward(const Rows& of_out, float* gradients) override {
    std::vector<float> of_sum(hidden_);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::string_view text = texts_[i];
      for (std::size_t at = 0; at < text.size(); ++at) {
        const std::vector<float>& sum = SumAt(text, at);
        const float share = 1.0F / static_cast<float>(text.size());
        for (std::size_t unit = 0; unit < hidden_; ++unit) of_sum[unit] = sum[unit] > 0 ? share * of_out[i][unit] : 0.0F;
        products_.Add(hidden_, of_sum.data(), gradients + bias_);
        for (std::size_t k = 0; k < window_.size() && at + k < text.size(); ++k) {
          products_.Add(hidden_, of_sum.data(), gradients + PlaceOf(k, text[at + k]));
        }
      }
    }
  }

 private:
  std::size_t PlaceOf(std::size_t k, char character) const {
    return window_[k] + CharacterIndex(character, characters_) * hidden_;
  }

  // What the window that begins here adds up to.
  const std::vector<float>& SumAt(std::string_view text, std::size_t at) {
    sum_.assign(weights_[bias_], weights_[bias_] + hidden_);
    for (std::size_t k = 0; k < window_.size() && at + k < text.size(); ++k) {
      products_.Add(hidden_, weights_[PlaceOf(k, text[at + k])], sum_.data());
    }
    return sum_;
  }

  const NetworkWeights& weights_;
  std::size_t hidden_;
  std::size_t characters_;
  std::size_t bias_;
  std::vector<std::size_t> window_;
  RowProducts products_;
  std::vector<std::string_view> texts_;
  std::vector<float> sum_;
};

}  // namespace

std::unique_ptr<EncoderGradients> MakeBagGradients(NetworkWeights& weights) { return std::make_unique<BagGradients>(weights); }

}  // namespace conpole
