// Models are shipped with weights in half precision: the runtime engine must choose as it would with the weights as trained.
#include "tests/agreement.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "nn/network_scorer.h"
#include "tests/recordings.h"
#include "tests/repetitions.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

constexpr std::size_t kStates = Repetitions(1000, 50);

Model InHalfPrecision(const Model& model) {
  const std::string path = testing::TempDir() + "agreement" + std::to_string(getpid()) + ".safetensors";
  WriteModel(model, path, WeightFormat::kFloat16);
  Model half = ReadModel(path);
  std::filesystem::remove(path);
  return half;
}

class AgreementTest : public testing::TestWithParam<Recording> {};

TEST_P(AgreementTest, WeightsInHalfPrecisionChooseTheSameSuccessor) {
  const Model model = RandomModel(Lstm({.embedding = 64, .hidden = 64, .layers = 2}), 1);
  ThreadPool pool;
  NetworkScorer exact(model, pool);
  NetworkScorer half(InHalfPrecision(model), pool);
  const Agreement agreement = CompareChoices(
      *MakeDomain(GetParam().domain), StatesOf(GetParam(), kStates),
      [&](const ScoreBatch& batch, std::span<float> scores) { exact.Score(batch, scores); },
      [&](const ScoreBatch& batch, std::span<float> scores) { half.Score(batch, scores); }, kHalfUnit);
  RecordProperty("states", static_cast<int>(agreement.states));
  RecordProperty("ties", static_cast<int>(agreement.ties));
  EXPECT_GT(agreement.states, kStates / 2);
  EXPECT_GE(agreement.share(), 0.999) << agreement.same << " of " << agreement.states << " and " << agreement.ties << " ties";
  EXPECT_LE(agreement.ties, 1 + agreement.states / 100);
}

INSTANTIATE_TEST_SUITE_P(Domains, AgreementTest, testing::ValuesIn(Recordings()), [](const auto& param_info) {
  std::string name = param_info.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace conpole
