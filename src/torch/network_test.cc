// Every kind with every head as a LibTorch module.
#include "torch/network.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "nn/network_kind.h"
#include "tests/files.h"

namespace conpole {
namespace {

const std::vector<std::string_view> kTexts{"2x = 6", "x = (6 / 2)", "6 = 2x", "x = 3", "(x + 1) = 4"};
const std::vector<ScoreBatch::Pair> kPairs{{0, 1}, {0, 2}, {1, 3}, {1, 4}};

class NetworkTest : public testing::TestWithParam<std::tuple<std::string, Head>> {
 protected:
  static Architecture MakeArchitecture() {
    Architecture architecture = TrainingArchitecture(std::get<0>(GetParam()), {{"hidden", 12}});
    architecture.head = std::get<1>(GetParam());
    return architecture;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, NetworkTest,
                         testing::Combine(testing::ValuesIn(TextEncoderKinds()),
                                          testing::Values(Head::kBilinear, Head::kValue)),
                         [](const auto& param_info) {
                           return std::get<0>(param_info.param) + "_" + std::string(HeadName(std::get<1>(param_info.param)));
                         });

TEST_P(NetworkTest, GivesItsTensorsBack) {
  const Model model = RandomModel(MakeArchitecture(), 1);
  Network network(model.architecture);
  network->SetTensors(model.tensors);
  EXPECT_EQ(network->GetTensors(), model.tensors);
  EXPECT_EQ(network->parameters().size(), model.tensors.size()) << "no parameter is left out of the model";
  Tensors missing = model.tensors;
  const std::string first = missing.begin()->first;
  missing.erase(first);
  EXPECT_EQ(ErrorOf([&] { network->SetTensors(missing); }), "the model has no tensor '" + first + "' of the right shape");
}

TEST_P(NetworkTest, SkipsSpacesWhereItsArchitectureSaysSo) {
  const Model model = RandomModel(MakeArchitecture(), 1);
  Architecture skipping = model.architecture;
  skipping.skips_spaces = true;
  const auto vectors = [&](const Architecture& architecture, const std::vector<std::string_view>& texts) {
    Network network(architecture);
    network->SetTensors(model.tensors);
    return network->Encode(texts);
  };
  const std::vector<std::string_view> without{"2x=6", "x=(6/2)", "6=2x", "x=3", "(x+1)=4"};
  EXPECT_TRUE(torch::equal(vectors(skipping, kTexts), vectors(model.architecture, without)));
}

TEST_P(NetworkTest, TakesAllParametersFromOneVector) {
  const Model model = RandomModel(MakeArchitecture(), 1);
  Network network(model.architecture);
  network->SetTensors(model.tensors);
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& parameter : network->all_parameters()) parts.push_back(parameter.detach().clone().reshape({-1}));
  Network other(model.architecture);
  other->CopyParametersFrom(torch::cat(parts));
  EXPECT_EQ(other->GetTensors(), model.tensors);
}

TEST_P(NetworkTest, GradientsReachAllParametersAndLearningWorks) {
  Network network(MakeArchitecture());
  network->SetTensors(InitialModel(MakeArchitecture(), 1).tensors);
  torch::optim::AdamW optimiser(network->parameters(), torch::optim::AdamWOptions(1e-2));
  const torch::Tensor targets = torch::tensor({1.0F, 0.0F, 1.0F, 0.0F});
  double first = 0;
  double last = 0;
  for (int i = 0; i < 80; ++i) {
    optimiser.zero_grad();
    const torch::Tensor scores = network->ScorePairs(network->Encode(kTexts), PairRows(kPairs, torch::kCPU));
    const torch::Tensor loss = torch::binary_cross_entropy_with_logits(scores, targets);
    loss.backward();
    for (const auto& parameter : network->named_parameters()) {
      ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
      if (i > 0) continue;
      EXPECT_GT(parameter.value().grad().abs().sum().item<double>(), 0) << parameter.key();
    }
    optimiser.step();
    last = loss.item<double>();
    if (i == 0) first = last;
  }
  EXPECT_LT(last, first / 5);
}

}  // namespace
}  // namespace conpole
