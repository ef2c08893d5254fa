#include "search/lockstep.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "search/asked_ahead.h"
#include "search/beam_search.h"
#include "search/run_search.h"
#include "search/scorers.h"
#include "tests/search_fixtures.h"
#include "util/hash.h"

namespace conpole {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> Problems(const Domain& domain, std::uint64_t count) {
  std::vector<std::string> problems;
  for (std::uint64_t seed = 0; seed < count; ++seed) problems.push_back(domain.Generate(seed));
  return problems;
}

float HashScore(std::string_view parent, std::string_view candidate) {
  return static_cast<float>(MixHash(HashText(parent), HashText(candidate)) >> 40) * 0x1p-24F;
}

// Small enough to run all of them on all domains.
std::vector<SearchOptions> GuidedSearches() {
  SearchOptions base;
  base.greedy.max_steps = 12;
  base.beam.width = 4;
  base.beam.max_steps = 6;
  base.best_first = {1.0, 7, 60};
  base.levin = {3, 60};
  std::vector<SearchOptions> all;
  base.kind = SearchKind::kGreedy;
  all.push_back(base);
  base.kind = SearchKind::kBestFirst;
  all.push_back(base);
  base.kind = SearchKind::kLevin;
  all.push_back(base);
  base.kind = SearchKind::kBeam;
  for (const BeamValue value : {BeamValue::kSumOfScores, BeamValue::kLastScore, BeamValue::kLogProbability}) {
    base.beam.value = value;
    all.push_back(base);
  }
  return all;
}

class AnyDomainTest : public testing::TestWithParam<const DomainType*> {
 protected:
  std::unique_ptr<Domain> domain_ = MakeDomain(GetParam()->name);
};

INSTANTIATE_TEST_SUITE_P(Domains, AnyDomainTest, testing::ValuesIn(DomainTypes()), [](const auto& of) {
  std::string name = of.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(AnyDomainTest, ResultsDependNeitherOnThreadsNorOnProblemsInFlight) {
  const std::vector<std::string> problems = Problems(*domain_, 20);
  FunctionScorer scorer(ScoreMeaning::kLogPreference, HashScore);
  for (SearchOptions options : GuidedSearches()) {
    const std::vector<SearchResult> expected = SearchAll(*domain_, scorer, problems, options);
    for (const std::size_t threads : {1U, 2U, 4U}) {
      ThreadPool pool(threads);
      for (const std::size_t in_flight : {1U, 3U, 20U, 1024U}) {
        options.in_flight = in_flight;
        EXPECT_EQ(RunSearch(*domain_, scorer, problems, options, pool), expected)
            << threads << " threads, " << in_flight << " in flight, search " << static_cast<int>(options.kind);
      }
    }
  }
}

TEST_P(AnyDomainTest, ResultsDoNotDependOnTheOtherProblems) {
  const std::vector<std::string> problems = Problems(*domain_, 12);
  const std::vector<std::string> reversed(problems.rbegin(), problems.rend());
  std::vector<std::string> twice = problems;
  twice.insert(twice.end(), problems.begin(), problems.end());
  FunctionScorer scorer(ScoreMeaning::kLogPreference, HashScore);
  for (const SearchOptions& options : GuidedSearches()) {
    const std::vector<SearchResult> together = SearchAll(*domain_, scorer, problems, options);
    const std::vector<SearchResult> backwards = SearchAll(*domain_, scorer, reversed, options);
    const std::vector<SearchResult> doubled = SearchAll(*domain_, scorer, twice, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      EXPECT_EQ(SearchOne(*domain_, scorer, problems[i], options), together[i]) << problems[i];
      EXPECT_EQ(backwards[problems.size() - 1 - i], together[i]) << problems[i];
      EXPECT_EQ(doubled[i], together[i]) << problems[i];
      EXPECT_EQ(doubled[problems.size() + i], together[i]) << problems[i];
    }
  }
}

// Lists nothing itself, but has a domain that does, for what it was asked ahead.
class AskedDomain final : public Domain, public AskedAhead {
 public:
  explicit AskedDomain(const Domain& domain) : Domain(domain.type(), domain.parameters()), domain_(domain) {}

  std::string Generate(std::uint64_t seed) const override { return domain_.Generate(seed); }
  Status Expand(std::string_view, Labels, Successors&) const override { throw std::runtime_error("was not asked ahead"); }
  bool Solved(std::string_view state) const override { return domain_.Solved(state); }
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }
  std::unique_ptr<const Domain> Ask(std::span<const std::string_view> states, bool, const StopToken&) const override {
    asked_.push_back(states.size());
    return MakeDomain(domain_.Spec());
  }

  // How many states it was asked about each time.
  const std::vector<std::size_t>& asked() const { return asked_; }

 private:
  const Domain& domain_;
  mutable std::vector<std::size_t> asked_;
};

TEST_P(AnyDomainTest, AllThatARoundAsksIsAskedAheadAtOnce) {
  const std::vector<std::string> problems = Problems(*domain_, 12);
  FunctionScorer scorer(ScoreMeaning::kLogPreference, HashScore);
  for (const SearchOptions& options : GuidedSearches()) {
    const AskedDomain asked(*domain_);
    const std::vector<SearchResult> results = SearchAll(asked, scorer, problems, options);
    EXPECT_EQ(results, SearchAll(*domain_, scorer, problems, options));
    std::uint64_t expanded = 0;
    for (const SearchResult& result : results) expanded += result.expanded;
    EXPECT_EQ(std::accumulate(asked.asked().begin(), asked.asked().end(), std::uint64_t{0}), expanded);
    EXPECT_LE(asked.asked().size(), 61U) << "rounds";
  }
}

TEST_P(AnyDomainTest, BreadthFirstSearchDoesNotDependOnThreads) {
  const std::vector<std::string> problems = Problems(*domain_, 20);
  FunctionScorer scorer(ScoreMeaning::kLogPreference, HashScore);
  SearchOptions options;
  options.kind = SearchKind::kBreadthFirst;
  options.breadth_first.max_edges = 2000;
  const std::vector<SearchResult> expected = SearchAll(*domain_, scorer, problems, options);
  for (const std::size_t threads : {2U, 4U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(RunSearch(*domain_, scorer, problems, options, pool), expected) << threads;
  }
}

TEST_P(AnyDomainTest, HandingOverDistinctTextsChangesNothing) {
  const std::vector<std::string> problems = Problems(*domain_, 12);
  for (const SearchOptions& options : GuidedSearches()) {
    FunctionScorer distinct(ScoreMeaning::kLogPreference, HashScore, true);
    FunctionScorer repeated(ScoreMeaning::kLogPreference, HashScore, false);
    ThreadPool pool(2);
    EXPECT_EQ(RunSearch(*domain_, distinct, problems, options, pool), RunSearch(*domain_, repeated, problems, options, pool));
    ASSERT_EQ(distinct.calls().size(), repeated.calls().size());
    for (std::size_t i = 0; i < distinct.calls().size(); ++i) {
      const FunctionScorer::Call& call = distinct.calls()[i];
      EXPECT_EQ(call.pairs, repeated.calls()[i].pairs);
      EXPECT_EQ(std::set<std::string>(call.texts.begin(), call.texts.end()).size(), call.texts.size());
      // Nothing is handed over that no pair asks about.
      std::set<std::string> used;
      for (const auto& [parent, candidate] : call.pairs) {
        used.insert(parent);
        used.insert(candidate);
      }
      EXPECT_EQ(used.size(), call.texts.size());
    }
  }
}

TEST(LockstepTest, OneBatchPerRoundHoldsTheCandidatesOfAllSearches) {
  // From S and from T the same states are reached; U is solved at once.
  const GraphDomain domain({{"S", {"A", "B"}}, {"T", {"B", "C"}}, {"U", {"G"}}, {"A", {"D"}}, {"B", {"D", "E"}}, {"C", {"D"}}});
  const std::vector<std::string> problems{"S", "T", "U"};
  FunctionScorer scorer = EdgeScorer({});
  SearchAll(domain, scorer, problems, {});
  ASSERT_EQ(scorer.calls().size(), 2U);
  EXPECT_EQ(scorer.calls()[0].pairs, (Pairs{{"S", "A"}, {"S", "B"}, {"T", "B"}, {"T", "C"}}));
  EXPECT_EQ(scorer.calls()[0].texts.size(), 5U);
  Pairs second = scorer.calls()[1].pairs;  // the order of the searches in a batch is not promised
  std::sort(second.begin(), second.end());
  EXPECT_EQ(second, (Pairs{{"A", "D"}, {"B", "D"}, {"B", "E"}, {"B", "E"}}));
}

TEST(LockstepTest, NoProblemsAreNoWork) {
  const GraphDomain domain(GraphDomain::Edges{});
  FunctionScorer scorer = EdgeScorer({});
  EXPECT_TRUE(SearchAll(domain, scorer, {}, {}).empty());
  EXPECT_TRUE(scorer.calls().empty());
}

TEST(LockstepTest, FinishedIsCalledOncePerProblem) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  const std::vector<std::string> problems = Problems(*domain, 30);
  FunctionScorer scorer(ScoreMeaning::kLogPreference, HashScore);
  for (const SearchKind kind :
       {SearchKind::kGreedy, SearchKind::kBreadthFirst, SearchKind::kBeam, SearchKind::kBestFirst, SearchKind::kLevin}) {
    SearchOptions options;
    options.kind = kind;
    options.breadth_first.max_edges = 1000;
    options.best_first.max_expanded = 200;
    options.levin.max_expanded = 200;
    options.in_flight = 4;
    ThreadPool pool(2);
    std::vector<SearchResult> reported(problems.size());
    std::vector<int> calls(problems.size());
    const std::vector<SearchResult> results =
        RunSearch(*domain, scorer, problems, options, pool, [&](std::size_t i, const SearchResult& result) {
          ++calls[i];
          reported[i] = result;
        });
    EXPECT_EQ(calls, std::vector<int>(problems.size(), 1));
    EXPECT_EQ(reported, results);
  }
}

TEST(LockstepTest, TheFlagStopsAllSearchesAndKeepsWhatIsDone) {
  GraphDomain::Edges edges{{"short", {"G"}}};
  for (int i = 0; i < 1000; ++i) edges["n" + std::to_string(i)] = {"n" + std::to_string(i + 1)};
  const GraphDomain domain(std::move(edges));
  const std::vector<std::string> problems{"n0", "short", "n1", "n2"};
  std::atomic<bool> stop = false;
  int rounds = 0;
  FunctionScorer scorer(ScoreMeaning::kLogPreference, [&](std::string_view, std::string_view) {
    if (++rounds == 5) stop = true;
    return 0.0F;
  });
  SearchOptions options;
  options.beam.max_steps = 1'000'000;
  options.in_flight = 2;
  options.stop = &stop;
  const std::vector<SearchResult> results = SearchAll(domain, scorer, problems, options);
  EXPECT_EQ(results[0].outcome, SearchOutcome::kInterrupted);
  EXPECT_GT(results[0].expanded, 0U);
  EXPECT_EQ(results[1], (SearchResult{SearchOutcome::kSolved, {"short", "G"}, 1, 1}));
  EXPECT_EQ(results[2].outcome, SearchOutcome::kInterrupted);
  EXPECT_EQ(results[3], (SearchResult{SearchOutcome::kInterrupted, {}, 0, 0}));  // its turn never came
}

TEST(LockstepTest, AnExceptionOfTheScorerIsPassedOn) {
  const std::unique_ptr<Domain> domain = MakeDomain("fractions");
  FunctionScorer scorer(ScoreMeaning::kLogPreference,
                        [](std::string_view, std::string_view) -> float { throw std::runtime_error("no network"); });
  EXPECT_THROW(SearchAll(*domain, scorer, Problems(*domain, 3), {}), std::runtime_error);
}

}  // namespace
}  // namespace conpole
