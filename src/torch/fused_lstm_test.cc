// The kernels of our own against LibTorch's layers in 32 bits, on the same weights.
#include "torch/fused_lstm.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "torch/packed_lstm.h"
#include "torch/packed_texts.h"
#include "util/random.h"

namespace conpole {
namespace {

constexpr std::int64_t kVocabulary = 99;  // with three signs of an alphabet
constexpr std::int64_t kEmbedding = 64;

// More than fills some tiles, with strings of all lengths and many of one.
std::vector<std::string> RandomTexts(std::size_t count, std::size_t longest) {
  Random random(7);
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = i % 3 == 0 ? longest / 2 : random.Uint64(1, longest + 1);
    while (texts[i].size() < length) texts[i] += static_cast<char>(random.Uint64(' ', '~' + 1));
  }
  return texts;
}

double RelativeError(const torch::Tensor& actual, const torch::Tensor& expected) {
  const torch::Tensor exact = expected.to(torch::kCPU, torch::kFloat64);
  return ((actual.to(torch::kCPU, torch::kFloat64) - exact).norm() / exact.norm()).item<double>();
}

class FusedLstmTest : public testing::TestWithParam<torch::ScalarType> {};

INSTANTIATE_TEST_SUITE_P(Types, FusedLstmTest, testing::Values(torch::kFloat16, torch::kBFloat16),
                         [](const auto& param_info) { return std::string(torch::toString(param_info.param)); });

TEST_P(FusedLstmTest, ValuesAndGradientsAreThoseOfLibTorch) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  const bool is_half = GetParam() == torch::kFloat16;
  torch::manual_seed(1);
  for (const std::size_t count : {1U, 64U, 300U, 2200U, 4500U}) {
    torch::nn::LSTM lstm(torch::nn::LSTMOptions(kEmbedding, 128).num_layers(2).bidirectional(true));
    // Larger than at the start of training, so that the recurrence matters.
    for (torch::Tensor& parameter : lstm->parameters()) parameter.data().mul_(2);
    torch::nn::LSTM exact(lstm->options);
    torch::Tensor embedding = torch::randn({kVocabulary, kEmbedding}).to(GetParam());
    lstm->to(torch::kCUDA, GetParam());
    ASSERT_TRUE(CanFuse(lstm, embedding.to(torch::kCUDA))) << "this GPU cannot run the kernels";
    {
      const torch::NoGradGuard no_gradients;
      for (std::size_t i = 0; i < lstm->parameters().size(); ++i) exact->parameters()[i].copy_(lstm->parameters()[i]);
    }
    const std::vector<std::string> texts = RandomTexts(count, 70);
    const PackedTexts packed = PackTexts(std::vector<std::string_view>(texts.begin(), texts.end()), kVocabulary, false);
    const torch::Tensor weighting = torch::randn({static_cast<std::int64_t>(count), 256});
    const auto results = [&](const torch::nn::LSTM& used, const torch::Tensor& vectors, const torch::Tensor& last) {
      std::vector<torch::Tensor> inputs = used->parameters();
      inputs.push_back(vectors);
      std::vector<torch::Tensor> all =
          torch::autograd::grad({(last.to(torch::kFloat32) * weighting.to(last.device())).sum()}, inputs);
      all.push_back(last.detach());
      return all;
    };

    const torch::Tensor exact_embedding = embedding.to(torch::kFloat32).requires_grad_(true);
    const std::vector<torch::Tensor> expected =
        results(exact, exact_embedding, RunPackedLstm(exact, exact_embedding, packed.characters, packed.batch_sizes));
    const torch::Tensor gpu_embedding = embedding.to(torch::kCUDA).requires_grad_(true);
    const torch::Tensor characters = packed.characters.to(torch::kCUDA);
    const std::vector<torch::Tensor> actual =
        results(lstm, gpu_embedding, RunFusedLstm(lstm, gpu_embedding, characters, packed.batch_sizes));
    ASSERT_EQ(actual.size(), expected.size());
    const double unit = is_half ? 0x1p-11 : 0x1p-8;  // of rounding
    EXPECT_LT(RelativeError(actual.back(), expected.back()), 4 * unit) << count << " strings";
    for (std::size_t i = 0; i + 1 < expected.size(); ++i) {
      EXPECT_LT(RelativeError(actual[i], expected[i]), is_half ? 3e-2 : 5e-2)
          << "gradient " << i << " of " << count << " strings";
    }
    const torch::NoGradGuard no_gradients;
    const torch::Tensor last = RunFusedLstm(lstm, gpu_embedding, characters, packed.batch_sizes);
    EXPECT_TRUE(torch::equal(last, actual.back())) << "without gradients the values are the same";
  }
}

}  // namespace
}  // namespace conpole
