#include "search/packed_beam.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "search/endgame.h"
#include "search/packed_best_first.h"
#include "search/packed_hash.h"
#include "search/packed_scorer.h"
#include "search/run_search.h"
#include "tests/files.h"
#include "util/atomic_file.h"
#include "util/hash.h"
#include "util/read_file.h"

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

TEST(EndgameTest, LooksTwoStepsAhead) {
  const Endgame endgame(Cube(), 127, Lookahead::kTwoSteps);
  ASSERT_EQ(endgame.radius(), 2U);
  ASSERT_NE(endgame.ahead(), nullptr);
  EXPECT_EQ(endgame.ahead()->moves(), 114U);
  const Endgame all(Cube(), 105046);
  // Walks of all lengths, by all actions.
  for (std::size_t seed = 0; seed < 400; ++seed) {
    std::vector<std::uint8_t> walk(seed % 7);
    for (std::size_t i = 0; i < walk.size(); ++i) walk[i] = static_cast<std::uint8_t>(MixHash(seed, i) % Cube().actions());
    const std::vector<std::uint8_t> state = Walked(walk);
    const std::uint64_t hash = all.hash().Of(state.data());
    const std::size_t distance = all.Distance(hash).value_or(99);
    EXPECT_EQ(endgame.DistanceAhead(state.data(), hash).value_or(99), distance <= 4 ? distance : 99);
    const auto path = endgame.Path(state);
    ASSERT_EQ(path.has_value(), distance <= 4);
    if (!path) continue;
    EXPECT_EQ(path->size(), distance);
    walk.insert(walk.end(), path->begin(), path->end());
    EXPECT_EQ(Walked(walk), Cube().solved);
  }
}

class EndgameFileTest : public FolderTest {};

