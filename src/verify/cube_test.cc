#include "verify/cube.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

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
    EXPECT_FALSE(FindCubeFault(cells).any());
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

// Exchanges the colours of two cells.
std::string Exchanged(std::string cells, std::size_t a, std::size_t b) {
  std::swap(cells[a], cells[b]);
  return cells;
}

TEST(CubeTest, SaysWhyColoursCannotBeReached) {
  const std::string solved = SolvedCubeCells();
  EXPECT_TRUE(IsCubeSolved(solved));
  EXPECT_FALSE(IsCubeSolved(TurnCube(solved, 0, 1)));
  EXPECT_FALSE(IsCubeSolved(""));
  // The edge between up and front has cells 3 and 50; that between up and back 5 and 41.
  EXPECT_EQ(FindCubeFault(Exchanged(solved, 3, 50)).flipped_edge, "UF");
  EXPECT_TRUE(FindCubeFault(Exchanged(solved, 4, 13)).centres);
  // Cell 12 is on the edge between down and back.
  EXPECT_EQ(FindCubeFault(Exchanged(solved, 3, 12)).twice, "UB");
  const CubeFault none_such = FindCubeFault(Exchanged(solved, 50, 12));
  EXPECT_EQ(none_such.no_such, "DB");
  EXPECT_EQ(none_such.colours, "FB");
  const CubeFault exchanged = FindCubeFault(Exchanged(solved, 50, 41));
  EXPECT_TRUE(exchanged.exchanged && !exchanged.twisted && !exchanged.flipped);
  EXPECT_EQ(exchanged.exchanged_pieces[0] + " " + exchanged.exchanged_pieces[1], "UB UF");
  // The corner between up, front and right has cells 6, 53 and 29.
  const CubeFault mirrored = FindCubeFault(Exchanged(solved, 53, 29));
  EXPECT_EQ(mirrored.mirrored, "UFR");
  const CubeFault twisted = FindCubeFault(Exchanged(Exchanged(solved, 6, 53), 53, 29));
  EXPECT_TRUE(twisted.twisted && !twisted.exchanged && !twisted.flipped);
  EXPECT_EQ(twisted.twisted_corner, "UFR");
}

// After any turns, each way of taking a cube apart is found, and nothing else is.
TEST(CubeTest, FindsEveryKindOfFaultInScrambledCubes) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube:min_moves=30,max_moves=60");
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string scrambled = CubeCells(domain->Generate(seed));
    ASSERT_FALSE(FindCubeFault(scrambled).any());
    for (int kind = 1; kind < 8; ++kind) {
      std::string cells = scrambled;
      if ((kind & 1) != 0) {
        // What is on the edges UF and UB changes places.
        cells = Exchanged(Exchanged(cells, 3, 5), 50, 41);
      }
      if ((kind & 2) != 0) cells = Exchanged(Exchanged(cells, 6, 53), 53, 29);
      if ((kind & 4) != 0) cells = Exchanged(cells, 3, 50);
      const CubeFault fault = FindCubeFault(cells);
      EXPECT_TRUE(fault.any());
      EXPECT_FALSE(fault.centres || !fault.no_such.empty() || !fault.twice.empty() || !fault.mirrored.empty());
      EXPECT_EQ(fault.exchanged, (kind & 1) != 0);
      EXPECT_EQ(fault.twisted, (kind & 2) != 0);
      EXPECT_EQ(fault.flipped, (kind & 4) != 0);
    }
  }
}

TEST(CubeTest, LayersAndTheWholeCubeTurn) {
  const std::string solved = SolvedCubeCells();
  const std::string scrambled = CubeCells(MakeDomain("rubiks-cube:min_moves=30,max_moves=30")->Generate(7));
  for (std::size_t face = 0; face < kCubeFaces.size(); ++face) {
    for (const CubeLayers layers : {CubeLayers::kFace, CubeLayers::kSlice, CubeLayers::kWide, CubeLayers::kWhole}) {
      EXPECT_EQ(TurnCube(scrambled, face, layers, 4), scrambled);
      EXPECT_NE(TurnCube(scrambled, face, layers, 1), scrambled);
      // Held upright, it is one that turns lead to.
      const std::optional<std::string> held = HeldUpright(TurnCube(scrambled, face, layers, 1));
      ASSERT_TRUE(held);
      EXPECT_FALSE(FindCubeFault(*held).any());
    }
    // A face and the two layers behind it are the whole cube.
    EXPECT_EQ(TurnCube(TurnCube(TurnCube(scrambled, face, 1), face, CubeLayers::kSlice, 1), face ^ 1U, 3),
              TurnCube(scrambled, face, CubeLayers::kWhole, 1));
    EXPECT_EQ(HeldUpright(TurnCube(solved, face, CubeLayers::kWhole, 1)), solved);
  }
  EXPECT_EQ(HeldUpright(Exchanged(solved, 4, 13)), std::nullopt) << "mirrored";
}

}  // namespace
}  // namespace conpole
