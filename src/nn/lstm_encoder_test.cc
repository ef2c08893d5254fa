#include "nn/lstm_encoder.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "nn/alphabet.h"
#include "nn/head.h"
#include "nn/kernels.h"
#include "nn/model.h"
#include "tests/repetitions.h"
#include "util/random.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

// The network as its definition reads, in double precision, one string at a time.
class Reference {
 public:
  explicit Reference(const Model& model) : model_(model) {}

  std::vector<double> Vector(std::string_view text) const {
    std::vector<double> middle = Affine("mlp.0.weight", "mlp.0.bias", Ends(text, model_.architecture.size("layers")));
    for (double& value : middle) value = std::max(value, 0.0);
    return Affine("mlp.2.weight", "mlp.2.bias", middle);
  }

  // The last hidden states of both directions after the first `layers` layers.
  std::vector<double> Ends(std::string_view text, int layers) const {
    std::vector<std::vector<double>> inputs;
    for (const char c : text) inputs.push_back(Row("embedding.weight", CharacterIndex(c)));
    std::vector<double> ends;
    for (int layer = 0; layer < layers; ++layer) {
      const auto forward = RunLstm(inputs, layer, false);
      const auto backward = RunLstm(inputs, layer, true);
      ends.clear();
      for (const auto* direction : {&forward, &backward}) {
        std::vector<double> end(Hidden(), 0.0);
        if (!direction->empty()) end = direction == &forward ? direction->back() : direction->front();
        ends.insert(ends.end(), end.begin(), end.end());
      }
      for (std::size_t t = 0; t < inputs.size(); ++t) {
        inputs[t] = forward[t];
        inputs[t].insert(inputs[t].end(), backward[t].begin(), backward[t].end());
      }
    }
    return ends;
  }

  double Score(std::string_view parent, std::string_view candidate) const {
    const std::vector<double> projected = Multiply("score.weight", Vector(parent));
    const std::vector<double> vector = Vector(candidate);
    double score = 0;
    for (std::size_t i = 0; i < vector.size(); ++i) score += vector[i] * projected[i];
    return score;
  }

 private:
  std::size_t Hidden() const { return static_cast<std::size_t>(model_.architecture.size("hidden")); }

  std::vector<double> Row(const std::string& name, std::size_t row) const {
    const Tensor& tensor = model_.tensors.at(name);
    const auto begin = tensor.values.begin() + static_cast<std::ptrdiff_t>(row * tensor.shape[1]);
    return {begin, begin + static_cast<std::ptrdiff_t>(tensor.shape[1])};
  }
  std::vector<double> Multiply(const std::string& name, const std::vector<double>& vector) const {
    const Tensor& tensor = model_.tensors.at(name);
    std::vector<double> result;
    const float* weight = tensor.values.data();
    for (std::size_t row = 0; row < tensor.shape[0]; ++row) {
      double sum = 0;
      for (const double value : vector) sum += static_cast<double>(*weight++) * value;
      result.push_back(sum);
    }
    return result;
  }
  std::vector<double> Affine(const std::string& weight, const std::string& bias, const std::vector<double>& vector) const {
    std::vector<double> result = Multiply(weight, vector);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += static_cast<double>(model_.tensors.at(bias).values[i]);
    return result;
  }
  std::vector<std::vector<double>> RunLstm(const std::vector<std::vector<double>>& inputs, int layer, bool reverse) const {
    const std::string suffix = "_l" + std::to_string(layer) + (reverse ? "_reverse" : "");
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    std::vector<double> state(Hidden(), 0.0);
    std::vector<double> cell(Hidden(), 0.0);
    std::vector<std::vector<double>> outputs(inputs.size());
    for (std::size_t step = 0; step < inputs.size(); ++step) {
      const std::size_t t = reverse ? inputs.size() - 1 - step : step;
      const std::vector<double> a = Affine("lstm.weight_ih" + suffix, "lstm.bias_ih" + suffix, inputs[t]);
      const std::vector<double> b = Affine("lstm.weight_hh" + suffix, "lstm.bias_hh" + suffix, state);
      for (std::size_t i = 0; i < Hidden(); ++i) {
        const auto gate = [&](std::size_t which) { return a[which * Hidden() + i] + b[which * Hidden() + i]; };
        cell[i] = sigmoid(gate(1)) * cell[i] + sigmoid(gate(0)) * std::tanh(gate(2));
        state[i] = sigmoid(gate(3)) * std::tanh(cell[i]);
      }
      outputs[t] = state;
    }
    return outputs;
  }

  const Model& model_;
};

// Strings of many lengths, the empty one among them.
std::vector<std::string> RandomTexts(std::size_t count, std::size_t longest) {
  Random random(42);
  std::vector<std::string> texts{"", "x", "(2x + 3) = 7"};
  while (texts.size() < count) {
    std::string text;
    for (std::uint64_t left = random.Uint64(0, longest + 1); left > 0; --left) text += static_cast<char>(random.Uint64(1, 256));
    texts.push_back(text);
  }
  return texts;
}

std::vector<float> Encode(const Encoder& encoder, const std::vector<std::string>& texts, std::size_t threads) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<float> vectors(texts.size() * encoder.vector_size());
  ThreadPool pool(threads);
  encoder.Encode(views, vectors, pool);
  return vectors;
}

