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

TEST(ScorersTest, HeuristicsGiveStepsToGo) {
  const std::unique_ptr<Scorer> scorer =
      MakeHeuristicScorer({"length", "", [](std::string_view state) { return static_cast<float>(state.size()); }});
  EXPECT_EQ(scorer->meaning(), ScoreMeaning::kMinusStepsToGo);
  EXPECT_EQ(ScoreOf(*scorer, "parent", "abc"), -3.0F);
}

TEST(ScorersTest, ScorersAreKnownByName) {
  const DomainType& sorting = MakeDomain("sorting")->type();
  const DomainType& cube = MakeDomain("rubiks-cube")->type();
  for (const std::string_view name : {"random", "length"}) {
    EXPECT_EQ(MakeScorer(name, sorting, 0)->meaning(), ScoreMeaning::kRank);
  }
  EXPECT_EQ(MakeScorer("stickers", cube, 0)->meaning(), ScoreMeaning::kMinusStepsToGo);
  const auto error_of = [](std::string_view name, const DomainType& domain) -> std::string {
    try {
      MakeScorer(name, domain, 0);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of("stickers", sorting), "there is no scorer 'stickers' for sorting; there are: random, length");
  EXPECT_EQ(error_of("best", cube), "there is no scorer 'best' for rubiks-cube; there are: random, length, stickers");
}

TEST(ScorersTest, TheDefaultIsTheHeuristicOfTheDomain) {
  EXPECT_EQ(DefaultScorer(MakeDomain("sorting")->type()), "length");
  EXPECT_EQ(DefaultScorer(MakeDomain("rubiks-cube")->type()), "stickers");
}

}  // namespace
}  // namespace conpole
