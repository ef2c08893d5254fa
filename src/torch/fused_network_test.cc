// The network with kernels of our own against LibTorch's in 32 bits, on the same weights.
#include "torch/fused_network.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "torch/inference.h"
#include "torch/network.h"
#include "util/random.h"

namespace conpole {
namespace {

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

class FusedNetworkTest : public testing::TestWithParam<Head> {
 protected:
  static Architecture MakeArchitecture() {
    Architecture architecture = Lstm({.embedding = 64, .hidden = 128, .layers = 2});
    architecture.head = GetParam();
    return architecture;
  }
};

INSTANTIATE_TEST_SUITE_P(Heads, FusedNetworkTest, testing::Values(Head::kBilinear, Head::kValue),
                         [](const auto& param_info) { return std::string(HeadName(param_info.param)); });

TEST_P(FusedNetworkTest, ScoresAndGradientsAreThoseOfLibTorch) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  torch::manual_seed(1);
  Network exact(MakeArchitecture(), TextEncoderOptions{.own_kernels = false});
  exact->SetTensors(RandomModel(MakeArchitecture(), 1).tensors);
  std::vector<torch::Tensor> parts;
  {
    const torch::NoGradGuard no_gradients;
    for (torch::Tensor parameter : exact->all_parameters()) {
      // Larger than at the start of training, so that the recurrence matters, and what 16 bits can hold.
      parameter.copy_((parameter * 2).to(torch::kBFloat16));
      parts.push_back(parameter.reshape({-1}));
    }
  }
  const torch::Tensor weights = torch::cat(parts).to(torch::kCUDA, torch::kBFloat16);
  exact->to(torch::kCUDA);
  ASSERT_TRUE(FusedNetwork::CanRun(exact->architecture(), weights)) << "this GPU cannot run the kernels";
  FusedNetwork network(exact->architecture());
  for (const std::size_t count : {2U, 64U, 300U, 2200U, 4500U}) {
    const std::vector<std::string> owned = RandomTexts(count, 70);
    const std::vector<std::string_view> texts(owned.begin(), owned.end());
    std::vector<ScoreBatch::Pair> pairs;
    Random random(3);
    for (std::size_t i = 0; i < count; ++i) {
      pairs.push_back({static_cast<std::uint32_t>(random.Uint64(0, count)), static_cast<std::uint32_t>(i)});
    }
    const torch::Tensor weighting = torch::randn({static_cast<std::int64_t>(count)}).to(torch::kCUDA);

    const torch::Tensor expected = exact->ScorePairs(exact->Encode(texts), PairRows(pairs, torch::kCUDA));
    expected.backward(weighting);
    const torch::NoGradGuard no_gradients;
    const torch::Tensor scores = network.Score(weights, texts, pairs);
    EXPECT_LT(RelativeError(scores, expected), 2e-2) << count << " strings";
    const torch::Tensor gradient = network.Gradient(weighting);
    std::int64_t begin = 0;
    std::size_t number = 0;
    for (torch::Tensor parameter : exact->all_parameters()) {
      EXPECT_LT(RelativeError(gradient.narrow(0, begin, parameter.numel()), parameter.grad().reshape({-1})), 6e-2)
          << "parameter " << number++ << " of " << count << " strings";
      begin += parameter.numel();
      parameter.mutable_grad().reset();
    }
    EXPECT_EQ(begin, gradient.numel());
  }
}

}  // namespace
}  // namespace conpole
