#include "torch/packed_lstm.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/alphabet.h"
#include "torch/packed_texts.h"

namespace conpole {
namespace {

// Layers of these sizes on these texts, against LibTorch's.
void CompareWithLibTorch(const std::vector<std::string_view>& texts, std::int64_t hidden_size, std::int64_t layers) {
  SCOPED_TRACE("hidden size " + std::to_string(hidden_size) + ", layers " + std::to_string(layers));
  torch::manual_seed(1);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(5, hidden_size).num_layers(layers).bidirectional(true));
  const PackedTexts packed = PackTexts(texts, kAsciiCharacters, false);
  const torch::Tensor embedding = torch::randn({static_cast<std::int64_t>(kAsciiCharacters), 5}).requires_grad_(true);
  const auto run = [&](bool own) {
    torch::Tensor last;
    if (own) {
      last = RunPackedLstm(lstm, embedding, packed.characters, packed.batch_sizes);
    } else {
      const torch::Tensor embedded = torch::embedding(embedding, packed.characters.to(torch::kInt32));
      const torch::nn::utils::rnn::PackedSequence sequence(embedded, packed.batch_sizes);
      const torch::Tensor hidden = std::get<0>(std::get<1>(lstm->forward_with_packed_input(sequence)));
      last = torch::cat({hidden[-2], hidden[-1]}, 1);
    }
    std::vector<torch::Tensor> inputs = lstm->parameters();
    inputs.push_back(embedding);
    std::vector<torch::Tensor> results = torch::autograd::grad({(last * last).sum()}, inputs);
    results.push_back(last);
    return results;
  };
  const std::vector<torch::Tensor> expected = run(false);
  const std::vector<torch::Tensor> actual = run(true);
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(actual[i].sizes(), expected[i].sizes()) << i;
    EXPECT_TRUE(torch::allclose(actual[i], expected[i], 1e-4, 1e-5)) << i;
  }
}

TEST(PackedLstmTest, ValuesAndGradientsAreThoseOfLibTorch) {
  const std::vector<std::string_view> texts{"2x = 4", "x", "(x + 1) = 2", "y", "2x = 4"};
  // Sizes with and without columns that fill panels up.
  for (const std::int64_t hidden_size : {6, 8, 32}) {
    for (const std::int64_t layers : {1, 2, 3}) CompareWithLibTorch(texts, hidden_size, layers);
  }
}

// More strings than the kernels take at a time, of many lengths.
TEST(PackedLstmTest, ManyStringsToo) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 60; ++i) {
    texts.emplace_back("[");
    for (std::size_t k = 0; k < i * i % 37; ++k) texts.back() += (i + k) % 3 == 0 ? '|' : '=';
  }
  CompareWithLibTorch({texts.begin(), texts.end()}, 32, 1);
  CompareWithLibTorch({texts.begin(), texts.end()}, 32, 2);
}

TEST(PackedLstmTest, OneCharacterAndNoneAreTextsToo) {
  CompareWithLibTorch({"x"}, 8, 2);
  CompareWithLibTorch({"", "x", ""}, 8, 2);
  CompareWithLibTorch({"2x = 4", "2x = 4"}, 8, 2);
}

}  // namespace
}  // namespace conpole
