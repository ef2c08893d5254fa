// The two engines give the same numbers: LibTorch against the runtime engine, which has tests against the definition.
#include "torch/torch_encoder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/encoder.h"
#include "nn/model.h"
#include "tests/agreement.h"
#include "tests/recordings.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

#ifdef NDEBUG
constexpr std::size_t kStates = 1000;
#else
constexpr std::size_t kStates = 50;  // without optimisation the runtime engine takes long
#endif

class TorchAgreementTest : public testing::TestWithParam<Recording> {};

INSTANTIATE_TEST_SUITE_P(Domains, TorchAgreementTest, testing::ValuesIn(Recordings()), [](const auto& param_info) {
  std::string name = param_info.param.name;
  std::erase(name, '-');
  return name;
});

// The largest difference within a vector, in units of its largest value.
double RelativeError(std::span<const float> actual, std::span<const float> expected) {
  double difference = 0;
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference = std::max(difference, static_cast<double>(std::abs(actual[i] - expected[i])));
    largest = std::max(largest, static_cast<double>(std::abs(expected[i])));
  }
  return difference / largest;
}

TEST_P(TorchAgreementTest, VectorsEqualThoseOfTheRuntimeEngine) {
  const Model model = RandomModel(Architecture(), 1);
  const Encoder runtime(model);
  TorchEncoder torch(model, {});
  ThreadPool pool;
  const std::vector<std::string> states = StatesOf(GetParam(), kStates);
  const std::vector<std::string_view> views(states.begin(), states.end());
  const std::size_t size = runtime.vector_size();
  std::vector<float> expected(states.size() * size);
  std::vector<float> actual(expected.size());
  runtime.Encode(views, expected, pool);
  torch.Encode(views, actual);
  for (std::size_t i = 0; i < states.size(); ++i) {
    ASSERT_LE(RelativeError(std::span(actual).subspan(i * size, size), std::span(expected).subspan(i * size, size)), 1e-4)
        << states[i];
  }
}

TEST_P(TorchAgreementTest, HalfPrecisionOnTheGpuChoosesTheSameSuccessor) {
  if (!CudaIsAvailable()) GTEST_SKIP() << "skipped: no GPU";
  // Random weights would leave most choices to chance.
  const std::unique_ptr<Domain> domain = MakeDomain(GetParam().domain);
  const std::filesystem::path file = std::filesystem::path(CONPOLE_SOURCE "/models") / (domain->type().name + ".safetensors");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no model of " << domain->type().name;
  const Model model = ReadModel(file.string());
  TorchEncoder exact(model, {.device = "cuda"});
  TorchEncoder half(model, {.device = "cuda", .precision = TorchPrecision::kFloat16});
  const Agreement agreement = CompareChoices(
      *domain, StatesOf(GetParam(), kStates),
      [&](const ScoreBatch& batch, std::span<float> scores) { exact.Score(batch, scores); },
      [&](const ScoreBatch& batch, std::span<float> scores) { half.Score(batch, scores); }, kHalfUnit);
  EXPECT_GE(agreement.share(), 0.998) << agreement.same << " of " << agreement.states << " and " << agreement.ties << " ties";
}

void ExpectEqualVectors(const std::vector<float>& actual, const std::vector<float>& expected, double tolerance) {
  double largest = 0;
  for (const float value : expected) largest = std::max(largest, static_cast<double>(std::abs(value)));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(expected[i]), tolerance * largest) << i;
  }
}

TEST(TorchEncoderTest, ScoresAndPiecesAndOrderAreRight) {
  for (const Head head : {Head::kBilinear, Head::kValue}) {
    const Model model = RandomModel({16, 32, 2, head}, 2);
    const std::vector<std::string> states = StatesOf(Recordings()[4], 100);
    std::vector<std::string_view> views(states.begin(), states.end());
    views.emplace_back("");
    const std::vector<std::uint64_t> hashes(views.size());
    std::vector<ScoreBatch::Pair> pairs;
    for (std::uint32_t i = 0; i < views.size(); ++i) pairs.push_back({i / 7, i});
    std::vector<float> whole(pairs.size());
    std::vector<float> pieces(pairs.size());
    TorchEncoder(model, {}).Score({views, hashes, pairs}, whole);
    TorchOptions small;
    small.max_characters = 100;
    TorchEncoder(model, small).Score({views, hashes, pairs}, pieces);
    ExpectEqualVectors(pieces, whole, 1e-5);

    const Encoder runtime(model);
    ThreadPool pool(1);
    std::vector<float> vectors(states.size() * runtime.vector_size());
    runtime.Encode(std::span(views).first(states.size()), vectors, pool);
    std::vector<float> expected;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto vector = [&](std::size_t text) {
        return std::span(vectors).subspan(text * runtime.vector_size(), runtime.vector_size());
      };
      if (head == Head::kValue) {
        expected.push_back(runtime.Value(vector(i)));
        continue;
      }
      std::vector<float> projected(runtime.vector_size());
      runtime.Project(vector(pairs[i].parent), projected);
      float score = 0;
      for (std::size_t k = 0; k < projected.size(); ++k) score += vector(i)[k] * projected[k];
      expected.push_back(score);
    }
    whole.resize(expected.size());
    ExpectEqualVectors(whole, expected, 1e-4);
  }
}

TEST(TorchEncoderTest, UnknownDevicesAreErrors) {
  TorchOptions options;
  options.device = "abacus";
  EXPECT_THROW(TorchEncoder(RandomModel({4, 8, 1, Head::kValue}, 1), options), Error);
}

}  // namespace
}  // namespace conpole
