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

}  // namespace
}  // namespace conpole
