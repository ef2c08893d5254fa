#include "search/packed_beam.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "search/endgame.h"
#include "search/packed_hash.h"
#include "search/packed_scorer.h"
#include "search/run_search.h"
#include "util/hash.h"

namespace conpole {
namespace {

const FixedLayout& Cube() {
  static const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  return *domain->type().layout;
}

std::vector<std::uint8_t> Walked(const std::vector<std::uint8_t>& actions) {
  std::vector<std::uint8_t> state = Cube().solved;
  std::vector<std::uint8_t> moved(state.size());
  for (const std::uint8_t action : actions) {
    MovePacked(Cube(), action, state.data(), moved.data());
    state.swap(moved);
  }
  return state;
}

// Knows the way from everywhere within the radius of an endgame, and something random elsewhere. Counts what it is asked.
class KnowingPolicy final : public PackedPolicy {
 public:
  explicit KnowingPolicy(const Endgame& known) : known_(known) {}

  std::size_t cells() const override { return Cube().cells; }
  std::size_t actions() const override { return Cube().actions(); }
  std::size_t StatesAtATime() const override { return 100; }
  void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
    std::vector<std::uint64_t> hashes(actions());
    for (std::size_t i = 0; i < states.size() / cells(); ++i) {
      const std::uint64_t own = known_.hash().Of(states.data() + i * cells());
      asked.push_back(own);
      known_.hash().OfSuccessors(states.data() + i * cells(), hashes.data());
      for (std::size_t action = 0; action < actions(); ++action) {
        const auto distance = known_.Distance(own);
        const bool closer = distance && known_.Distance(hashes[action]).value_or(99) < *distance;
        preferences[i * actions() + action] = closer ? 8.0F : static_cast<float>(MixHash(own, action) % 1000) / 1000.0F;
      }
    }
  }

  std::vector<std::uint64_t> asked;

 private:
  const Endgame& known_;
};

TEST(PackedHashTest, SuccessorsAreHashedWithoutBeingMade) {
  const PackedHash hash(Cube());
  std::vector<std::uint64_t> hashes(Cube().actions());
  std::vector<std::uint8_t> moved(Cube().cells);
  for (const auto& state : {Cube().solved, Walked({0}), Walked({3, 7, 1, 10, 4})}) {
    hash.OfSuccessors(state.data(), hashes.data());
    for (std::size_t action = 0; action < Cube().actions(); ++action) {
      MovePacked(Cube(), action, state.data(), moved.data());
      EXPECT_EQ(hashes[action], hash.Of(moved.data()));
    }
  }
}

// The numbers of cubes by their distance in quarter turns are known.
TEST(EndgameTest, HasAllStatesWithinItsRadius) {
  const std::size_t sums[] = {1, 13, 127, 1195, 11206, 105046};
  for (std::size_t radius = 0; radius <= 5; ++radius) {
    const Endgame endgame(Cube(), sums[radius]);
    EXPECT_EQ(endgame.radius(), radius);
    EXPECT_EQ(endgame.size(), sums[radius]);
    const Endgame one_less(Cube(), sums[radius] + 10);
    EXPECT_EQ(one_less.radius(), radius);
  }
}

TEST(EndgameTest, KnowsTheWay) {
  const Endgame endgame(Cube(), 11206);
  EXPECT_EQ(endgame.Path(Cube().solved), std::vector<std::uint8_t>{});
  EXPECT_EQ(endgame.Path(Walked({0, 4})), (std::vector<std::uint8_t>{10, 6}));
  EXPECT_EQ(endgame.Path(Walked({0, 0, 0})), std::vector<std::uint8_t>{0}) << "three quarters are one backwards";
  EXPECT_EQ(endgame.Path(Walked({0, 1, 2, 3, 4})), std::nullopt);
  std::vector<std::int64_t> hashes;
  std::vector<std::int64_t> distances;
  endgame.List(hashes, distances);
  EXPECT_TRUE(std::is_sorted(hashes.begin(), hashes.end()));
  EXPECT_EQ(hashes.size(), endgame.size());
  EXPECT_EQ(std::count(distances.begin(), distances.end(), 2), 114);
}

class PackedBeamTest : public testing::Test {
 protected:
  PackedResult Search(const std::vector<std::uint8_t>& scramble, PackedBeamOptions options, std::size_t threads = 2) {
    ThreadPool pool(threads);
    policy_.asked.clear();
    return CpuPackedBeam(solved_only_, policy_, pool).Search(Walked(scramble), options);
  }

