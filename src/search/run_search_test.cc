#include "search/run_search.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "search/beam_search.h"
#include "search/lockstep.h"
#include "tests/files.h"
#include "tests/search_fixtures.h"
#include "util/hash.h"

namespace conpole {
namespace {

constexpr ScoreMeaning kMeanings[] = {ScoreMeaning::kLogPreference, ScoreMeaning::kLogOdds, ScoreMeaning::kMinusStepsToGo,
                                      ScoreMeaning::kRank};

TEST(RunSearchTest, SearchesAreKnownByName) {
  EXPECT_EQ(SearchKindOf("greedy"), SearchKind::kGreedy);
  EXPECT_EQ(SearchKindOf("bfs"), SearchKind::kBreadthFirst);
  EXPECT_EQ(SearchKindOf("beam"), SearchKind::kBeam);
  EXPECT_EQ(SearchKindOf("bwas"), SearchKind::kBestFirst);
  EXPECT_EQ(SearchKindOf("levin"), SearchKind::kLevin);
  try {
    SearchKindOf("dfs");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown search 'dfs'; there are: greedy, bfs, beam, bwas, levin");
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
  refused(SearchKind::kLevin, [](SearchOptions& options) { options.levin.batch = 0; });
  refused(SearchKind::kBestFirst, [](SearchOptions& options) { options.best_first.weight = -1; });
  refused(SearchKind::kBestFirst, [](SearchOptions& options) { options.best_first.weight = std::nan(""); });
}

std::string ErrorOfSearch(ScoreMeaning meaning, SearchKind kind, std::optional<BeamValue> value = {}) {
  const GraphDomain domain({{"S", {"A", "G"}}});
  FunctionScorer scorer = EdgeScorer({}, meaning);
  SearchOptions options;
  options.kind = kind;
  options.beam.value = value;
  return ErrorOf([&] { SearchOne(domain, scorer, "S", options); });
}

TEST(RunSearchTest, GreedyAndBreadthFirstTakeAnyScores) {
  for (const ScoreMeaning meaning : kMeanings) {
    EXPECT_EQ(ErrorOfSearch(meaning, SearchKind::kGreedy), "no error");
    EXPECT_EQ(ErrorOfSearch(meaning, SearchKind::kBreadthFirst), "no error");
  }
}

TEST(RunSearchTest, OnlyLogPreferencesAreAddedInABeam) {
  for (const ScoreMeaning meaning : kMeanings) {
    EXPECT_EQ(ErrorOfSearch(meaning, SearchKind::kBeam), "no error");
    EXPECT_EQ(ErrorOfSearch(meaning, SearchKind::kBeam, BeamValue::kLastScore), "no error");
    for (const BeamValue value : {BeamValue::kSumOfScores, BeamValue::kLogProbability}) {
      EXPECT_EQ(
          ErrorOfSearch(meaning, SearchKind::kBeam, value),
          meaning == ScoreMeaning::kLogPreference
              ? "no error"
              : "the beam values sum and log-probability need scores that are log-preferences, and these are of the kind " +
                    std::string(ScoreMeaningName(meaning)) + "; use the beam value last");
    }
  }
}

TEST(RunSearchTest, TheBeamValueFollowsTheMeaningIfItIsNotGiven) {
  EXPECT_EQ(BeamValueFor({}, ScoreMeaning::kLogPreference), BeamValue::kSumOfScores);
  for (const ScoreMeaning meaning : {ScoreMeaning::kLogOdds, ScoreMeaning::kMinusStepsToGo, ScoreMeaning::kRank}) {
    EXPECT_EQ(BeamValueFor({}, meaning), BeamValue::kLastScore);
  }
}

TEST(RunSearchTest, BestFirstTakesWhatCanBeAddedToSteps) {
  EXPECT_EQ(ErrorOfSearch(ScoreMeaning::kLogPreference, SearchKind::kBestFirst), "no error");
  EXPECT_EQ(ErrorOfSearch(ScoreMeaning::kMinusStepsToGo, SearchKind::kBestFirst), "no error");
  for (const ScoreMeaning meaning : {ScoreMeaning::kLogOdds, ScoreMeaning::kRank}) {
    EXPECT_EQ(ErrorOfSearch(meaning, SearchKind::kBestFirst),
              "bwas adds scores to steps: it can use log-preferences and steps to go, and these scores are of the kind " +
                  std::string(ScoreMeaningName(meaning)) + "; use beam or greedy, or another scorer");
  }
}

TEST(RunSearchTest, LevinTakesLogPreferencesOnly) {
  EXPECT_EQ(ErrorOfSearch(ScoreMeaning::kLogPreference, SearchKind::kLevin), "no error");
  for (const ScoreMeaning meaning : {ScoreMeaning::kLogOdds, ScoreMeaning::kMinusStepsToGo, ScoreMeaning::kRank}) {
    EXPECT_EQ(ErrorOfSearch(meaning, SearchKind::kLevin),
              "levin goes by the probabilities of paths: it can use log-preferences, and these scores are of the kind " +
                  std::string(ScoreMeaningName(meaning)) + "; use beam or greedy, or another scorer");
  }
}

// A tree without an end in which each state has ten successors. The flag is set after a number of expansions: nothing here
// depends on how fast the machine is.
class EndlessDomain final : public Domain {
 public:
  explicit EndlessDomain(std::uint64_t stop_after) : Domain(Type(), {}), stop_after_(stop_after) {}

  std::string Generate(std::uint64_t) const override { return "0"; }
  Status Expand(std::string_view state, Labels, Successors& out) const override {
    if (++expanded_ == stop_after_) stop_ = true;
    for (char digit = '0'; digit <= '9'; ++digit) {
      char* const next = WriteText(out.BeginState(state.size() + 1), state);
      *next = digit;
      out.EndState(next + 1);
    }
    return Status::kOpen;
  }
  bool Solved(std::string_view) const override { return false; }
  Parsed Parse(std::string_view text) const override { return {std::string(text), std::nullopt}; }

  std::atomic<bool>& stop() const { return stop_; }
  std::uint64_t expanded() const { return expanded_; }

 private:
  static const DomainType& Type() {
    static const DomainType type{"endless", "a tree without an end", {}, {}, nullptr};
    return type;
  }

  std::uint64_t stop_after_;
  mutable std::uint64_t expanded_ = 0;
  mutable std::atomic<bool> stop_ = false;
};

float NoScore(std::string_view, std::string_view) { return 0; }
float CandidateScore(std::string_view, std::string_view candidate) { return static_cast<float>(HashText(candidate) % 1000); }

TEST(RunSearchTest, EverySearchStopsInTheMiddleOfARound) {
  // Wide searches have expanded 1111 states then, and would expand 10,000 in the next round.
  constexpr std::uint64_t kStopAfter = 5000;
  for (const SearchKind kind : {SearchKind::kBreadthFirst, SearchKind::kBeam, SearchKind::kBestFirst, SearchKind::kLevin}) {
    const EndlessDomain domain(kStopAfter);
    FunctionScorer scorer(ScoreMeaning::kLogPreference, NoScore);
    SearchOptions options;
    options.kind = kind;
    options.beam.width = 1'000'000;
    options.best_first.batch = 1'000'000;
    options.best_first.max_expanded = UINT64_MAX;
    options.levin = {.batch = 1'000'000, .max_expanded = UINT64_MAX};
    options.breadth_first.max_edges = UINT64_MAX;
    options.stop = &domain.stop();
    const SearchResult result = SearchOne(domain, scorer, "0", options);
    EXPECT_EQ(result.outcome, SearchOutcome::kInterrupted);
    EXPECT_EQ(result.expanded, kStopAfter) << static_cast<int>(kind);
    EXPECT_EQ(domain.expanded(), kStopAfter);
  }
}

TEST(RunSearchTest, ADeadlineStopsASearchInTheMiddleOfARound) {
  const EndlessDomain domain(UINT64_MAX);
  FunctionScorer scorer(ScoreMeaning::kLogPreference, NoScore);
  SearchOptions options;
  options.beam.width = 1'000'000;
  options.stop = StopToken().Or([&] { return domain.expanded() > 5000; });
  const SearchResult result = SearchOne(domain, scorer, "0", options);
  EXPECT_EQ(result.outcome, SearchOutcome::kInterrupted);
  EXPECT_LT(result.expanded, 5100U);  // it is asked at least once in 64 expansions
  options.stop = StopToken().Or(StopToken::Clock::now());
  EXPECT_EQ(SearchOne(domain, scorer, "0", options), (SearchResult{SearchOutcome::kInterrupted, {}, 0, 0}));
}

// Choosing among millions takes seconds.
TEST(RunSearchTest, ABeamStopsWhileItChooses) {
  const EndlessDomain domain(UINT64_MAX);
  BeamSearch search(domain, "0", {.width = 1'000'000, .max_steps = 30, .value = {}});
  std::atomic<bool> stop = false;
  search.StopWhen(&stop);
  Successors buffer;
  std::vector<float> scores;
  while (scores.size() < 100'000) {
    if (!scores.empty()) search.Select(domain, scores);
    search.Expand(domain, buffer);
    scores.clear();
    for (StateTable::Id id = search.first_candidate(); id < search.states().size(); ++id) {
      scores.push_back(CandidateScore({}, search.states()[id].text()));
    }
  }
  stop = true;
  search.Select(domain, scores);
  EXPECT_TRUE(search.stopped());
  EXPECT_FALSE(search.finished());
}

// Scores each piece as if it were a batch of its own, and asks to stop after some of them.
class PiecewiseScorer final : public Scorer {
 public:
  explicit PiecewiseScorer(int stop_after) : stop_after_(stop_after) {}

  ScoreMeaning meaning() const override { return ScoreMeaning::kLogPreference; }
  std::size_t CharactersAtATime() const override { return 100; }
  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      const std::string_view parent = batch.texts[batch.pairs[i].parent];
      const std::string_view candidate = batch.texts[batch.pairs[i].candidate];
      characters += candidate.size();
      EXPECT_EQ(candidate.substr(0, candidate.size() - 1), parent);
      EXPECT_EQ(batch.hashes[batch.pairs[i].candidate], HashText(candidate));
      scores[i] = CandidateScore(parent, candidate);
    }
    EXPECT_LE(characters, 110U);
    EXPECT_EQ(std::set(batch.texts.begin(), batch.texts.end()).size(), batch.texts.size());
    if (++pieces_ == stop_after_) stop_ = true;
  }

