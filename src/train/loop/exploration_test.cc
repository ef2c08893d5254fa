#include "train/loop/exploration.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "util/hash.h"

namespace conpole {
namespace {

// One parent with candidates.
struct Batch {
  explicit Batch(std::vector<std::string> candidates) : texts(std::move(candidates)) {
    texts.insert(texts.begin(), "parent");
    for (const std::string& text : texts) {
      views.push_back(text);
      hashes.push_back(HashText(text));
    }
    for (std::uint32_t i = 1; i < texts.size(); ++i) pairs.push_back({0, i});
    scores.assign(pairs.size(), 0);
  }
  ScoreBatch batch() const { return {views, hashes, pairs}; }

  std::vector<std::string> texts;
  std::vector<std::string_view> views;
  std::vector<std::uint64_t> hashes;
  std::vector<ScoreBatch::Pair> pairs;
  std::vector<float> scores;
};

TEST(ExplorationTest, NoiseDrawsByTheScores) {
  Batch batch({"a", "b", "c"});
  int firsts[3] = {0, 0, 0};
  constexpr int kDraws = 20'000;
  for (int seed = 0; seed < kDraws; ++seed) {
    batch.scores = {0, 2, 1};
    AddGumbelNoise(batch.batch(), 2, static_cast<std::uint64_t>(seed), batch.scores);
    ++firsts[std::max_element(batch.scores.begin(), batch.scores.end()) - batch.scores.begin()];
  }
  const double sum = 1 + std::exp(1.0) + std::exp(0.5);
  EXPECT_NEAR(firsts[0] / static_cast<double>(kDraws), 1 / sum, 0.02);
  EXPECT_NEAR(firsts[1] / static_cast<double>(kDraws), std::exp(1.0) / sum, 0.02);
  EXPECT_NEAR(firsts[2] / static_cast<double>(kDraws), std::exp(0.5) / sum, 0.02);
}

TEST(ExplorationTest, TheSameSeedDrawsTheSame) {
  Batch first({"a", "b", "c"});
  Batch second({"a", "b", "c"});
  AddGumbelNoise(first.batch(), 1, 7, first.scores);
  AddGumbelNoise(second.batch(), 1, 7, second.scores);
  EXPECT_EQ(first.scores, second.scores);
  AddGumbelNoise(second.batch(), 1, 8, second.scores);
  EXPECT_NE(first.scores, second.scores);
}

TEST(ExplorationTest, ChanceMayPreferShortTexts) {
  int short_first = 0;
  int long_first = 0;
  Batch batch({"0123456789", "012345"});
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    MakeChanceScorer(Chance::kShort, seed)->Score(batch.batch(), batch.scores);
    if (batch.scores[1] > batch.scores[0]) ++short_first;
    MakeChanceScorer(Chance::kRandom, seed)->Score(batch.batch(), batch.scores);
    if (batch.scores[0] > batch.scores[1]) ++long_first;
  }
  EXPECT_GT(short_first, 650);
  EXPECT_LT(short_first, 1000);
  EXPECT_NEAR(long_first, 500, 80);
}

}  // namespace
}  // namespace conpole
