#include "search/caching_scorer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "search/scorers.h"
#include "tests/search_fixtures.h"
#include "util/hash.h"

namespace conpole {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// A score that tells the pair: parents and candidates are numbers here.
float Tell(std::string_view parent, std::string_view candidate) {
  return std::stof(std::string(parent)) * 1000 + std::stof(std::string(candidate));
}

std::vector<float> Ask(Scorer& scorer, const Pairs& pairs) {
  std::vector<std::string_view> texts;
  std::vector<std::uint64_t> hashes;
  std::vector<ScoreBatch::Pair> indices;
  const auto index_of = [&](std::string_view text) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i] == text) return static_cast<std::uint32_t>(i);
    }
    texts.push_back(text);
    hashes.push_back(HashText(text));
    return static_cast<std::uint32_t>(texts.size() - 1);
  };
  for (const auto& [parent, candidate] : pairs) {
    const std::uint32_t parent_index = index_of(parent);
    indices.push_back({parent_index, index_of(candidate)});
  }
  std::vector<float> scores(pairs.size(), -1);
  scorer.Score({texts, hashes, indices}, scores);
  return scores;
}

struct Cached {
  explicit Cached(std::size_t capacity) {
    auto inner = std::make_unique<FunctionScorer>(ScoreMeaning::kLogPreference, Tell);
    asked = inner.get();
    scorer = std::make_unique<CachingScorer>(std::move(inner), capacity);
  }
  const FunctionScorer* asked = nullptr;
  std::unique_ptr<CachingScorer> scorer;
};

TEST(CachingScorerTest, AsksOnlyForWhatIsMissingAndKeepsTheOrder) {
  const Cached cached(1000);
  EXPECT_EQ(Ask(*cached.scorer, {{"1", "2"}, {"1", "3"}}), (std::vector<float>{1002, 1003}));
  EXPECT_EQ(Ask(*cached.scorer, {{"4", "5"}, {"1", "3"}, {"3", "1"}, {"1", "2"}, {"1", "6"}}),
            (std::vector<float>{4005, 1003, 3001, 1002, 1006}));
  EXPECT_EQ(Ask(*cached.scorer, {{"1", "2"}, {"4", "5"}}), (std::vector<float>{1002, 4005}));
  ASSERT_EQ(cached.asked->calls().size(), 2U);  // the third batch was known
  EXPECT_EQ(cached.asked->calls()[0].pairs, (Pairs{{"1", "2"}, {"1", "3"}}));
  EXPECT_EQ(cached.asked->calls()[1].pairs, (Pairs{{"4", "5"}, {"3", "1"}, {"1", "6"}}));
  EXPECT_EQ(cached.asked->calls()[1].texts, (std::vector<std::string>{"4", "5", "3", "1", "6"}));
  EXPECT_EQ(cached.scorer->hits(), 4U);
  EXPECT_EQ(cached.scorer->misses(), 5U);
}

TEST(CachingScorerTest, TextsAreNotMixedUp) {
  const Cached cached(1000);
  EXPECT_EQ(Ask(*cached.scorer, {{"1", "23"}}), std::vector<float>{1023});
  EXPECT_EQ(Ask(*cached.scorer, {{"12", "3"}}), std::vector<float>{12003});
  EXPECT_EQ(cached.scorer->hits(), 0U);
}

TEST(CachingScorerTest, HoldsNoMoreThanItsCapacity) {
  for (const std::size_t capacity : {2U, 10U, 64U}) {
    const Cached cached(capacity);
    Pairs pairs;
    for (int i = 0; i < 1000; ++i) pairs.emplace_back("1", std::to_string(i));
    Ask(*cached.scorer, pairs);
    const Pairs backwards(pairs.rbegin(), pairs.rend());
    Ask(*cached.scorer, backwards);
    EXPECT_LE(cached.scorer->hits(), capacity);
    EXPECT_GE(cached.scorer->hits(), capacity / 2);
  }
}

TEST(CachingScorerTest, WhatIsAskedForAgainAndAgainStays) {
  const Cached cached(20);
  Ask(*cached.scorer, {{"0", "0"}});
  for (int i = 1; i <= 500; ++i) {
    EXPECT_EQ(Ask(*cached.scorer, {{"1", std::to_string(i)}, {"0", "0"}}),
              (std::vector<float>{1000.0F + static_cast<float>(i), 0}));
  }
  EXPECT_EQ(cached.scorer->hits(), 500U);
  EXPECT_EQ(cached.scorer->misses(), 501U);
}

TEST(CachingScorerTest, PassesOnWhatTheInnerScorerIs) {
  for (const bool distinct : {true, false}) {
    for (const ScoreMeaning meaning : {ScoreMeaning::kLogPreference, ScoreMeaning::kMinusStepsToGo}) {
      const CachingScorer scorer(std::make_unique<FunctionScorer>(meaning, Tell, distinct), 10);
      EXPECT_EQ(scorer.meaning(), meaning);
      EXPECT_EQ(scorer.NeedsDistinctTexts(), distinct);
    }
  }
}

TEST(CachingScorerTest, SearchesFindTheSameWithIt) {
  for (const char* const name : {"sorting", "equations", "fractions"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    std::vector<std::string> problems;
    for (std::uint64_t seed = 0; seed < 20; ++seed) problems.push_back(domain->Generate(seed));
    SearchOptions options;
    options.beam.width = 4;
    options.beam.max_steps = 6;
    const std::vector<SearchResult> expected = SearchAll(*domain, *MakeRandomScorer(5), problems, options);
    for (const std::size_t capacity : {2U, 100U, 1'000'000U}) {
      CachingScorer cached(MakeRandomScorer(5), capacity);
      EXPECT_EQ(SearchAll(*domain, cached, problems, options), expected);
      const std::uint64_t first_misses = cached.misses();
      EXPECT_EQ(SearchAll(*domain, cached, problems, options), expected);
      if (capacity == 1'000'000) {
        EXPECT_EQ(cached.misses(), first_misses) << name;
      }
    }
  }
}

}  // namespace
}  // namespace conpole
