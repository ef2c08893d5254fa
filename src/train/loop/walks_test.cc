#include "train/loop/walks.h"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"

namespace conpole {
namespace {

TEST(WalksTest, AreAFunctionOfSeedAndStep) {
  const FixedLayout& layout = *MakeDomain("rubiks-cube")->type().layout;
  const WalkSource source(layout, 5);
  const WalkBatch walks = source.Draw(3, 50, 20);
  EXPECT_EQ(walks.states(), 1000U);
  EXPECT_EQ(walks.actions.size(), 1000U);
  EXPECT_EQ(WalkSource(layout, 5).Draw(3, 50, 20).actions, walks.actions);
  EXPECT_NE(source.Draw(4, 50, 20).actions, walks.actions);
  EXPECT_NE(WalkSource(layout, 6).Draw(3, 50, 20).actions, walks.actions);
  EXPECT_EQ(std::set(walks.actions.begin(), walks.actions.end()).size(), layout.actions());
}

TEST(WalksTest, HaveOnlyStepsThatMakeSense) {
  const FixedLayout& layout = *MakeDomain("rubiks-cube")->type().layout;
  const std::vector<std::vector<std::uint8_t>> next = SensibleNextActions(layout);
  const WalkBatch walks = WalkSource(layout, 5).Draw(0, 200, 12);
  for (std::size_t at = walks.walks; at < walks.actions.size(); ++at) {
    const std::vector<std::uint8_t>& allowed = next[walks.actions[at - walks.walks]];
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), walks.actions[at]), allowed.end());
  }
}

// A file's layout: a hole among tiles.
constexpr const char* kTiles =
    "domain tiles\nstate layout\ncolours 1 2 3 4 5 _\nsolved \"123/45_\"\n"
    "exchange slide t _ -> _ t along rows columns\nproblem scramble 1..5\n";

TEST(WalksTest, TakeOnlyWhatIsPossible) {
  const std::unique_ptr<Domain> domain = MakeDomain(kTiles);
  const FixedLayout& layout = *domain->type().layout;
  const WalkBatch walks = WalkSource(layout, 5).Draw(0, 100, 30);
  std::vector<std::uint8_t> moved(layout.cells);
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    std::vector<std::uint8_t> state = layout.solved;
    for (std::size_t step = 0; step < walks.length; ++step) {
      const std::uint8_t action = walks.actions[step * walks.walks + walk];
      ASSERT_TRUE(IsPossible(layout, action, state.data()));
      ASSERT_TRUE(step == 0 || action != layout.inverse[walks.actions[(step - 1) * walks.walks + walk]]);
      MovePacked(layout, action, state.data(), moved.data());
      state.swap(moved);
    }
  }
}

TEST(WalksTest, PressNoLightTwice) {
  const std::unique_ptr<Domain> domain = MakeDomain(
      "domain lights\nstate layout\ncolours . o\nsolved \".../.../...\"\ntoggle press each cross\nproblem scramble 1..3\n");
  const WalkBatch walks = WalkSource(*domain->type().layout, 5).Draw(0, 20, 9);
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    std::set<std::uint8_t> pressed;
    for (std::size_t step = 0; step < 9; ++step) pressed.insert(walks.actions[step * walks.walks + walk]);
    EXPECT_EQ(pressed.size(), 9U);
  }
  // Some of them, in one order.
  EXPECT_EQ(EstimateWalkLength(*domain->type().layout), 6U);
  const WalkBatch some = WalkSource(*domain->type().layout, 5).Draw(0, 50, 6);
  std::set<std::uint8_t> last;
  for (std::size_t walk = 0; walk < some.walks; ++walk) {
    for (std::size_t step = 1; step < 6; ++step) {
      EXPECT_LT(some.actions[step * some.walks + walk], some.actions[(step - 1) * some.walks + walk]);
    }
    last.insert(some.actions[5 * some.walks + walk]);
  }
  EXPECT_GT(last.size(), 2U);
  EXPECT_LE(*last.rbegin(), 3U) << "of six lights the first is at the most the fourth";
}

TEST(WalksTest, OfLongOnesFewStatesCount) {
  const std::unique_ptr<Domain> domain = MakeDomain(kTiles);
  WalkBatch shape{40, 10};
  EXPECT_EQ(shape.states(), 400U);
  EXPECT_EQ(shape.FirstAt(9), 0U);
  shape.parts = 2;
  shape.every = 3;
  const WalkBatch walks = WalkSource(*domain->type().layout, 5).Draw(0, shape);
  std::size_t learned = 0;
  for (std::size_t step = 0; step < 10; ++step) {
    EXPECT_EQ(walks.FirstAt(step), 4 * step);
    for (std::size_t walk = 0; walk < 40; ++walk) {
      const std::uint8_t action = walks.actions[step * 40 + walk];
      if (walk < walks.FirstAt(step)) {
        EXPECT_EQ(action, 0) << "it is at its end";
      } else if ((walk + step) % 3 == 0) {
        if (learned++ == 0) {
          EXPECT_EQ(walks.FirstLearned(step), walk);
        }
      }
    }
  }
  EXPECT_EQ(walks.states(), learned / 2);
}

// A tip can be turned at any time. If it had to come in order, a walk that turns the last one would turn nothing else.
TEST(WalksTest, AreNotCaughtByWhatCanComeAtAnyTime) {
  const std::unique_ptr<Domain> domain = MakeDomain(
      "domain tip\nstate layout\ncolours a b c d e f\nsolved \"abcdef\"\nmove x x' (1 2 3)\nmove y (2 3)\nmove t t' (4 5 6)\n"
      "problem scramble 1..3\n");
  const WalkBatch walks = WalkSource(*domain->type().layout, 5).Draw(0, 50, 20);
  for (std::size_t walk = 0; walk < walks.walks; ++walk) {
    std::set<std::uint8_t> last;
    for (std::size_t step = 10; step < 20; ++step) last.insert(walks.actions[step * walks.walks + walk]);
    EXPECT_GT(last.size(), 1U);
  }
}

TEST(WalksTest, AreAsLongAsThePuzzleNeeds) {
  EXPECT_EQ(EstimateWalkLength(*MakeDomain("rubiks-cube")->type().layout), 26U);
  const std::size_t tiles = EstimateWalkLength(*MakeDomain(kTiles)->type().layout);
  EXPECT_GE(tiles, 15U) << "360 states, the farthest 21 steps away";
  EXPECT_LE(tiles, 60U);
}

}  // namespace
}  // namespace conpole
