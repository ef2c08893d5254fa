#include "search/breadth_first.h"

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/repetitions.h"
#include "tests/search_fixtures.h"

namespace conpole {
namespace {

// S -> A, B; A -> C, D, S; B -> D, G; C -> G. Seen in order: S A B C D G.
GraphDomain Diamond() {
  return GraphDomain({{"S", {"A", "B"}}, {"A", {"C", "D", "S"}}, {"B", {"D", "G"}}, {"C", {"G"}}, {"D", {"A"}}});
}

TEST(BreadthFirstTest, FindsAShortestSolutionAndCountsEveryEdgeOnce) {
  const GraphDomain domain = Diamond();
  const SearchResult result = BreadthFirstSearch(domain, "S", {});
  EXPECT_EQ(result, (SearchResult{SearchOutcome::kSolved, {"S", "B", "G"}, 3, 7}));
  EXPECT_EQ(result.steps(), 2U);
  EXPECT_EQ(domain.expanded(), (Path{"S", "A", "B"}));
}

TEST(BreadthFirstTest, ASolvedSuccessorMayHaveToWaitForItsTurn) {
  const GraphDomain domain = Diamond();
  const SearchResult result = BreadthFirstSearch(domain, "S", {1'000'000, false, nullptr});
  EXPECT_EQ(result, (SearchResult{SearchOutcome::kSolved, {"S", "B", "G"}, 5, 9}));
  EXPECT_EQ(domain.expanded(), (Path{"S", "A", "B", "C", "D"}));
}

TEST(BreadthFirstTest, ASolvedProblemIsItsOwnSolution) {
  for (const bool take_solved : {true, false}) {
    const SearchResult result = BreadthFirstSearch(Diamond(), "G", {0, take_solved, nullptr});
    EXPECT_EQ(result, (SearchResult{SearchOutcome::kSolved, {"G"}, 0, 0}));
    EXPECT_EQ(result.steps(), 0U);
  }
}

TEST(BreadthFirstTest, EdgesNeverExceedTheBudget) {
  for (std::uint64_t budget = 0; budget <= 12; ++budget) {
    for (const bool take_solved : {true, false}) {
      const SearchResult result = BreadthFirstSearch(Diamond(), "S", {budget, take_solved, nullptr});
      // The goal is the seventh edge; two more come before its own turn.
      const std::uint64_t needed = take_solved ? 7 : 10;
      EXPECT_EQ(result.solved(), budget >= needed) << budget;
      EXPECT_EQ(result.edges, take_solved ? std::min<std::uint64_t>(budget, 7) : std::min<std::uint64_t>(budget, 9)) << budget;
      if (!result.solved()) {
        EXPECT_EQ(result.outcome, SearchOutcome::kOutOfBudget) << budget;
        EXPECT_TRUE(result.path.empty());
      }
    }
  }
}

TEST(BreadthFirstTest, ExhaustedMeansThatEveryReachableStateWasSeen) {
  const GraphDomain domain({{"S", {"A", "S"}}, {"A", {"S", "B"}}});
  EXPECT_EQ(BreadthFirstSearch(domain, "S", {}), (SearchResult{SearchOutcome::kExhausted, {}, 3, 4}));
  EXPECT_EQ(BreadthFirstSearch(domain, "S", {4, true, nullptr}).outcome, SearchOutcome::kOutOfBudget);
  EXPECT_EQ(BreadthFirstSearch(domain, "S", {5, true, nullptr}).outcome, SearchOutcome::kExhausted);
  EXPECT_EQ(BreadthFirstSearch(domain, "nowhere", {}), (SearchResult{SearchOutcome::kExhausted, {}, 1, 0}));
}

TEST(BreadthFirstTest, ABudgetThatEndsAmongKnownSuccessorsDoesNotLookExhausted) {
  const GraphDomain domain(GraphDomain::Edges{{"S", {"S", "S", "G"}}});
  EXPECT_EQ(BreadthFirstSearch(domain, "S", {2, true, nullptr}), (SearchResult{SearchOutcome::kOutOfBudget, {}, 1, 2}));
  EXPECT_TRUE(BreadthFirstSearch(domain, "S", {3, true, nullptr}).solved());
}

TEST(BreadthFirstTest, TheFlagStopsIt) {
  // A chain without an end, as far as the search can tell.
  GraphDomain::Edges edges;
  for (int i = 0; i < Repetitions(100'000, 10'000); ++i) edges[std::to_string(i)] = {std::to_string(i + 1)};
  const GraphDomain domain(std::move(edges));
  std::atomic<bool> stop = true;
  const SearchResult result = BreadthFirstSearch(domain, "0", {1'000'000, true, &stop});
  EXPECT_EQ(result.outcome, SearchOutcome::kInterrupted);
  EXPECT_TRUE(result.path.empty());
  EXPECT_LT(result.expanded, 1000U);
  stop = false;
  EXPECT_EQ(BreadthFirstSearch(domain, "0", {1'000'000, true, &stop}).outcome, SearchOutcome::kExhausted);
}

}  // namespace
}  // namespace conpole
