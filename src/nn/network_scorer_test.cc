#include "nn/network_scorer.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "util/hash.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

const std::vector<std::string_view> kTexts{"2x = 6", "x = (6 / 2)", "6 = 2x", "x = 3"};
const std::vector<ScoreBatch::Pair> kPairs{{0, 1}, {0, 2}, {1, 3}, {0, 3}};

std::vector<float> Score(const Model& model, std::size_t threads) {
  ThreadPool pool(threads);
  NetworkScorer scorer(model, pool);
  std::vector<std::uint64_t> hashes;
  for (const std::string_view text : kTexts) hashes.push_back(HashText(text));
  std::vector<float> scores(kPairs.size());
  scorer.Score({kTexts, hashes, kPairs}, scores);
  return scores;
}

std::vector<float> VectorOf(const Encoder& encoder, std::string_view text) {
  ThreadPool pool(1);
  std::vector<float> vector(encoder.vector_size());
  encoder.Encode(std::span(&text, 1), vector, pool);
  return vector;
}

TEST(NetworkScorerTest, PreferencesAreTheBilinearFormOfEachPair) {
  const Model model = RandomModel(Lstm({8, 16, 2}), 1);
  const LstmEncoder encoder(model);
  const std::vector<float> scores = Score(model, 2);
  EXPECT_EQ(Score(model, 1), scores);
  const std::vector<float>& weights = model.tensors.at("score.weight").values;
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    const std::vector<float> parent = VectorOf(encoder, kTexts[kPairs[i].parent]);
    const std::vector<float> candidate = VectorOf(encoder, kTexts[kPairs[i].candidate]);
    double expected = 0;
    for (std::size_t row = 0; row < candidate.size(); ++row) {
      for (std::size_t column = 0; column < parent.size(); ++column) {
        expected += double{candidate[row]} * double{weights[row * parent.size() + column]} * double{parent[column]};
      }
    }
    EXPECT_NEAR(double{scores[i]}, expected, 1e-6);
  }
}

TEST(NetworkScorerTest, ValuesLookAtTheCandidateAlone) {
  const Model model = RandomModel(Lstm({8, 16, 2}, Head::kValue), 1);
  const std::vector<float> scores = Score(model, 1);
  EXPECT_EQ(scores[2], scores[3]);
  const std::vector<float> vector = VectorOf(LstmEncoder(model), kTexts[1]);
  double expected = double{model.tensors.at("value.bias").values[0]};
  for (std::size_t k = 0; k < vector.size(); ++k) {
    expected += double{vector[k]} * double{model.tensors.at("value.weight").values[k]};
  }
  EXPECT_NEAR(double{scores[0]}, expected, 1e-6);
}

TEST(NetworkScorerTest, OnlyWhatTheHeadLooksAtIsEncoded) {
  ThreadPool pool(1);
  const std::vector<std::uint64_t> hashes(kTexts.size());
  std::vector<float> scores(kPairs.size());
  NetworkScorer values(RandomModel(Lstm({8, 16, 1}, Head::kValue), 1), pool);
  values.Score({kTexts, hashes, kPairs}, scores);
  EXPECT_EQ(values.cache().misses(), 3U) << "the first text is a parent only";
  NetworkScorer preferences(RandomModel(Lstm({8, 16, 1}), 1), pool);
  preferences.Score({kTexts, hashes, kPairs}, scores);
  EXPECT_EQ(preferences.cache().misses(), 4U);
}

TEST(NetworkScorerTest, TheModelSaysWhatScoresMean) {
  ThreadPool pool(1);
  EXPECT_EQ(NetworkScorer(RandomModel(Lstm({8, 16, 1}), 1), pool).meaning(), ScoreMeaning::kLogPreference);
  EXPECT_EQ(NetworkScorer(RandomModel(Lstm({8, 16, 1}, Head::kValue), 1), pool).meaning(), ScoreMeaning::kLogOdds);
  Model model = RandomModel(Lstm({8, 16, 1}, Head::kValue), 1);
  model.stated_meaning = ScoreMeaning::kMinusStepsToGo;
  EXPECT_EQ(NetworkScorer(model, pool).meaning(), ScoreMeaning::kMinusStepsToGo);
}

}  // namespace
}  // namespace conpole
