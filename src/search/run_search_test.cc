#include "search/run_search.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "tests/search_fixtures.h"

namespace conpole {
namespace {

TEST(RunSearchTest, SearchesAreKnownByName) {
  EXPECT_EQ(SearchKindOf("greedy"), SearchKind::kGreedy);
  EXPECT_EQ(SearchKindOf("bfs"), SearchKind::kBreadthFirst);
  EXPECT_EQ(SearchKindOf("beam"), SearchKind::kBeam);
  EXPECT_EQ(SearchKindOf("bwas"), SearchKind::kBestFirst);
  try {
    SearchKindOf("dfs");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown search 'dfs'; there are: greedy, bfs, beam, bwas");
  }
}

TEST(RunSearchTest, BeamValuesAreKnownByName) {
  EXPECT_EQ(BeamValueOf("sum"), BeamValue::kSumOfScores);
  EXPECT_EQ(BeamValueOf("last"), BeamValue::kLastScore);
  EXPECT_EQ(BeamValueOf("log-probability"), BeamValue::kLogProbability);
  EXPECT_THROW(BeamValueOf("first"), Error);
}

TEST(RunSearchTest, EachKindRuns) {
  for (const SearchKind kind : {SearchKind::kGreedy, SearchKind::kBreadthFirst, SearchKind::kBeam, SearchKind::kBestFirst}) {
    const GraphDomain domain({{"S", {"A", "G"}}});
    FunctionScorer scorer = CostScorer({{"A", 5}});
    SearchOptions options;
    options.kind = kind;
    EXPECT_EQ(SearchOne(domain, scorer, "S", options), (SearchResult{SearchOutcome::kSolved, {"S", "G"}, 1, 2}));
  }
}

TEST(RunSearchTest, OptionsThatMakeNoSenseAreRefused) {
  const GraphDomain domain(GraphDomain::Edges{});
  FunctionScorer scorer = EdgeScorer({});
  const auto refused = [&](SearchKind kind, const std::function<void(SearchOptions&)>& change) {
    SearchOptions options;
    options.kind = kind;
    change(options);
    EXPECT_THROW(SearchOne(domain, scorer, "S", options), Error);
  };
  refused(SearchKind::kBeam, [](SearchOptions& options) { options.beam.width = 0; });
  refused(SearchKind::kBestFirst, [](SearchOptions& options) { options.best_first.batch = 0; });
  refused(SearchKind::kBestFirst, [](SearchOptions& options) { options.best_first.weight = -1; });
  refused(SearchKind::kBestFirst, [](SearchOptions& options) { options.best_first.weight = std::nan(""); });
}

}  // namespace
}  // namespace conpole
