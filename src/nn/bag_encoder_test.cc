#include "nn/bag_encoder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/alphabet.h"

namespace conpole {
namespace {

// The network as its definition reads, in double precision.
std::vector<double> BagReference(const Model& model, std::string_view text) {
  const auto hidden = static_cast<std::size_t>(model.architecture.size("hidden"));
  const auto window = static_cast<std::size_t>(model.architecture.size("window"));
  const auto value = [&](const std::string& name, std::size_t at) { return double{model.tensors.at(name).values[at]}; };
  std::vector<double> mean(hidden, 0.0);
  for (std::size_t unit = 0; unit < hidden; ++unit) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      double sum = value("window.bias", unit);
      for (std::size_t k = 0; k < window && at + k < text.size(); ++k) {
        sum += value("window." + std::to_string(k) + ".weight", CharacterIndex(text[at + k]) * hidden + unit);
      }
      mean[unit] += std::max(sum, 0.0) / static_cast<double>(text.size());
    }
  }
  const auto affine = [&](const std::string& name, const std::vector<double>& from) {
    std::vector<double> to(hidden);
    for (std::size_t row = 0; row < hidden; ++row) {
      to[row] = value(name + ".bias", row);
      for (std::size_t column = 0; column < hidden; ++column) {
        to[row] += value(name + ".weight", row * hidden + column) * from[column];
      }
    }
    return to;
  };
  std::vector<double> middle = affine("mlp.0", mean);
  for (double& unit : middle) unit = std::max(unit, 0.0);
  return affine("mlp.2", middle);
}

std::vector<float> EncodeBags(const Encoder& encoder, const std::vector<std::string_view>& texts, std::size_t threads) {
  ThreadPool pool(threads);
  std::vector<float> vectors(texts.size() * encoder.vector_size());
  encoder.Encode(texts, vectors, pool);
  return vectors;
}

TEST(BagEncoderTest, EqualsTheDefinitionOnEveryProcessorVersion) {
  const std::vector<std::string_view> texts{"", "x", "2x = 6", "(x + 1) = (6 / 2)", "\xff\n\t"};
  for (const int hidden : {1, 13, 64}) {
    for (const int window : {1, 3, 16}) {
      const Model model = InitialModel(TrainingArchitecture("bag", {{"hidden", hidden}, {"window", window}}), 3);
      for (const Kernels* kernels : Kernels::Available()) {
        SCOPED_TRACE(kernels->name);
        const std::unique_ptr<Encoder> encoder = MakeEncoder(model, *kernels);
        const std::vector<float> vectors = EncodeBags(*encoder, texts, 2);
        for (std::size_t i = 0; i < texts.size(); ++i) {
          const std::vector<double> expected = BagReference(model, texts[i]);
          for (std::size_t k = 0; k < expected.size(); ++k) {
            ASSERT_NEAR(double{vectors[i * expected.size() + k]}, expected[k], 1e-5) << texts[i];
          }
        }
      }
    }
  }
}

TEST(BagEncoderTest, AVectorDoesNotDependOnItsBatchOrOnThreads) {
  const std::unique_ptr<Encoder> encoder = MakeEncoder(RandomModel(TrainingArchitecture("bag", {}), 4));
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back(std::string(static_cast<std::size_t>(i % 7), 'x') + std::to_string(i * i));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::vector<float> together = EncodeBags(*encoder, views, 1);
  EXPECT_EQ(EncodeBags(*encoder, views, 3), together);
  for (std::size_t i = 0; i < texts.size(); i += 7) {
    const std::vector<float> alone = EncodeBags(*encoder, {views[i]}, 1);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + static_cast<std::ptrdiff_t>(i * alone.size()))) << i;
  }
}

TEST(BagEncoderTest, SeesOrderOnlyWithinItsWindow) {
  const auto vectors = [](int window) {
    return EncodeBags(*MakeEncoder(RandomModel(TrainingArchitecture("bag", {{"window", window}}), 5)), {"ab", "ba"}, 1);
  };
  const auto are_equal = [](const std::vector<float>& both) {
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
    return std::equal(both.begin(), middle, middle);
  };
  EXPECT_TRUE(are_equal(vectors(1)));
  EXPECT_FALSE(are_equal(vectors(2)));
}

}  // namespace
}  // namespace conpole
