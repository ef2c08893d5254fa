#include "tutor/cube.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "conpole/domain.h"

namespace conpole {
namespace {

TEST(CubeTest, TurnsTheBodyAsTheDomainTurnsItsText) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube:min_moves=19");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string state = domain->Generate(seed);
    const std::string cells = CubeCells(state);
    EXPECT_EQ(CubeState(cells), state);
    EXPECT_EQ(WhyUnsolvable(cells), "");
    Successors next;
    ASSERT_EQ(domain->Expand(state, Labels::kOn, next), Status::kOpen);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const std::size_t face = kCubeFaces.find(next.label(i)[0]);
      const int quarters = next.label(i).substr(1) == "1" ? 1 : 3;
      EXPECT_EQ(TurnCube(cells, face, quarters), CubeCells(next.state(i)));
      EXPECT_TRUE(IsCubeTurn(cells, CubeCells(next.state(i))));
      EXPECT_FALSE(IsCubeTurn(cells, TurnCube(cells, face, 2)));
    }
  }
}

TEST(CubeTest, SaysWhyColoursCannotBeReached) {
  const std::string solved = CubeCells("A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f");
  EXPECT_TRUE(IsCubeSolved(solved));
  EXPECT_FALSE(IsCubeSolved(TurnCube(solved, 0, 1)));
  EXPECT_FALSE(IsCubeSolved(""));
  const auto exchanged = [&](std::size_t a, std::size_t b) {
    std::string cells = solved;
    std::swap(cells[a], cells[b]);
    return WhyUnsolvable(cells);
  };
  // The edge between up and front has cells 3 and 50.
  EXPECT_EQ(exchanged(3, 50), "an edge is flipped");
  EXPECT_EQ(exchanged(4, 13), "a centre has the wrong colour");
  EXPECT_EQ(exchanged(3, 12), "a piece is there twice");
  EXPECT_EQ(exchanged(0, 13 - 4), "there is a piece with colours that no piece has");
}

}  // namespace
}  // namespace conpole