  int pieces() const { return pieces_; }
  const std::atomic<bool>& stop() const { return stop_; }

 private:
  int stop_after_;
  int pieces_ = 0;
  std::atomic<bool> stop_ = false;
};

std::vector<std::string> StatesOfBeam(Scorer& scorer, StopToken stop) {
  const EndlessDomain domain(UINT64_MAX);
  const std::string problem = "0";
  const BeamOptions beam{.width = 50, .max_steps = 5, .value = BeamValue::kLastScore};
  std::vector<std::string> states;
  LockstepOptions lockstep;
  lockstep.stop = std::move(stop);
  lockstep.finished = [&](std::size_t, const GuidedSearch& search) {
    for (StateTable::Id id = 0; id < search.states().size(); ++id) states.emplace_back(search.states()[id].text());
  };
  const MakeSearch make = [&](const Domain& of, const std::string& start, StateTable memory) {
    return std::make_unique<BeamSearch>(of, start, beam, std::move(memory));
  };
  ThreadPool pool(1);
  RunLockstep(domain, scorer, std::span(&problem, 1), make, pool, lockstep);
  return states;
}

TEST(RunSearchTest, LargeBatchesAreScoredInPiecesBetweenWhichASearchStops) {
  FunctionScorer whole(ScoreMeaning::kLogPreference, CandidateScore);
  PiecewiseScorer pieces(-1);
  EXPECT_EQ(StatesOfBeam(pieces, {}), StatesOfBeam(whole, {}));
  EXPECT_GT(pieces.pieces(), 20);
  PiecewiseScorer stopping(10);
  StatesOfBeam(stopping, &stopping.stop());
  EXPECT_EQ(stopping.pieces(), 10);
}

}  // namespace
}  // namespace conpole
