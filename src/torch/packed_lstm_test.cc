#include "torch/packed_lstm.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "torch/packed_texts.h"

namespace conpole {
namespace {

TEST(PackedLstmTest, ValuesAndGradientsAreThoseOfLibTorch) {
  torch::manual_seed(1);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(5, 6).num_layers(2).bidirectional(true));
  const std::vector<std::string_view> texts{"2x = 4", "x", "(x + 1) = 2", "y", "2x = 4"};
  const PackedTexts packed = PackTexts(texts, false);
  const torch::Tensor embedded = torch::randn({packed.characters.size(0), 5}).requires_grad_(true);
  const auto run = [&](bool own) {
    const torch::nn::utils::rnn::PackedSequence sequence(embedded, packed.batch_sizes);
    const torch::Tensor hidden = std::get<0>(std::get<1>(lstm->forward_with_packed_input(sequence)));
    const torch::Tensor last =
        own ? RunPackedLstm(lstm, embedded, packed.batch_sizes) : torch::cat({hidden[-2], hidden[-1]}, 1);
    std::vector<torch::Tensor> inputs = lstm->parameters();
    inputs.push_back(embedded);
    std::vector<torch::Tensor> results = torch::autograd::grad({(last * last).sum()}, inputs);
    results.push_back(last);
    return results;
  };
  const std::vector<torch::Tensor> expected = run(false);
  const std::vector<torch::Tensor> actual = run(true);
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(torch::allclose(actual[i], expected[i], 1e-4, 1e-5)) << i;
  }
}

}  // namespace
}  // namespace conpole
