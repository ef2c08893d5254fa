#include "search/best_first.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/search_fixtures.h"

namespace conpole {
namespace {

SearchOptions Bwas(std::size_t batch, double weight = 1, std::uint64_t max_expanded = 100'000) {
  SearchOptions options;
  options.kind = SearchKind::kBestFirst;
  options.best_first = {weight, batch, max_expanded};
  return options;
}

std::size_t Count(const Path& path, const std::string& state) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), state));
}

// C is reached first by the three steps over L and M, which look cheap, and then by the two over N, which looks as far as it
// is.
TEST(BestFirstTest, AStateThatIsReachedByFewerStepsIsOpenedAgain) {
  for (const std::size_t batch : {1U, 2U, 3U, 100U}) {
    const GraphDomain domain(
        {{"S", {"L", "N"}}, {"L", {"M"}}, {"M", {"C"}}, {"N", {"C"}}, {"C", {"D"}}, {"D", {"E"}}, {"E", {"G"}}});
    FunctionScorer scorer = CostScorer({{"N", 4}});
    const SearchResult result = SearchOne(domain, scorer, "S", Bwas(batch));
    EXPECT_EQ(result.path, (Path{"S", "N", "C", "D", "E", "G"})) << batch;
    if (batch == 1) {
      EXPECT_EQ(Count(domain.expanded(), "C"), 2U);
    }
  }
}

// C waits when the shorter way to it is found; D is opened later than C on the longer way would be.
TEST(BestFirstTest, AStateThatIsReachedAgainWhileItWaitsIsOpenedOnce) {
  const GraphDomain domain({{"S", {"L", "N"}}, {"L", {"M"}}, {"M", {"C"}}, {"N", {"C"}}, {"C", {"D"}}, {"D", {"G"}}});
  FunctionScorer scorer = CostScorer({{"N", 4}, {"C", 5}, {"D", 9}});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Bwas(1)).path, (Path{"S", "N", "C", "D", "G"}));
  EXPECT_EQ(domain.expanded(), (Path{"S", "L", "M", "N", "C", "D"}));
}

// P and Q, which are opened together, both lead to C.
TEST(BestFirstTest, AStateThatIsReachedTwiceInOneRoundIsOpenedOnce) {
  const GraphDomain domain(
      {{"S", {"A", "X", "Q"}}, {"A", {"P"}}, {"P", {"C"}}, {"Q", {"C"}}, {"C", {"D"}}, {"D", {"E"}}, {"E", {"G"}}});
  FunctionScorer scorer = CostScorer({{"Q", 5}, {"C", 3}});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Bwas(2)).path, (Path{"S", "Q", "C", "D", "E", "G"}));
  EXPECT_EQ(domain.expanded(), (Path{"S", "A", "X", "P", "Q", "C", "D", "E"}));
}

TEST(BestFirstTest, OfEquallyShortWaysTheFirstStays) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C"}}, {"B", {"C"}}, {"C", {"D"}}, {"D", {"G"}}});
  FunctionScorer scorer = CostScorer({{"C", 3}});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Bwas(1)).path, (Path{"S", "A", "C", "D", "G"}));
  EXPECT_EQ(domain.expanded(), (Path{"S", "A", "B", "C", "D"}));
}

// The solution of five steps over A to D is found while N, on the one of four steps, is still open; X keeps the batch busy.
TEST(BestFirstTest, GoesOnUntilNoOpenStateCanBeatTheSolution) {
  const GraphDomain::Edges edges{{"S", {"A", "X1", "M"}},
                                 {"A", {"B"}},
                                 {"B", {"C"}},
                                 {"C", {"D"}},
                                 {"D", {"G"}},
                                 {"M", {"N"}},
                                 {"N", {"O"}},
                                 {"O", {"G"}},
                                 {"X1", {"X2"}},
                                 {"X2", {"X3"}},
                                 {"X3", {"X4"}}};
  const auto scorer = [] { return CostScorer({{"M", 3}, {"N", 2}, {"O", 1}}); };
  for (const std::size_t batch : {1U, 2U, 3U, 4U, 100U}) {
    FunctionScorer costs = scorer();
    EXPECT_EQ(SearchOne(GraphDomain(edges), costs, "S", Bwas(batch)).path, (Path{"S", "M", "N", "O", "G"})) << batch;
  }
  // Cut off in between, the solution found so far counts: that is the longer one.
  FunctionScorer costs = scorer();
  const SearchResult cut_off = SearchOne(GraphDomain(edges), costs, "S", Bwas(2, 1, 9));
  EXPECT_EQ(cut_off, (SearchResult{SearchOutcome::kSolved, {"S", "A", "B", "C", "D", "G"}, 9, 11}));
}

