#include "nn/residual_network.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "nn/lstm_encoder.h"
#include "util/random.h"

namespace conpole {
namespace {

Architecture Small(int wide, int hidden, int blocks, int cells = 7, int colours = 3, int actions = 5) {
  Architecture architecture = TrainingArchitecture("residual", {{"wide", wide}, {"hidden", hidden}, {"blocks", blocks}});
  architecture.sizes["cells"] = cells;
  architecture.sizes["colours"] = colours;
  architecture.sizes["actions"] = actions;
  return architecture;
}

std::vector<std::uint8_t> RandomStates(const Architecture& architecture, std::size_t count) {
  Random random(5);
  std::vector<std::uint8_t> states(count * static_cast<std::size_t>(architecture.size("cells")));
  for (std::uint8_t& cell : states) {
    cell = static_cast<std::uint8_t>(random.Uint64(0, static_cast<std::uint64_t>(architecture.size("colours"))));
  }
  return states;
}

// The definition, in double precision.
std::vector<double> Definition(const Model& model, const std::uint8_t* state) {
  const auto size = [&](const char* name) { return static_cast<std::size_t>(model.architecture.size(name)); };
  const auto linear = [&](const std::string& name, const std::vector<double>& in) {
    const Tensor& weight = model.tensors.at(name + ".weight");
    std::vector<double> out(weight.shape[0]);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = double{model.tensors.at(name + ".bias").values[i]};
      for (std::size_t k = 0; k < in.size(); ++k) out[i] += double{weight.values[i * in.size() + k]} * in[k];
    }
    return out;
  };
  const auto relu = [](std::vector<double> values) {
    for (double& value : values) value = std::max(value, 0.0);
    return values;
  };
  std::vector<double> one_hot(size("cells") * size("colours"));
  for (std::size_t cell = 0; cell < size("cells"); ++cell) one_hot[cell * size("colours") + state[cell]] = 1;
  std::vector<double> hidden = relu(linear("narrow", relu(linear("input", one_hot))));
  for (std::size_t k = 0; k < size("blocks"); ++k) {
    const std::string block = "block." + std::to_string(k);
    const std::vector<double> added = linear(block + ".2", relu(linear(block + ".0", hidden)));
    for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] = std::max(hidden[i] + added[i], 0.0);
  }
  return linear("action", hidden);
}

TEST(ResidualNetworkTest, EqualsTheDefinition) {
  for (const auto& [wide, hidden, blocks] : {std::tuple{33, 20, 2}, {300, 64, 1}, {8, 5, 3}}) {
    const Model model = RandomModel(Small(wide, hidden, blocks), 3);
    for (const Kernels* const kernels : Kernels::Available()) {
      SCOPED_TRACE(kernels->name);
      const ResidualNetwork network(model, Products::kFloats, *kernels);
      constexpr std::size_t kCount = 101;
      const std::vector<std::uint8_t> states = RandomStates(model.architecture, kCount);
      std::vector<float> scores(kCount * network.actions());
      ThreadPool pool(2);
      network.Score(states, scores, pool);
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::vector<double> expected = Definition(model, states.data() + i * network.cells());
        for (std::size_t a = 0; a < expected.size(); ++a) {
          EXPECT_NEAR(double{scores[i * expected.size() + a]}, expected[a], 1e-4) << i;
        }
      }
    }
  }
}

// Rounding is coarse in a network as small as this one; what is held is that it is no more than that.
TEST(ResidualNetworkTest, ProductsInBytesDifferLittle) {
  const Model model = RandomModel(Small(300, 70, 3), 3);
  const ResidualNetwork floats(model);
  const ResidualNetwork bytes(model, Products::kBytes);
  constexpr std::size_t kCount = 101;
  const std::vector<std::uint8_t> states = RandomStates(model.architecture, kCount);
  std::vector<float> expected(kCount * floats.actions());
  std::vector<float> actual(expected.size());
  ThreadPool pool(2);
  floats.Score(states, expected, pool);
  bytes.Score(states, actual, pool);
  const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 0.02F * (*most - *least)) << i;
  EXPECT_EQ(actual == expected, Kernels::Best().multiply_bytes == nullptr);
  std::vector<float> vectors(kCount * floats.vector_size());
  std::vector<float> same_vectors(vectors.size());
  floats.Encode(states, vectors, pool);
  bytes.Encode(states, same_vectors, pool);
  EXPECT_EQ(vectors, same_vectors);
}

TEST(ResidualNetworkTest, AStateIsScoredAloneAsAmongOthers) {
  for (const Products products : {Products::kFloats, Products::kBytes}) {
    const Model model = RandomModel(Small(64, 40, 2), 3);
    const ResidualNetwork network(model, products);
    constexpr std::size_t kCount = 200;
    const std::vector<std::uint8_t> states = RandomStates(model.architecture, kCount);
    std::vector<float> together(kCount * network.actions());
    ThreadPool pool(3);
    network.Score(states, together, pool);
    std::vector<float> alone(network.actions());
    for (std::size_t i = 0; i < kCount; ++i) {
      network.Score(std::span(states).subspan(i * network.cells(), network.cells()), alone, pool);
      EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + static_cast<std::ptrdiff_t>(i * alone.size())))
          << i;
    }
    network.Score({}, {}, pool);
  }
}

TEST(ResidualNetworkTest, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(ResidualNetwork(RandomModel(Lstm({4, 8, 1}), 1)), Error);
  Architecture texts = Lstm({4, 8, 1});
  texts.head = Head::kActions;
  EXPECT_THROW(CheckedKind(texts), Error) << "texts have no fixed actions";
  Architecture cells = Small(8, 8, 1);
  cells.head = Head::kBilinear;
  EXPECT_THROW(CheckedKind(cells), Error) << "there are no texts to compare";
  EXPECT_THROW(MakeEncoder(RandomModel(Small(8, 8, 1), 1)), Error);
}

}  // namespace
}  // namespace conpole
