#include "conpole/fixed_layout.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"

namespace conpole {
namespace {

// What holds for every domain that says its states have a fixed layout.
TEST(FixedLayoutTest, LayoutsAgreeWithTheirDomains) {
  std::size_t layouts = 0;
  for (const DomainType* const type : DomainTypes()) {
    if (type->layout == nullptr) continue;
    SCOPED_TRACE(type->name);
    ++layouts;
    const FixedLayout& layout = *type->layout;
    EXPECT_NO_THROW(CheckLayout(layout));
    const std::unique_ptr<Domain> domain = MakeDomain(type->name);
    const std::string solved = layout.unpack(layout.solved.data());
    EXPECT_TRUE(domain->Solved(solved));
    EXPECT_EQ(PackState(layout, solved), layout.solved);
    Successors successors;
    std::vector<std::uint8_t> moved(layout.cells);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const std::string state = domain->Generate(seed);
      const std::vector<std::uint8_t> cells = PackState(layout, state);
      EXPECT_EQ(layout.unpack(cells.data()), state);
      successors.Clear();
      if (domain->Expand(state, Labels::kOn, successors) != Status::kOpen) continue;
      ASSERT_EQ(successors.size(), layout.actions());
      for (std::size_t action = 0; action < layout.actions(); ++action) {
        MovePacked(layout, action, cells.data(), moved.data());
        EXPECT_EQ(layout.unpack(moved.data()), successors.state(action)) << successors.label(action);
        EXPECT_EQ(AxiomOf(successors.label(action)), type->axioms[action].name);
      }
    }
  }
  EXPECT_GE(layouts, 1U);
}

TEST(FixedLayoutTest, ACubeHasAllItsViews) {
  const FixedLayout& layout = *MakeDomain("rubiks-cube")->type().layout;
  ASSERT_EQ(layout.symmetries().size(), 48U);
  const std::vector<std::uint8_t> state = PackState(layout, MakeDomain("rubiks-cube:min_moves=12,max_moves=12")->Generate(3));
  EXPECT_EQ(ViewOf(layout.symmetries()[0], state), state);
  std::set<std::vector<std::uint8_t>> views;
  std::vector<std::uint8_t> moved(layout.cells);
  std::vector<std::uint8_t> view_moved(layout.cells);
  for (const LayoutSymmetry& symmetry : layout.symmetries()) {
    const std::vector<std::uint8_t> view = ViewOf(symmetry, state);
    views.insert(view);
    for (std::size_t action = 0; action < layout.actions(); ++action) {
      MovePacked(layout, action, state.data(), moved.data());
      MovePacked(layout, symmetry.actions[action], view.data(), view_moved.data());
      EXPECT_EQ(ViewOf(symmetry, moved), view_moved);
    }
  }
  EXPECT_EQ(views.size(), 48U) << "this state has no symmetry of its own";
}

TEST(FixedLayoutTest, SensibleWalksReachEverythingAsFast) {
  const FixedLayout& layout = *MakeDomain("rubiks-cube")->type().layout;
  const std::vector<std::vector<std::uint8_t>> next = SensibleNextActions(layout);
  std::set<std::vector<std::uint8_t>> all{layout.solved};
  std::set<std::vector<std::uint8_t>> sensible{layout.solved};
  std::vector<std::vector<std::uint8_t>> states{layout.solved};
  std::vector<std::pair<std::vector<std::uint8_t>, std::uint8_t>> walks;
  for (int step = 1; step <= 4; ++step) {
    std::vector<std::vector<std::uint8_t>> states_after;
    for (const auto& state : states) {
      for (std::size_t action = 0; action < layout.actions(); ++action) {
        std::vector<std::uint8_t> moved(layout.cells);
        MovePacked(layout, action, state.data(), moved.data());
        if (all.insert(moved).second) states_after.push_back(moved);
      }
    }
    std::vector<std::pair<std::vector<std::uint8_t>, std::uint8_t>> walks_after;
    const auto go_on = [&](const std::vector<std::uint8_t>& state, std::uint8_t action) {
      std::vector<std::uint8_t> moved(layout.cells);
      MovePacked(layout, action, state.data(), moved.data());
      sensible.insert(moved);
      walks_after.emplace_back(std::move(moved), action);
    };
    if (step == 1) {
      for (std::uint8_t action = 0; action < layout.actions(); ++action) go_on(layout.solved, action);
    }
    for (const auto& [state, last] : walks) {
      for (const std::uint8_t action : next[last]) go_on(state, action);
    }
    states = std::move(states_after);
    walks = std::move(walks_after);
    EXPECT_EQ(sensible, all) << step;
  }
  for (std::uint8_t action = 0; action < layout.actions(); ++action) {
    EXPECT_EQ(std::count(next[action].begin(), next[action].end(), layout.inverse[action]), 0);
    EXPECT_EQ(std::count(next[action].begin(), next[action].end(), action), 1);
  }
}

TEST(FixedLayoutTest, UnsoundLayoutsAreRefused) {
  const FixedLayout& cube = *MakeDomain("rubiks-cube")->type().layout;
  const auto refused = [&](auto change) {
    FixedLayout layout = cube;
    change(layout);
    EXPECT_THROW(CheckLayout(layout), Error);
  };
  refused([](FixedLayout& layout) { layout.cells = 53; });
  refused([](FixedLayout& layout) { layout.colours = 5; });
  refused([](FixedLayout& layout) { layout.moves.clear(); });
  refused([](FixedLayout& layout) { layout.moves[3][0] = layout.moves[3][1]; });
  refused([](FixedLayout& layout) { layout.inverse[2] = 2; });
  refused([](FixedLayout& layout) { layout.inverse.pop_back(); });
  refused([](FixedLayout& layout) { layout.pack = nullptr; });
}

}  // namespace
}  // namespace conpole
