#include "search/scorers.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "util/hash.h"

namespace conpole {
namespace {

float ScoreOf(Scorer& scorer, std::string_view parent, std::string_view candidate) {
  const std::vector<std::string_view> texts{parent, candidate};
  const std::vector<std::uint64_t> hashes{HashText(parent), HashText(candidate)};
  const std::vector<ScoreBatch::Pair> pairs{{0, 1}};
  float score = 0;
  scorer.Score({texts, hashes, pairs}, {&score, 1});
  return score;
}

TEST(ScorersTest, RandomScoresDependOnTheSeedAndBothTexts) {
  std::set<float> scores;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::unique_ptr<Scorer> scorer = MakeRandomScorer(seed);
    for (const std::string_view parent : {"p", "q", "pq"}) {
      for (const std::string_view candidate : {"a", "b", "ab", ""}) {
        const float score = ScoreOf(*scorer, parent, candidate);
        EXPECT_GE(score, 0);
        EXPECT_LT(score, 1);
        EXPECT_EQ(score, ScoreOf(*MakeRandomScorer(seed), parent, candidate));
        scores.insert(score);
      }
    }
  }
  EXPECT_EQ(scores.size(), 120U);
}

TEST(ScorersTest, RandomScoresAreSpreadEvenly) {
  const std::unique_ptr<Scorer> scorer = MakeRandomScorer(3);
  std::vector<int> tenths(10);
  for (int i = 0; i < 10'000; ++i) ++tenths[static_cast<std::size_t>(10 * ScoreOf(*scorer, "parent", std::to_string(i)))];
  for (const int count : tenths) {
    EXPECT_GT(count, 850);
    EXPECT_LT(count, 1150);
  }
}

TEST(ScorersTest, ShorterTextsScoreHigher) {
  const std::unique_ptr<Scorer> scorer = MakeLengthScorer();
  EXPECT_GT(ScoreOf(*scorer, "p", ""), ScoreOf(*scorer, "p", "a"));
  EXPECT_GT(ScoreOf(*scorer, "p", "ab"), ScoreOf(*scorer, "p", "abc"));
  EXPECT_EQ(ScoreOf(*scorer, "p", "ab"), ScoreOf(*scorer, "longer", "xy"));
}

TEST(ScorersTest, StickersCountTheRightCells) {
  const std::unique_ptr<Scorer> scorer = MakeStickerScorer();
  EXPECT_EQ(ScoreOf(*scorer, "", "A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f"), 1.0F);
  // One turn of a face moves three cells of each of its four neighbours.
  EXPECT_EQ(ScoreOf(*scorer, "", "A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f"), 42.0F / 54.0F);
  EXPECT_EQ(ScoreOf(*scorer, "", "A111111111aB222222222bC333333333cD444444444dE555555555eF000000000f"), 0.0F);
}

TEST(ScorersTest, ScorersAreKnownByName) {
  for (const std::string_view name : {"random", "length"}) EXPECT_NE(MakeScorer(name, "sorting", 0), nullptr);
  EXPECT_NE(MakeScorer("stickers", "rubiks-cube", 0), nullptr);
  EXPECT_THROW(MakeScorer("stickers", "sorting", 0), Error);
  try {
    MakeScorer("best", "sorting", 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown scorer 'best'; there are: random, length, stickers");
  }
}

}  // namespace
}  // namespace conpole
