#include "search/narrow_beam.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "search/endgame.h"
#include "util/hash.h"

namespace conpole {
namespace {

bool AreEqual(std::span<const std::uint8_t> a, const std::vector<std::uint8_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

class NarrowBeamTest : public testing::Test {
 protected:
  std::vector<std::uint8_t> Walked(std::vector<std::uint8_t> state, const std::vector<std::uint8_t>& actions) const {
    std::vector<std::uint8_t> moved(state.size());
    for (const std::uint8_t action : actions) {
      MovePacked(layout_, action, state.data(), moved.data());
      state.swap(moved);
    }
    return state;
  }

  // A step with preferences that are a function of the state alone.
  void Step(NarrowBeam& search) const {
    std::vector<float> preferences;
    for (std::size_t i = 0; i < search.frontier_size(); ++i) {
      const std::uint64_t own = hash_.Of(search.Frontier().data() + i * layout_.cells);
      for (std::size_t action = 0; action < layout_.actions(); ++action) {
        preferences.push_back(static_cast<float>(MixHash(own, action) % 1000) / 1000.0F);
      }
    }
    search.Step(preferences);
  }

  NarrowBeam Searched(const std::vector<std::uint8_t>& scramble, const NarrowBeam::Options& options) const {
    NarrowBeam search(layout_, hash_, Walked(layout_.solved, scramble), options);
    while (!search.is_over()) Step(search);
    return search;
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("rubiks-cube");
  const FixedLayout& layout_ = *domain_->type().layout;
  PackedHash hash_{layout_};
  const std::vector<std::uint8_t> scramble_{0, 4, 8};
};

TEST_F(NarrowBeamTest, FindsWhatIsInReach) {
  const NarrowBeam search = Searched(scramble_, {.width = 2000, .max_steps = 5});
  ASSERT_TRUE(search.is_solved());
  EXPECT_EQ(search.expanded(), 1U + 12 + 114);
  const std::vector<NarrowBeam::KnownWay> solution = search.Solution(search.KnownWays());
  ASSERT_EQ(solution.size(), 3U);
  std::vector<std::uint8_t> actions;
  for (const NarrowBeam::KnownWay& way : solution) actions.push_back(way.action);
  EXPECT_EQ(Walked(Walked(layout_.solved, scramble_), actions), layout_.solved);
  EXPECT_EQ(solution.front().steps, 3U);
  EXPECT_EQ(solution.back().steps, 1U);
}

// Every way that is said to be known leads to the solved state in as many steps as it says.
TEST_F(NarrowBeamTest, KnownWaysLeadToTheSolvedState) {
  const NarrowBeam search = Searched(scramble_, {.width = 2000, .max_steps = 5});
  const std::vector<NarrowBeam::KnownWay> ways = search.KnownWays();
  // In this puzzle whatever was reached can be left again, so that all expanded states are among them.
  EXPECT_EQ(ways.size(), search.expanded());
  const Endgame endgame(layout_, 105046);
  std::set<std::uint32_t> states;
  std::size_t shortest = 0;
  for (const NarrowBeam::KnownWay& way : ways) {
    EXPECT_TRUE(states.insert(way.state).second);
    const std::span<const std::uint8_t> state = search.State(way.state);
    const std::vector<std::uint8_t> next = Walked({state.begin(), state.end()}, {way.action});
    if (way.steps == 1) {
      EXPECT_EQ(next, layout_.solved);
      continue;
    }
    const auto of_next = std::find_if(
        ways.begin(), ways.end(), [&](const NarrowBeam::KnownWay& other) { return AreEqual(search.State(other.state), next); });
    ASSERT_NE(of_next, ways.end());
    EXPECT_EQ(of_next->steps + 1, way.steps);
    if (endgame.Distance(hash_.Of(state.data())) == std::size_t{way.steps}) ++shortest;
  }
  EXPECT_GT(shortest, 100U) << "so near to the end most of them are the shortest that there are";
}

TEST_F(NarrowBeamTest, LimitsHold) {
  const NarrowBeam narrow = Searched({0, 4, 8, 3, 1, 2, 5, 9}, {.width = 7, .max_steps = 5});
  EXPECT_FALSE(narrow.is_solved());
  EXPECT_EQ(narrow.expanded(), 1U + 4 * 7);
  EXPECT_TRUE(narrow.KnownWays().empty());
  EXPECT_TRUE(narrow.Solution({}).empty());
  EXPECT_FALSE(Searched(scramble_, {.width = 2000, .max_steps = 2}).is_solved());
  EXPECT_TRUE(Searched(scramble_, {.width = 2000, .max_steps = 0}).is_over());
}

TEST_F(NarrowBeamTest, EveryStateComesOnce) {
  NarrowBeam search(layout_, hash_, Walked(layout_.solved, {0, 4, 8, 3, 1, 2, 5, 9}), {.width = 100'000, .max_steps = 9});
  for (const std::size_t size : {1U, 12U, 114U, 1068U, 10011U}) {
    EXPECT_EQ(search.frontier_size(), size);
    Step(search);
  }
}

// The best by the log-probability, and not by the last preference.
TEST_F(NarrowBeamTest, TakesTheBestByItsValue) {
  for (const BeamValue value : {BeamValue::kLogProbability, BeamValue::kSumOfScores, BeamValue::kLastScore}) {
    const std::vector<std::uint8_t> start = Walked(layout_.solved, {0, 4, 8, 3, 1, 2, 5, 9});
    NarrowBeam search(layout_, hash_, start, {.width = 2, .max_steps = 9, .value = value});
    std::vector<float> preferences(layout_.actions(), 0.0F);
    preferences[0] = 5;
    preferences[1] = 4;
    search.Step(preferences);
    ASSERT_EQ(search.frontier_size(), 2U);
    EXPECT_TRUE(AreEqual(search.State(1), Walked(start, {0})));
    std::vector<float> next(2 * layout_.actions(), 0.0F);
    next[2] = 1;                          // after 0: 6 in all
    next[layout_.actions() + 3] = 1.5F;   // after 1: 5.5 in all
    next[layout_.actions() + 4] = 1.25F;  // after 1: 5.25 in all
    search.Step(next);
    ASSERT_EQ(search.frontier_size(), 2U);
    const bool is_last = value == BeamValue::kLastScore;
    EXPECT_TRUE(AreEqual(search.State(3), is_last ? Walked(start, {1, 3}) : Walked(start, {0, 2})));
  }
}

}  // namespace
}  // namespace conpole
