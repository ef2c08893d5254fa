#include "search/shorten.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "search/endgame.h"

namespace conpole {
namespace {

using Actions = std::vector<std::uint8_t>;

constexpr const char* kTiles =
    "domain tiles\nstate layout\ncolours 1 2 3 4 5 _\nsolved \"123/45_\"\nexchange slide t _ -> _ t along rows columns\n"
    "problem scramble 1..3\n";

std::vector<std::uint8_t> After(const FixedLayout& layout, std::vector<std::uint8_t> state, const Actions& actions) {
  std::vector<std::uint8_t> moved(state.size());
  for (const std::uint8_t action : actions) {
    EXPECT_TRUE(IsPossible(layout, action, state.data()));
    MovePacked(layout, action, state.data(), moved.data());
    state.swap(moved);
  }
  return state;
}

// A walk that goes on with the first, second, ... of the actions that do not undo the last one, in turn.
Actions Walk(const FixedLayout& layout, std::size_t steps) {
  std::vector<std::uint8_t> state = layout.solved;
  Actions walk;
  for (std::size_t step = 0; walk.size() < steps; ++step) {
    const std::vector<std::uint8_t> possible = PossibleActions(layout, state.data());
    const std::uint8_t action = possible[(step * step + step / 3) % possible.size()];
    if (!walk.empty() && action == layout.inverse[walk.back()]) continue;
    walk.push_back(action);
    state = After(layout, state, {action});
  }
  return walk;
}

// With room for all states, the way back is a shortest one; with less it is never longer, and each way leads to the same.
TEST(ShortestNearbyTest, FindsTheShortestWayWhereThereIsRoom) {
  const std::unique_ptr<Domain> domain = MakeDomain(kTiles);
  const FixedLayout& layout = *domain->type().layout;
  const Endgame all(layout);
  ASSERT_TRUE(all.is_complete());
  std::size_t shortened = 0;
  for (std::size_t steps = 0; steps < 60; steps += 7) {
    const Actions walk = Walk(layout, steps);
    const std::vector<std::uint8_t> start = After(layout, layout.solved, walk);
    Actions back(walk.rbegin(), walk.rend());
    for (std::uint8_t& action : back) action = layout.inverse[action];
    std::size_t before = back.size();
    for (const std::size_t room : {std::size_t{0}, std::size_t{60}, all.size()}) {
      const Actions found = ShortestNearby(layout, all.hash(), start, back, room);
      EXPECT_EQ(After(layout, start, found), layout.solved);
      EXPECT_LE(found.size(), before);
      before = found.size();
    }
    EXPECT_EQ(before, all.Distance(all.hash().Of(start.data())));
    if (before < steps) ++shortened;
  }
  EXPECT_GT(shortened, 4U);
}

// Three quarter turns are one the other way, which goes through none of the states between.
TEST(ShortestNearbyTest, KnowsOtherWaysThanTheOneGiven) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const FixedLayout& cube = *domain->type().layout;
  const PackedHash hash(cube);
  const std::uint8_t turn = 3;
  const Actions thrice(3, turn);
  const std::vector<std::uint8_t> start = cube.solved;
  EXPECT_EQ(ShortestNearby(cube, hash, start, thrice, 100), Actions{cube.inverse[turn]});
  EXPECT_EQ(ShortestNearby(cube, hash, start, {turn, turn, turn, turn}, 100), Actions{});
  EXPECT_EQ(ShortestNearby(cube, hash, start, {turn, turn}, 1000).size(), 2U);
  EXPECT_EQ(ShortestNearby(cube, hash, start, {}, 1000), Actions{});
}

TEST(ShortestNearbyTest, WhenStoppedTheWayStays) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const FixedLayout& cube = *domain->type().layout;
  const std::atomic<bool> stopped = true;
  const Actions thrice(3, 0);
  EXPECT_EQ(ShortestNearby(cube, PackedHash(cube), cube.solved, thrice, 100, StopToken(&stopped)), thrice);
}

}  // namespace
}  // namespace conpole
