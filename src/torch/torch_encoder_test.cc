// The two engines give the same numbers: LibTorch against the runtime engine, which has tests against the definition.
#include "torch/torch_encoder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/head.h"
#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "tests/agreement.h"
#include "tests/recordings.h"
#include "tests/repetitions.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

constexpr std::size_t kStates = Repetitions(1000, 50);

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
  const Model model = RandomModel(Lstm(), 1);
  const LstmEncoder runtime(model);
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
    const Model model = RandomModel(Lstm({16, 32, 2}, head), 2);
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

    ThreadPool pool(1);
    std::vector<float> expected(states.size());
    ScoringMemory memory;
    ScorePairs(*MakeEncoder(model), *MakeHead(model), {views, hashes, std::span(pairs).first(states.size())}, expected, pool,
               memory);
    whole.resize(expected.size());
    ExpectEqualVectors(whole, expected, 1e-4);
  }
}

TEST(TorchEncoderTest, BothEnginesKnowTheSameKinds) {
  std::vector<std::string> runtime;
  for (const NetworkKind* kind : NetworkKinds()) {
    if (kind->make_encoder != nullptr) runtime.push_back(kind->name);
  }
  EXPECT_EQ(TorchKinds(), runtime);
}

TEST(TorchEncoderTest, EveryKindGivesTheSameVectorsInBothEngines) {
  const std::vector<std::string_view> texts{"2x = 6", "",      "x",    "((x + 1) * 2) = (3 - x)", "\xff\n", "x = 3",
                                            "",       "α ∧ β", "γ∨δ\n"};
  for (const NetworkKind* kind : NetworkKinds()) {
    if (kind->make_encoder == nullptr) continue;  // no texts; torch/torch_policy_test.cc
    for (const int size : {2, 5, 16, -5}) {       // below 0: with an alphabet
      SCOPED_TRACE(kind->name + " " + std::to_string(size));
      std::map<std::string, int, std::less<>> sizes;
      for (const NetworkSize& each : kind->sizes) sizes[each.name] = std::min(std::abs(size), each.max);
      Architecture architecture = TrainingArchitecture(kind->name, sizes);
      if (size < 0) architecture.alphabet = "\nαβγ∧∨";
      const Model model = InitialModel(architecture, 4);
      const std::unique_ptr<Encoder> runtime = MakeEncoder(model);
      ThreadPool pool(2);
      const std::size_t length = runtime->vector_size();
      std::vector<float> expected(texts.size() * length);
      runtime->Encode(texts, expected, pool);
      TorchEncoder torch(model, {});
      std::vector<float> actual(expected.size());
      torch.Encode(texts, actual);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        // LibTorch's LSTM layers take an empty text as one unknown character.
        if (texts[i].empty() && kind->name == "lstm") continue;
        EXPECT_LE(RelativeError(std::span(actual).subspan(i * length, length), std::span(expected).subspan(i * length, length)),
                  1e-4)
            << texts[i];
      }
    }
  }
}

TEST(TorchEncoderTest, UnknownDevicesAreErrors) {
  TorchOptions options;
  options.device = "abacus";
  EXPECT_THROW(TorchEncoder(RandomModel(Lstm({4, 8, 1}, Head::kValue), 1), options), Error);
}

}  // namespace
}  // namespace conpole