TEST(LstmEncoderTest, EqualsTheDefinitionOnEveryProcessorVersion) {
  const std::vector<std::string> texts = RandomTexts(Repetitions(70, 24), Repetitions(40, 20));
  for (const Architecture& architecture :
       {Lstm(), Lstm({5, 8, 1}), Lstm({7, 24, 3}), Lstm({4, 100, 2}), Lstm({3, 13, 2}), Lstm({1, 1, 1})}) {
    const Model model = RandomModel(architecture, 3);
    const Reference reference(model);
    std::vector<std::vector<float>> vectors;
    for (const Kernels* kernels : Kernels::Available()) vectors.push_back(Encode(LstmEncoder(model, *kernels), texts, 2));
    const std::size_t every = architecture.size("hidden") < 100 ? Repetitions(1U, 7U) : Repetitions(10U, 35U);
    for (std::size_t i = 0; i < texts.size(); i += every) {
      const std::vector<double> expected = reference.Vector(texts[i]);
      double largest = 0;
      for (const double value : expected) largest = std::max(largest, std::abs(value));
      for (std::size_t version = 0; version < vectors.size(); ++version) {
        for (std::size_t k = 0; k < expected.size(); ++k) {
          ASSERT_NEAR(static_cast<double>(vectors[version][i * expected.size() + k]), expected[k], 1e-5 * largest)
              << "text " << i << ", " << Kernels::Available()[version]->name;
        }
      }
    }
  }
}

TEST(LstmEncoderTest, LayersAreWhatTheNetworkComputesOnItsWay) {
  const std::vector<std::string> texts = RandomTexts(20, 30);
  const Model model = RandomModel(Lstm({4, 12, 3}), 5);
  const Reference reference(model);
  const std::vector<NetworkLayer> layers = MakeLayerEncoders(model);
  ASSERT_EQ(layers.size(), 4U);
  EXPECT_EQ(layers[0].name, "characters");
  ASSERT_EQ(layers[0].encoder->vector_size(), 4U);
  // The mean of two rows; that of no text is zero.
  const std::vector<float> means = Encode(*layers[0].encoder, {"", "ab"}, 1);
  const std::vector<float>& rows = model.tensors.at("embedding.weight").values;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(means[k], 0);
    EXPECT_NEAR(means[4 + k], (rows[CharacterIndex('a') * 4 + k] + rows[CharacterIndex('b') * 4 + k]) / 2, 1e-6);
  }
  for (int layer = 1; layer <= 3; ++layer) {
    const NetworkLayer& tested = layers[static_cast<std::size_t>(layer)];
    EXPECT_EQ(tested.name, "layer " + std::to_string(layer));
    const std::vector<float> vectors = Encode(*tested.encoder, texts, 2);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::vector<double> expected = reference.Ends(texts[i], layer);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        ASSERT_NEAR(static_cast<double>(vectors[i * expected.size() + k]), expected[k], 1e-5) << "text " << i;
      }
    }
  }
}

TEST(LstmEncoderTest, AVectorDoesNotDependOnItsBatchOrOnThreads) {
  const LstmEncoder encoder(RandomModel(Lstm({16, 32, 2}), 4));
  const std::vector<std::string> texts = RandomTexts(300, 60);
  const std::vector<float> together = Encode(encoder, texts, 1);
  EXPECT_EQ(Encode(encoder, texts, 3), together);
  for (std::size_t i = 0; i < texts.size(); i += 7) {
    const std::vector<float> alone = Encode(encoder, {texts[i]}, 1);
    const auto begin = together.begin() + static_cast<std::ptrdiff_t>(i * encoder.vector_size());
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), begin)) << i;
  }
}

TEST(LstmEncoderTest, ScoresAreTheBilinearForm) {
  const Model model = RandomModel(Lstm({16, 32, 2}), 5);
  const std::vector<float> vectors = Encode(LstmEncoder(model), {"2x = 6", "x = 3"}, 1);
  ThreadPool pool(1);
  const std::vector<ScoreBatch::Pair> pairs{{0, 1}};
  std::vector<float> scores(1);
  MakeHead(model)->Score(vectors, pairs, scores, pool);
  EXPECT_NEAR(static_cast<double>(scores[0]), Reference(model).Score("2x = 6", "x = 3"), 1e-6);
}

TEST(LstmEncoderTest, TensorsThatDoNotFitAreErrors) {
  Model missing = RandomModel(Lstm({4, 8, 1}, Head::kValue), 6);
  missing.tensors.erase("mlp.2.bias");
  EXPECT_THROW(LstmEncoder{missing}, Error);
  EXPECT_THROW(MakeEncoder(missing), Error);
  Model wrong = RandomModel(Lstm({4, 8, 1}, Head::kValue), 6);
  wrong.tensors["value.weight"].shape = {2, 8};
  EXPECT_THROW(LstmEncoder{wrong}, Error);
  EXPECT_THROW(MakeHead(wrong), Error);
  EXPECT_THROW(LstmEncoder{RandomModel(TrainingArchitecture("bag", {}), 6)}, Error);
}

TEST(KernelsTest, CellsAreAccurateOverTheWholeRange) {
  for (const Kernels* kernels : Kernels::Available()) {
    SCOPED_TRACE(kernels->name);
    constexpr std::size_t kHidden = 64;
    for (double x = -120; x <= 120; x += 0.37) {
      std::vector<float> gates(4 * kHidden, static_cast<float>(x));
      std::vector<float> cell(kHidden, 0.5F);
      std::vector<float> out(kHidden);
      kernels->lstm_cell(kHidden, gates.data(), cell.data(), out.data());
      const double sigmoid = 1 / (1 + std::exp(-static_cast<double>(static_cast<float>(x))));
      const double expected_cell = sigmoid * 0.5 + sigmoid * std::tanh(static_cast<double>(static_cast<float>(x)));
      ASSERT_NEAR(static_cast<double>(cell[17]), expected_cell, 1e-6) << x;
      ASSERT_NEAR(static_cast<double>(out[17]), sigmoid * std::tanh(expected_cell), 1e-6) << x;
    }
  }
}

}  // namespace
}  // namespace conpole
