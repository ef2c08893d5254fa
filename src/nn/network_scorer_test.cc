#include "nn/network_scorer.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/encoder.h"
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
  const Model model = RandomModel({8, 16, 2, Head::kBilinear}, 1);
  const Encoder encoder(model);
  const std::vector<float> scores = Score(model, 2);
  EXPECT_EQ(Score(model, 1), scores);
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    std::vector<float> projected(encoder.vector_size());
    encoder.Project(VectorOf(encoder, kTexts[kPairs[i].parent]), projected);
    const std::vector<float> candidate = VectorOf(encoder, kTexts[kPairs[i].candidate]);
    float expected = 0;
    for (std::size_t k = 0; k < candidate.size(); ++k) expected += candidate[k] * projected[k];
    EXPECT_FLOAT_EQ(scores[i], expected);
  }
}

TEST(NetworkScorerTest, ValuesLookAtTheCandidateAlone) {
  const Model model = RandomModel({8, 16, 2, Head::kValue}, 1);
  const Encoder encoder(model);
  const std::vector<float> scores = Score(model, 1);
  EXPECT_EQ(scores[2], scores[3]);
  EXPECT_FLOAT_EQ(scores[0], encoder.Value(VectorOf(encoder, kTexts[1])));
}

TEST(NetworkScorerTest, TheHeadSaysWhatScoresMean) {
  ThreadPool pool(1);
  EXPECT_EQ(NetworkScorer(RandomModel({8, 16, 1, Head::kBilinear}, 1), pool).meaning(), ScoreMeaning::kLogPreference);
  EXPECT_EQ(NetworkScorer(RandomModel({8, 16, 1, Head::kValue}, 1), pool).meaning(), ScoreMeaning::kLogOdds);
}

}  // namespace
}  // namespace conpole