  static bool Solves(const std::vector<std::uint8_t>& scramble, const std::vector<std::uint8_t>& actions) {
    std::vector<std::uint8_t> all = scramble;
    all.insert(all.end(), actions.begin(), actions.end());
    return Walked(all) == Cube().solved;
  }

  const std::vector<std::uint8_t> scramble_{0, 4, 8, 3, 1};
  Endgame solved_only_{Cube(), 1};
  Endgame known_{Cube(), 105046};
  KnowingPolicy policy_{known_};
};

TEST_F(PackedBeamTest, FollowsThePolicy) {
  const PackedResult result = Search(scramble_, {.width = 1});
  EXPECT_EQ(result.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(result.actions.size(), 5U);
  EXPECT_TRUE(Solves(scramble_, result.actions));
  EXPECT_EQ(result.evaluated, 5U);
  EXPECT_EQ(result.candidates, 60U);
}

TEST_F(PackedBeamTest, NothingIsAskedAboutTheEndgame) {
  ThreadPool pool(1);
  const PackedResult at_once = CpuPackedBeam(known_, policy_, pool).Search(Walked(scramble_), {});
  EXPECT_EQ(at_once.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(at_once.actions.size(), 5U);
  EXPECT_EQ(at_once.evaluated, 0U);
  EXPECT_TRUE(Search({}, {}).actions.empty());
  EXPECT_EQ(Search({}, {}).outcome, SearchOutcome::kSolved);
}

// Breadth-first search by a beam that is wide enough: every state comes once.
TEST_F(PackedBeamTest, StatesAreMetOnceAndTheLastTurnIsNotUndone) {
  const PackedResult result = Search({0, 4, 8, 3, 1, 2, 5, 9}, {.width = 20'000, .max_steps = 5});
  EXPECT_EQ(result.outcome, SearchOutcome::kOutOfBudget);
  EXPECT_EQ(result.evaluated, 1U + 12 + 114 + 1068 + 10011);
  EXPECT_EQ(std::set(policy_.asked.begin(), policy_.asked.end()).size(), policy_.asked.size());
}

TEST_F(PackedBeamTest, TheResultDoesNotDependOnThreads) {
  const std::vector<std::uint8_t> scramble{0, 4, 8, 3, 1, 2, 5};
  const PackedResult one = Search(scramble, {.width = 500}, 1);
  const PackedResult three = Search(scramble, {.width = 500}, 3);
  EXPECT_EQ(one.actions, three.actions);
  EXPECT_EQ(one.evaluated, three.evaluated);
}

TEST_F(PackedBeamTest, LimitsHold) {
  EXPECT_EQ(Search(scramble_, {.width = 4, .max_steps = 4}).outcome, SearchOutcome::kOutOfBudget);
  EXPECT_EQ(Search(scramble_, {.width = 4, .max_steps = 5}).outcome, SearchOutcome::kSolved);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(Search(scramble_, {.width = 4, .stop = &stop}).outcome, SearchOutcome::kInterrupted);
}

// From outside the endgame it takes more steps than its radius, so the last layers need not be asked about.
TEST_F(PackedBeamTest, WhatIsTooFarIsGivenUpEarly) {
  const Endgame near(Cube(), 127);  // the solved state and two steps: 1 + 12 + 114
  ASSERT_EQ(near.radius(), 2U);
  ThreadPool pool(1);
  const PackedResult result = CpuPackedBeam(near, policy_, pool).Search(Walked(scramble_), {.width = 4, .max_steps = 4});
  EXPECT_EQ(result.outcome, SearchOutcome::kOutOfBudget);
  EXPECT_EQ(result.evaluated, 1U + 4);
  const PackedResult solved = CpuPackedBeam(near, policy_, pool).Search(Walked(scramble_), {.width = 4, .max_steps = 5});
  EXPECT_EQ(solved.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(solved.actions.size(), 5U);
}

TEST(GrowingBeamsTest, TheLastBeamIsAsWideAsThereIsTimeFor) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  EXPECT_EQ(NextBeamWidth(256, 1, kNever), 1024U);
  EXPECT_EQ(NextBeamWidth(256, 1, 10), 1024U);
  EXPECT_EQ(NextBeamWidth(1000, 1, 2), 1800U);
  EXPECT_EQ(NextBeamWidth(1000, 1, 1.2), std::nullopt) << "it would hardly be wider";
  EXPECT_EQ(NextBeamWidth(1000, 1, 0), std::nullopt);
  EXPECT_EQ(NextBeamWidth(1000, 1, -1), std::nullopt);
  EXPECT_EQ(NextBeamWidth(1000, 0, 1), 4000U);
}

TEST_F(PackedBeamTest, WiderBeamsShortenWhatWasFound) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  // It makes the same turn over and over: three times the last one of the scramble undo it, where one would do.
  constexpr std::uint8_t kTurn = 5;
  class Stubborn final : public PackedPolicy {
   public:
    std::size_t cells() const override { return Cube().cells; }
    std::size_t actions() const override { return Cube().actions(); }
    std::size_t StatesAtATime() const override { return 1000; }
    void Score(std::span<const std::uint8_t>, std::span<float> preferences) override {
      for (std::size_t i = 0; i < preferences.size(); ++i) preferences[i] = i % Cube().actions() == kTurn ? 9.0F : 0.0F;
    }
  } policy;
  ThreadPool pool(1);
  const std::string problem = Cube().unpack(Walked({0, 4, 8, 3, 1, 2, kTurn}).data());
  const GrowingBeamOptions once{.width = 1, .widest = 64};
  GrowingBeamOptions longer = once;
  longer.shorten = true;
  const SearchResult first = RunGrowingPackedBeams(*domain, policy, problem, once, pool);
  const SearchResult shortest = RunGrowingPackedBeams(*domain, policy, problem, longer, pool);
  EXPECT_EQ(first.steps(), 9U);
  EXPECT_EQ(shortest.steps(), 7U);
  EXPECT_GT(shortest.expanded, first.expanded);
  // A deadline that is far away changes nothing. One that is over leaves what was found first.
  longer.deadline = StopToken::Clock::now() + std::chrono::hours(1000);
  EXPECT_EQ(RunGrowingPackedBeams(*domain, policy, problem, longer, pool).path, shortest.path);
  longer.deadline = StopToken::Clock::now() - std::chrono::hours(1);
  EXPECT_EQ(RunGrowingPackedBeams(*domain, policy, problem, longer, pool).path, first.path);
}

TEST_F(PackedBeamTest, EveryValueOfABeamWorks) {
  for (const BeamValue value : {BeamValue::kSumOfScores, BeamValue::kLastScore, BeamValue::kLogProbability}) {
    const PackedResult result = Search(scramble_, {.width = 8, .value = value});
    EXPECT_EQ(result.outcome, SearchOutcome::kSolved);
    EXPECT_TRUE(Solves(scramble_, result.actions));
  }
}

TEST_F(PackedBeamTest, SearchesOverTextsGetWhatTheDomainItselfGives) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  PackedScorer scorer(Cube(), std::make_unique<KnowingPolicy>(known_));
  const std::vector<std::string> problems{Cube().unpack(Walked(scramble_).data()), Cube().unpack(Cube().solved.data()),
                                          Cube().unpack(Walked({0, 4, 8, 3, 1, 2, 5, 9}).data())};
  SearchOptions options;
  options.beam.width = 64;
  for (const SearchKind kind : {SearchKind::kBeam, SearchKind::kGreedy}) {
    options.kind = kind;
    const std::vector<SearchResult> results =
        RunSearch(*domain, scorer, std::span(problems).first(kind == SearchKind::kBeam ? 3 : 1), options, 1);
    EXPECT_TRUE(results[0].solved());
    EXPECT_EQ(results[0].steps(), 5U);
    if (kind != SearchKind::kBeam) continue;
    EXPECT_TRUE(results[1].solved());
    EXPECT_TRUE(results[2].solved());
    for (const SearchResult& result : results) {
      EXPECT_EQ(LabelsOfPath(*domain, result.path).size(), result.steps());
      EXPECT_TRUE(domain->Solved(result.path.back()));
    }
  }
}

TEST_F(PackedBeamTest, PoliciesForOtherStatesAreRefused) {
  FixedLayout other = Cube();
  other.moves.pop_back();
  EXPECT_THROW(PackedScorer(other, std::make_unique<KnowingPolicy>(known_)), Error);
}

}  // namespace
}  // namespace conpole