// In the round that finds G over L, M, C and D, the shorter way to C over N is found too: it is part of the solution at once.
TEST(BestFirstTest, ASolutionImprovesWithTheStatesOnItsPath) {
  const GraphDomain::Edges edges{
      {"S", {"L", "X1", "N"}}, {"L", {"M"}},   {"M", {"C"}},  {"N", {"C"}}, {"C", {"D"}}, {"D", {"G"}},
      {"X1", {"X2"}},          {"X2", {"X3"}}, {"X3", {"X4"}}};
  for (const std::uint64_t max_expanded : {9U, 1000U}) {
    FunctionScorer scorer = CostScorer({{"N", 3}});
    EXPECT_EQ(SearchOne(GraphDomain(edges), scorer, "S", Bwas(2, 1, max_expanded)).path, (Path{"S", "N", "C", "D", "G"}));
  }
}

TEST(BestFirstTest, TheWeightIsThatOfTheStepsSoFar) {
  // With weight 0 only the estimate counts, and it leads over A and B; with weight 1 the direct way is proven shorter.
  const GraphDomain::Edges edges{{"S", {"A", "N"}}, {"A", {"B"}}, {"B", {"G"}}, {"N", {"G"}}};
  FunctionScorer scorer = CostScorer({{"N", 1}});
  EXPECT_EQ(SearchOne(GraphDomain(edges), scorer, "S", Bwas(1, 0)).path, (Path{"S", "A", "B", "G"}));
  EXPECT_EQ(SearchOne(GraphDomain(edges), scorer, "S", Bwas(1, 1)).path, (Path{"S", "N", "G"}));
}

// p(A) = 3/4, p(B) = 1/4; among the new successors of A: p(C) = 9/10, p(D) = 1/10. So h is 0.288, 1.386, 0.393 and 2.590.
TEST(BestFirstTest, WithPreferencesTheEstimateIsTheSurpriseOfThePath) {
  const GraphDomain::Edges edges{{"S", {"A", "B"}}, {"A", {"S", "C", "D"}}, {"B", {"G"}}, {"D", {"E"}}};
  const auto scorer = [] { return EdgeScorer({{"S A", std::log(3.0F)}, {"A C", std::log(9.0F)}, {"A S", 20.0F}}); };
  {
    const GraphDomain domain(edges);
    FunctionScorer preferences = scorer();
    EXPECT_EQ(SearchOne(domain, preferences, "S", Bwas(1, 0)).path, (Path{"S", "B", "G"}));
    EXPECT_EQ(domain.expanded(), (Path{"S", "A", "C", "B"}));
  }
  {
    // f is 1.288 for A, 2.386 for B, 2.393 for C.
    const GraphDomain domain(edges);
    FunctionScorer preferences = scorer();
    EXPECT_EQ(SearchOne(domain, preferences, "S", Bwas(1, 1)).path, (Path{"S", "B", "G"}));
    EXPECT_EQ(domain.expanded(), (Path{"S", "A", "B"}));
  }
  {
    // A hundredth of a step less between them lets C go first again.
    const GraphDomain domain(edges);
    FunctionScorer preferences = scorer();
    EXPECT_EQ(SearchOne(domain, preferences, "S", Bwas(1, 0.98)).path, (Path{"S", "B", "G"}));
    EXPECT_EQ(domain.expanded(), (Path{"S", "A", "C", "B"}));
  }
}

TEST(BestFirstTest, WithPreferencesAStateKeepsItsFirstParent) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C"}}, {"C", {"D"}}, {"B", {"D"}}, {"D", {"G"}}});
  FunctionScorer scorer = EdgeScorer({{"S A", 10}});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Bwas(1, 0)).path, (Path{"S", "A", "C", "D", "G"}));
}

TEST(BestFirstTest, SaysWhetherNothingOrNoBudgetWasLeft) {
  const GraphDomain domain({{"S", {"A", "B"}}, {"A", {"C"}}});
  FunctionScorer scorer = CostScorer({});
  EXPECT_EQ(SearchOne(domain, scorer, "S", Bwas(1)), (SearchResult{SearchOutcome::kExhausted, {}, 4, 3}));
  EXPECT_EQ(SearchOne(domain, scorer, "S", Bwas(1, 1, 2)), (SearchResult{SearchOutcome::kOutOfBudget, {}, 2, 3}));
  EXPECT_EQ(SearchOne(domain, scorer, "S", Bwas(1, 1, 1)), (SearchResult{SearchOutcome::kOutOfBudget, {}, 1, 2}));
  EXPECT_EQ(SearchOne(domain, scorer, "G", Bwas(1)), (SearchResult{SearchOutcome::kSolved, {"G"}, 0, 0}));
}

TEST(BestFirstTest, ABatchDoesNotExceedTheBudget) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube:min_moves=19");
  FunctionScorer scorer = CostScorer({});
  for (const std::uint64_t max_expanded : {0U, 1U, 2U, 7U, 50U}) {
    const SearchResult result = SearchOne(*domain, scorer, domain->Generate(0), Bwas(20, 1, max_expanded));
    EXPECT_EQ(result.outcome, SearchOutcome::kOutOfBudget);
    EXPECT_EQ(result.expanded, max_expanded);
  }
}

}  // namespace
}  // namespace conpole
