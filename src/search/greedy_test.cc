#include "conpole/run_search.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/search_fixtures.h"

namespace conpole {
namespace {

SearchOptions Greedy(std::size_t max_steps = GreedyOptions().max_steps) {
  SearchOptions options;
  options.kind = SearchKind::kGreedy;
  options.greedy.max_steps = max_steps;
  return options;
}

TEST(GreedyTest, FollowsTheHighestScoreAmongNewStates) {
  // From A the best successor is S, which was met before.
  const GraphDomain domain({{"S", {"B", "A"}}, {"A", {"S", "C", "G"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", 1}, {"A S", 9}, {"A G", 2}});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Greedy()), (SearchResult{SearchOutcome::kSolved, {"S", "A", "G"}, 2, 5}));
}

TEST(GreedyTest, ASolvedSuccessorCountsOnlyIfItIsChosen) {
  const GraphDomain domain({{"S", {"G", "A"}}, {"A", {"G"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", 1}});
  // G was a candidate in the first step, so A leads nowhere.
  EXPECT_EQ(SearchOne(domain, scorer, "S", Greedy()), (SearchResult{SearchOutcome::kExhausted, {}, 2, 3}));
}

TEST(GreedyTest, OnlyTheLastScoreCounts) {
  const GraphDomain domain({{"S", {"A"}}, {"A", {"B", "C"}}, {"B", {"D"}}, {"C", {"G"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", -100}, {"A B", -3}, {"A C", -2}});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Greedy()).path, (Path{"S", "A", "C", "G"}));
}

TEST(GreedyTest, ThirtyStepsAreAllowedAndNoMore) {
  EXPECT_EQ(GreedyOptions().max_steps, 30U);
  GraphDomain::Edges edges;
  for (int i = 0; i < 40; ++i) edges[std::to_string(i)] = {std::to_string(i + 1)};
  FunctionScorer scorer = EdgeScorer({});
  const SearchResult at_limit = SearchOne(GraphDomain(edges, {"30"}), scorer, "0", Greedy());
  EXPECT_TRUE(at_limit.solved());
  EXPECT_EQ(at_limit.steps(), 30U);
  EXPECT_EQ(at_limit.expanded, 30U);
  EXPECT_EQ(SearchOne(GraphDomain(edges, {"31"}), scorer, "0", Greedy()),
            (SearchResult{SearchOutcome::kOutOfBudget, {}, 30, 30}));
  EXPECT_EQ(SearchOne(GraphDomain(edges, {"31"}), scorer, "0", Greedy(31)).steps(), 31U);
  EXPECT_EQ(SearchOne(GraphDomain(edges, {"1"}), scorer, "0", Greedy(0)),
            (SearchResult{SearchOutcome::kOutOfBudget, {}, 0, 0}));
}

}  // namespace
}  // namespace conpole