TEST_F(EndgameFileTest, IsReadAgain) {
  const std::string path = Path("cube.endgame");
  const Endgame made(Cube(), 1'300);  // all within three turns, and some of those of four that are not to be known
  made.Write(path);
  const Endgame read(Cube(), path, Lookahead::kTwoSteps);
  EXPECT_EQ(read.radius(), 3U);
  EXPECT_EQ(read.size(), 1195U);
  EXPECT_EQ(read.reach(), 5U);
  EXPECT_FALSE(read.is_complete());
  std::vector<std::int64_t> expected[2];
  std::vector<std::int64_t> found[2];
  made.List(expected[0], expected[1]);
  read.List(found[0], found[1]);
  EXPECT_EQ(found[0], expected[0]);
  EXPECT_EQ(found[1], expected[1]);
  EXPECT_EQ(read.Path(Walked({0, 4, 8, 3, 1})).value_or(std::vector<std::uint8_t>()).size(), 5U);
  EXPECT_FALSE(read.Path(Walked({0, 4, 8, 3, 1, 2, 5})));
}

TEST_F(EndgameFileTest, WrongFilesAreRefused) {
  const std::string path = Path("cube.endgame");
  const auto refused = [&](const FixedLayout& layout) -> std::string {
    try {
      const Endgame read(layout, path, Lookahead::kNone);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused(Cube()).find(path + ": cannot be read"), 0U);
  Endgame(Cube(), 127).Write(path);
  EXPECT_EQ(refused(Cube()), "");
  const std::string whole = ReadRegularFile(path, 1U << 20U);
  FixedLayout other = Cube();
  std::swap(other.moves[0], other.moves[1]);
  EXPECT_NE(refused(other).find("of another puzzle"), std::string::npos);
  WriteFileAtomically(path, whole.substr(0, whole.size() - 8));
  EXPECT_NE(refused(Cube()).find("not all of it is there"), std::string::npos);
  WriteFileAtomically(path, whole.substr(0, 20));
  EXPECT_NE(refused(Cube()).find("too short"), std::string::npos);
  std::string damaged = whole;
  damaged[40] = static_cast<char>(damaged[40] + 1);  // in the head
  WriteFileAtomically(path, damaged);
  EXPECT_NE(refused(Cube()).find("damaged"), std::string::npos);
}

TEST_F(EndgameFileTest, TakesNoMoreMemoryThanItMay) {
  const std::string path = Path("cube.endgame");
  for (const std::size_t bytes : {std::size_t{1} << 14U, std::size_t{1} << 18U, std::size_t{3} << 18U, std::size_t{1} << 22U}) {
    Endgame(Cube(), EndgameStatesFor(bytes)).Write(path);
    const std::size_t head = 72;
    EXPECT_LE(ReadRegularFile(path, 1U << 23U).size(), bytes + head);
  }
  EXPECT_EQ(Endgame(Cube(), EndgameStatesFor(2U << 20U)).radius(), 5U) << "105,046 states of 8 bytes, and as much room again";
}

// Unlike turns of a cube, these moves can lead to the same state by odd and by even numbers of steps. So states of different
// distances are seen ahead of one.
TEST(EndgameTest, OfWhatIsSeenAheadTheNearestCounts) {
  FixedLayout ring{.cells = 7, .colours = 7, .solved = {0, 1, 2, 3, 4, 5, 6}};
  ring.moves = {{1, 2, 3, 4, 5, 6, 0}, {6, 0, 1, 2, 3, 4, 5}, {1, 2, 0, 3, 4, 5, 6}, {2, 0, 1, 3, 4, 5, 6}};
  ring.inverse = {1, 0, 3, 2};
  const Endgame near(ring, 101, Lookahead::kTwoSteps);
  const Endgame all(ring, 7 * 6 * 5 * 4 * 3);
  ASSERT_EQ(near.radius(), 4U);
  std::vector<std::uint8_t> state = ring.solved;
  std::vector<std::uint8_t> moved(ring.cells);
  std::size_t seen_ahead = 0;
  for (std::uint64_t step = 0; step < 2'000; ++step) {
    MovePacked(ring, MixHash(1, step) % ring.actions(), state.data(), moved.data());
    state.swap(moved);
    const std::uint64_t hash = all.hash().Of(state.data());
    const std::size_t distance = all.Distance(hash).value_or(99);
    if (distance > near.reach()) continue;
    if (distance > near.radius()) ++seen_ahead;
    EXPECT_EQ(near.DistanceAhead(state.data(), hash), distance);
    EXPECT_EQ(near.Path(state).value_or(std::vector<std::uint8_t>()).size(), distance);
  }
  EXPECT_GT(seen_ahead, 50U);
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

TEST_F(PackedBeamTest, TheEndgameIsSeenFromAfar) {
  ThreadPool pool(2);
  const Endgame ahead(Cube(), 127, Lookahead::kTwoSteps);
  const PackedResult result = CpuPackedBeam(ahead, policy_, pool).Search(Walked(scramble_), {});
  EXPECT_EQ(result.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(result.actions.size(), 5U);
  EXPECT_TRUE(Solves(scramble_, result.actions));
  EXPECT_EQ(result.evaluated, 1U) << "from its successors on, the way is known";
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

TEST_F(PackedBeamTest, LayersAreAsWideAsThereIsTimeFor) {
  const auto now = StopToken::Clock::now();
  PackedBeamOptions options{.width = 1000, .max_steps = 8};
  EXPECT_EQ(LayerWidth(options, 0).After(4, 10), 1000U);
  options.finish_by = now + std::chrono::hours(1000);
  EXPECT_EQ(LayerWidth(options, 0).After(4, 10), 1000U);
  options.finish_by = now - std::chrono::hours(1000);
  EXPECT_EQ(LayerWidth(options, 0).After(4, 10), 1U);

  // It takes a hundredth of a millisecond for each state, so that there is no time for all; on a slow machine longer.
  class Slow final : public PackedPolicy {
   public:
    explicit Slow(PackedPolicy& policy) : policy_(policy) {}
    std::size_t cells() const override { return policy_.cells(); }
    std::size_t actions() const override { return policy_.actions(); }
    std::size_t StatesAtATime() const override { return 100; }
    void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
      const auto end = StopToken::Clock::now() + std::chrono::microseconds(10 * (states.size() / cells()));
      policy_.Score(states, preferences);
      while (StopToken::Clock::now() < end) continue;
    }

   private:
    PackedPolicy& policy_;
  } slow(policy_);
  ThreadPool pool(1);
  options = {.width = 100'000, .finish_by = StopToken::Clock::now() + std::chrono::milliseconds(400), .max_steps = 9};
  const PackedResult result =
      CpuPackedBeam(solved_only_, slow, pool).Search(Walked({0, 4, 8, 3, 1, 2, 5, 9, 7, 3, 2, 1, 0, 5, 4}), options);
  EXPECT_EQ(result.outcome, SearchOutcome::kOutOfBudget) << "it came to the last layer";
  EXPECT_LT(result.evaluated, 60'000U) << "time is for 40,000";
}

// Of two paths of much the same probability the one counts more whose policy is sure, if not of the right step.
TEST_F(PackedBeamTest, DoubtHasAPrice) {
  class Doubting final : public PackedPolicy {
   public:
    std::size_t cells() const override { return Cube().cells; }
    std::size_t actions() const override { return Cube().actions(); }
    std::size_t StatesAtATime() const override { return 100; }
    void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
      const auto set = [&](std::size_t state, float of_others, const std::map<std::size_t, float>& probabilities) {
        const auto row = preferences.subspan(state * actions(), actions());
        std::fill(row.begin(), row.end(), std::log(of_others));
        for (const auto& [action, probability] : probabilities) row[action] = std::log(probability);
      };
      for (std::size_t i = 0; i < states.size() / cells(); ++i) {
        const auto state = states.subspan(i * cells(), cells());
        set(i, 0.5F / 11, {{3, 0.5F}});
        if (std::ranges::equal(state, Walked({0, 4}))) set(i, 0.01F, {{10, 0.4F}, {1, 0.5F}});
        if (std::ranges::equal(state, Walked({0}))) set(i, 0.01F, {{6, 0.44F}, {9, 0.46F}});
      }
    }
  } policy;
  ThreadPool pool(1);
  CpuPackedBeam beam(solved_only_, policy, pool);
  PackedBeamOptions options{.width = 2, .max_steps = 2};
  EXPECT_EQ(beam.Search(Walked({0, 4}), options).actions, (std::vector<std::uint8_t>{10, 6}));
  options.value = BeamValue::kSumOfScores;
  EXPECT_EQ(beam.Search(Walked({0, 4}), options).outcome, SearchOutcome::kOutOfBudget);

  FixedLayout any_order{.cells = 4, .colours = 4, .solved = {0, 1, 2, 3}};
  any_order.moves = {{1, 0, 2, 3}, {0, 1, 3, 2}};
  any_order.inverse = {0, 1};
  EXPECT_EQ(PriceOfDoubt(any_order), 0);
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
  const std::string problem = Cube().unpack(Walked({0, 4, 8, 3, 1, 2, 0, 4, kTurn}).data());
  const GrowingBeamOptions once{.width = 1, .widest = 64};
  GrowingBeamOptions longer = once;
  longer.shorten = true;
  const SearchResult first = RunGrowingPackedBeams(*domain, policy, problem, once, pool);
  const SearchResult shortest = RunGrowingPackedBeams(*domain, policy, problem, longer, pool);
  EXPECT_EQ(first.steps(), 11U);
  EXPECT_EQ(shortest.steps(), 9U);
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

TEST_F(PackedBeamTest, OfSeveralViewsTheShortestSolutionIsTaken) {
  ThreadPool pool(1);
  const Endgame ahead(Cube(), 1195, Lookahead::kTwoSteps);
  CpuPackedBeam beam(ahead, policy_, pool);
  const PackedBeamOptions options{.width = 30, .max_steps = 20};
  const auto length = [&](const PackedResult& result) {
    return result.outcome == SearchOutcome::kSolved ? result.actions.size() : options.max_steps + 1;
  };
  std::size_t of_one = 0;
  std::size_t of_twelve = 0;
  // Cubes of seven turns, two more than the policy knows anything about.
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    std::vector<std::uint8_t> scramble(7);
    for (std::size_t i = 0; i < scramble.size(); ++i) scramble[i] = static_cast<std::uint8_t>((5 * seed + 4 * i + i * i) % 12);
    const PackedResult one = SearchViews(beam, Cube(), Walked(scramble), options, 1);
    const PackedResult twelve = SearchViews(beam, Cube(), Walked(scramble), options, 12);
    EXPECT_LE(length(twelve), length(one));
    EXPECT_GE(twelve.evaluated, one.evaluated);
    EXPECT_EQ(twelve.outcome == SearchOutcome::kSolved, Solves(scramble, twelve.actions));
    of_one += length(one);
    of_twelve += length(twelve);
    if (one.evaluated == 0) continue;
    PackedBeamOptions little = options;
    little.max_evaluated = one.evaluated;
    EXPECT_EQ(SearchViews(beam, Cube(), Walked(scramble), little, 12).actions, one.actions) << "the limit is for all views";
  }
  EXPECT_LT(of_twelve, of_one);
  EXPECT_THROW(SearchViews(beam, Cube(), Walked({}), options, 49), Error);
}

TEST_F(PackedBeamTest, WithoutTheEndgameOnlyTheSolvedStateIsKnown) {
  ThreadPool pool(1);
  const PackedResult result = CpuPackedBeam(known_, policy_, pool).Search(Walked(scramble_), {.width = 1, .endgame = false});
  EXPECT_EQ(result.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(result.evaluated, 5U);
  EXPECT_EQ(CpuPackedBeam(known_, policy_, pool).Search(Cube().solved, {.endgame = false}).outcome, SearchOutcome::kSolved);
}

class PackedBestFirstTest : public PackedBeamTest {
 protected:
  PackedResult Search(const std::vector<std::uint8_t>& scramble, const BestFirstOptions& options, std::size_t threads = 2) {
    return SearchOnTerms(scramble, options, threads);
  }
  PackedResult SearchOnTerms(const std::vector<std::uint8_t>& scramble, const BestFirstTerms& terms, std::size_t threads = 2) {
    ThreadPool pool(threads);
    policy_.asked.clear();
    return PackedBestFirst(known_, /*uses_endgame=*/false, policy_, pool).Search(Walked(scramble), terms, {});
  }
};

TEST_F(PackedBestFirstTest, FollowsThePolicy) {
  const PackedResult result = Search(scramble_, {.batch = 1});
  EXPECT_EQ(result.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(result.actions.size(), 5U);
  EXPECT_TRUE(Solves(scramble_, result.actions));
  EXPECT_EQ(result.evaluated, 5U);
  EXPECT_EQ(result.candidates, 12U + 4 * 11);
  EXPECT_TRUE(Search({}, {}).actions.empty());
  EXPECT_EQ(Search({}, {}).outcome, SearchOutcome::kSolved);
}

TEST_F(PackedBestFirstTest, TheEndgameShortensTheWay) {
  ThreadPool pool(1);
  const std::vector<std::uint8_t> scramble{0, 4, 8, 3, 1, 2};
  const PackedResult result =
      PackedBestFirst(known_, true, policy_, pool).Search(Walked(scramble), BestFirstOptions{.weight = 0}, {});
  EXPECT_EQ(result.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(result.evaluated, 1U) << "every successor that leads on is known";
  EXPECT_EQ(result.actions.size(), 6U);
  EXPECT_TRUE(Solves(scramble, result.actions));
}

// With a weight that outweighs the policy it is breadth-first search, and what it finds has the fewest steps.
TEST_F(PackedBestFirstTest, AHeavyWeightFindsTheFewestSteps) {
  const PackedResult result = Search({0, 4, 8, 3}, {.weight = 1000, .batch = 50});
  EXPECT_EQ(result.actions.size(), 4U);
  EXPECT_EQ(std::set(policy_.asked.begin(), policy_.asked.end()).size(), policy_.asked.size())
      << "every state is asked about once";
}

// States beyond what may still be expanded are forgotten, which changes nothing.
TEST_F(PackedBestFirstTest, LimitsHold) {
  const std::vector<std::uint8_t> far{0, 4, 8, 3, 1, 2, 5, 9, 1, 0, 3};
  for (const std::uint64_t limit : {1U, 99U, 20'000U}) {
    const PackedResult result = Search(far, {.batch = 100, .max_expanded = limit});
    EXPECT_EQ(result.outcome, SearchOutcome::kOutOfBudget);
    EXPECT_EQ(result.evaluated, limit);
    EXPECT_EQ(policy_.asked.size(), limit);
  }
  EXPECT_EQ(Search(far, {.max_expanded = 0}).outcome, SearchOutcome::kOutOfBudget);
  ThreadPool pool(1);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(PackedBestFirst(known_, false, policy_, pool).Search(Walked(far), BestFirstOptions(), &stop).outcome,
            SearchOutcome::kInterrupted);
}

TEST_F(PackedBestFirstTest, LevinEndsWithTheRoundThatFindsASolution) {
  const PackedResult result = SearchOnTerms(scramble_, LevinOptions());
  EXPECT_EQ(result.outcome, SearchOutcome::kSolved);
  EXPECT_TRUE(Solves(scramble_, result.actions));
  EXPECT_EQ(result.evaluated, 5U);
  const std::vector<std::uint8_t> far{0, 4, 8, 3, 1, 2, 5, 9, 1, 0, 3};
  const PackedResult limited = SearchOnTerms(far, LevinOptions{.batch = 7, .max_expanded = 50});
  EXPECT_EQ(limited.outcome, SearchOutcome::kOutOfBudget);
  EXPECT_EQ(limited.evaluated, 50U);
}

TEST_F(PackedBestFirstTest, TheResultDoesNotDependOnThreads) {
  const std::vector<std::uint8_t> scramble{0, 4, 8, 3, 1, 2, 5};
  const PackedResult one = Search(scramble, {.batch = 300}, 1);
  const PackedResult three = Search(scramble, {.batch = 300}, 3);
  EXPECT_EQ(one.outcome, SearchOutcome::kSolved);
  EXPECT_EQ(one.actions, three.actions);
  EXPECT_EQ(one.evaluated, three.evaluated);
}

TEST_F(PackedBeamTest, SearchesOverTextsGetWhatTheDomainItselfGives) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  PackedScorer scorer(Cube(), std::make_unique<KnowingPolicy>(known_));
  const std::vector<std::string> problems{Cube().unpack(Walked(scramble_).data()), Cube().unpack(Cube().solved.data()),
                                          Cube().unpack(Walked({0, 4, 8, 3, 1, 2, 5, 9}).data())};
  SearchOptions options;
  options.beam.width = 64;
  for (const SearchKind kind : {SearchKind::kBeam, SearchKind::kBestFirst, SearchKind::kLevin, SearchKind::kGreedy}) {
    options.kind = kind;
    const std::vector<SearchResult> results =
        RunSearch(*domain, scorer, std::span(problems).first(kind == SearchKind::kGreedy ? 1 : 3), options, 1);
    EXPECT_TRUE(results[0].solved());
    EXPECT_EQ(results[0].steps(), 5U);
    if (kind == SearchKind::kGreedy) continue;
    EXPECT_TRUE(results[1].solved());
    EXPECT_TRUE(results[2].solved());
    for (const SearchResult& result : results) {
      EXPECT_EQ(LabelsOfPath(*domain, result.path).size(), result.steps());
      EXPECT_TRUE(domain->Solved(result.path.back()));
    }
  }
}

// The usual endgame sees all states of the 2x2x2 cube within 11 turns, none is farther than 14, and there are no more than 120
// three turns away: a beam that has room for these misses no shortest way, whatever the policy says.
TEST(SmallCubeTest, AnyPolicyFindsTheFewestTurns) {
  const std::unique_ptr<Domain> domain = MakeDomain(CONPOLE_SOURCE "/gallery/cube-2x2x2.domain");
  const FixedLayout& layout = *domain->type().layout;
  class Clueless final : public PackedPolicy {
   public:
    explicit Clueless(const FixedLayout& layout) : layout_(layout) {}
    std::size_t cells() const override { return layout_.cells; }
    std::size_t actions() const override { return layout_.actions(); }
    std::size_t StatesAtATime() const override { return 1000; }
    void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
      for (std::size_t i = 0; i < preferences.size(); ++i) {
        preferences[i] = static_cast<float>(MixHash(states[i / actions() * cells() + i % cells()], i) % 1000) / 1000.0F;
      }
    }

   private:
    const FixedLayout& layout_;
  } policy(layout);
  const Endgame& usual = SharedEndgame(layout);
  ASSERT_EQ(usual.reach(), 11U);
  // How many turns a state needs, by looking at all states within three turns of it.
  const auto distance = [&](const std::vector<std::uint8_t>& state) {
    std::set<std::vector<std::uint8_t>> round{state};
    std::size_t best = 99;
    for (std::size_t turns = 0; turns <= 3; ++turns) {
      std::set<std::vector<std::uint8_t>> next;
      for (const std::vector<std::uint8_t>& from : round) {
        const auto left = usual.DistanceAhead(from.data(), usual.hash().Of(from.data()));
        if (left) best = std::min(best, turns + *left);
        std::vector<std::uint8_t> to(from.size());
        for (std::size_t action = 0; action < layout.actions(); ++action) {
          MovePacked(layout, action, from.data(), to.data());
          next.insert(to);
        }
      }
      round = std::move(next);
    }
    return best;
  };
  ThreadPool pool(1);
  CpuPackedBeam beam(usual, policy, pool);
  std::vector<std::uint8_t> state = layout.solved;
  std::vector<std::uint8_t> moved(state.size());
  std::size_t beyond = 0;
  for (std::uint64_t walk = 0; walk < 100; ++walk) {
    for (std::uint64_t step = 0; step < 40; ++step) {
      MovePacked(layout, MixHash(walk, step) % layout.actions(), state.data(), moved.data());
      state.swap(moved);
    }
    const PackedResult result = beam.Search(state, {.width = 120});
    ASSERT_EQ(result.outcome, SearchOutcome::kSolved);
    EXPECT_EQ(result.actions.size(), distance(state));
    if (result.actions.size() > usual.reach()) ++beyond;
  }
  EXPECT_GT(beyond, 10U) << "a quarter of all states is beyond the endgame";
}

TEST_F(PackedBeamTest, PoliciesForOtherStatesAreRefused) {
  FixedLayout other = Cube();
  other.moves.pop_back();
  EXPECT_THROW(PackedScorer(other, std::make_unique<KnowingPolicy>(known_)), Error);
}

TEST(WithoutDetoursTest, LeavesOutWhatIsUndone) {
  // Turns of opposite faces can be swapped, others cannot.
  const std::vector<std::uint8_t>& inverse = Cube().inverse;
  const std::uint8_t first = 0;
  std::optional<std::uint8_t> opposite;
  std::optional<std::uint8_t> beside;
  for (std::uint8_t action = 1; action < Cube().actions(); ++action) {
    if (action == inverse[first]) continue;
    (CanBeSwapped(Cube(), first, action) ? opposite : beside) = action;
  }
  const auto left = [&](std::vector<std::uint8_t> actions) { return WithoutDetours(Cube(), Cube().solved, actions); };
  using Actions = std::vector<std::uint8_t>;
  EXPECT_EQ(left({first, *opposite, inverse[first]}), Actions{*opposite});
  EXPECT_EQ(left({first, *beside, inverse[first]}), (Actions{first, *beside, inverse[first]}));
  EXPECT_EQ(left({first, *beside, inverse[*beside], inverse[first]}), Actions{});
  // Four times the same turn lead back to where it was.
  EXPECT_EQ(left({*beside, first, first, first, first, *beside}), (Actions{*beside, *beside}));
  EXPECT_EQ(left({first, first, first, first, *beside, *beside, *beside, *beside, first}), Actions{first});
}

TEST(NotAfterTest, IsWhatUndoesAndWhereOrderDoesNotMatterAllBefore) {
  const std::vector<std::vector<std::uint8_t>> turns = NotAfter(Cube());
  for (std::size_t action = 0; action < Cube().actions(); ++action) {
    EXPECT_EQ(turns[action], std::vector<std::uint8_t>{Cube().inverse[action]});
  }
  const std::unique_ptr<Domain> lights = MakeDomain(
      "domain lights\nstate layout\ncolours . o\nsolved \".../...\"\ntoggle press each cross\nproblem scramble 1..3\n");
  std::vector<std::uint8_t> presses = NotAfter(*lights->type().layout)[3];
  std::sort(presses.begin(), presses.end());
  EXPECT_EQ(presses, (std::vector<std::uint8_t>{0, 1, 2, 3}));
}

// Lights that are pressed twice need not be pressed, and round and round among tiles leads nowhere.
TEST(WithoutDetoursTest, KnowsTogglesAndTiles) {
  const std::unique_ptr<Domain> lights = MakeDomain(
      "domain lights\nstate layout\ncolours . o\nsolved \".../.../...\"\ntoggle press each cross\nproblem scramble 1..3\n");
  const FixedLayout& pressed = *lights->type().layout;
  EXPECT_EQ(WithoutDetours(pressed, pressed.solved, std::vector<std::uint8_t>{1, 2, 3, 2, 1, 5, 1}),
            (std::vector<std::uint8_t>{3, 5, 1}));
  const std::unique_ptr<Domain> tiles = MakeDomain(
      "domain tiles\nstate layout\ncolours 1 2 3 _\nsolved \"12/3_\"\nexchange slide t _ -> _ t along rows columns\n"
      "problem scramble 1..3\n");
  const FixedLayout& slid = *tiles->type().layout;
  std::vector<std::uint8_t> state = slid.solved;
  std::vector<std::uint8_t> moved(state.size());
  std::vector<std::uint8_t> round;
  for (int step = 0; step < 15; ++step) {
    for (const std::uint8_t action : PossibleActions(slid, state.data())) {
      if (!round.empty() && action == slid.inverse[round.back()]) continue;
      round.push_back(action);
      MovePacked(slid, action, state.data(), moved.data());
      state.swap(moved);
      break;
    }
  }
  EXPECT_EQ(WithoutDetours(slid, slid.solved, round), std::vector<std::uint8_t>(round.begin(), round.begin() + 3))
      << "there are twelve states, in a circle";
}

}  // namespace
}  // namespace conpole
