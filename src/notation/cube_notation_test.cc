#include "notation/cube_notation.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "notation/notation.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "tutor/tutor.h"
#include "util/random.h"
#include "verify/cube.h"

namespace conpole {
namespace {

class CubeNotationTest : public testing::Test {
 protected:
  std::string Read(std::string_view text) {
    const NotationResult read = ReadNotation(*domain_, text);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    return read.state;
  }
  std::string ErrorOf(std::string_view text) {
    const NotationResult read = ReadNotation(*domain_, text);
    EXPECT_TRUE(read.error) << text << " was read as " << read.reading;
    return read.error ? read.error->message.english() : "";
  }
  std::string MessageFor(const std::string& state, const std::string& language) {
    Tutor tutor(*domain_, *scorer_, pool_, {.explain = {.language = language}});
    const TutorSolution solution = tutor.Solve(state, {.milliseconds = 0, .expansions = 0});
    EXPECT_EQ(solution.status, SolveStatus::kNoSolution) << state;
    EXPECT_TRUE(solution.steps.empty());
    return solution.message;
  }
  // 54 letters in the order U R F D L B.
  std::string FaceletsOf(const std::string& state) {
    std::string letters;
    for (const char c : WriteNotation(*domain_, state)) {
      if (c != ' ') letters += c;
    }
    return letters;
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("rubiks-cube:min_moves=30,max_moves=60");
  std::unique_ptr<Scorer> scorer_ = MakeScorer("stickers", domain_->type(), 0);
  ThreadPool pool_{1};
};

TEST_F(CubeNotationTest, ReadsTurnsInGroups) {
  EXPECT_EQ(Read("(R U R' U')2"), Read("R U R' U' R U R' U'"));
  EXPECT_EQ(Read("(R U R' U')^2"), Read("R U R' U' R U R' U'"));
  EXPECT_EQ(Read("(R U)'"), Read("U' R'"));
  EXPECT_EQ(Read("((R U)2 F)2'"), Read("F' U' R' U' R' F' U' R' U' R'"));
  EXPECT_EQ(Read("R2'"), Read("R2"));
  EXPECT_EQ(Read("R'2"), Read("R R"));
  EXPECT_EQ(Read("R3"), Read("R'"));
  EXPECT_EQ(Read("[R, U]"), Read("R U R' U'"));
  EXPECT_EQ(Read("[R: U]"), Read("R U R'"));
  EXPECT_EQ(Read("R, U; F-1"), Read("RUF'"));
  EXPECT_NE(ErrorOf("(R U"), "");
  EXPECT_NE(ErrorOf("R U)"), "");
  EXPECT_NE(ErrorOf("R4"), "");
  EXPECT_NE(ErrorOf("Q"), "");
  EXPECT_NE(ErrorOf("w"), "");
  EXPECT_NE(ErrorOf("()"), "");
  EXPECT_NE(ErrorOf("(R)99999"), "");
  EXPECT_EQ(ErrorOf("((((R)100)100)100)"), "there are more than 10000 turns");
  EXPECT_NE(ErrorOf(std::string(1000, '(') + "R"), "");
}

TEST_F(CubeNotationTest, ReadsLayersAndTheWholeCube) {
  const std::string solved = CubeState(SolvedCubeCells());
  EXPECT_EQ(Read("x y z'"), solved);
  EXPECT_EQ(Read("M"), Read("R L'"));
  EXPECT_EQ(Read("E"), Read("U D'"));
  EXPECT_EQ(Read("S"), Read("F' B"));
  EXPECT_EQ(Read("Rw"), Read("L"));
  EXPECT_EQ(Read("r U"), Read("Rw U"));
  EXPECT_EQ(Read("x U"), Read("F")) << "the front comes up";
  EXPECT_EQ(Read("M2 E2 S2"), Read("U2 D2 R2 L2 F2 B2")) << "the chess board";
}

TEST_F(CubeNotationTest, ReadsFaceletsInManyWays) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string state = domain_->Generate(seed);
    const std::string letters = FaceletsOf(state);
    EXPECT_EQ(Read(letters), state);
    std::string lower = letters;
    for (char& c : lower) c = static_cast<char>(c - 'A' + 'a');
    EXPECT_EQ(Read(lower), state);
    const auto face = [&](char name) { return letters.substr(9 * std::string_view("URFDLB").find(name), 9); };
    // Faces in any order, and in threes.
    std::string own_order;
    std::string threes;
    for (const char name : kCubeFaces) own_order += face(name) + ' ';
    for (std::size_t i = 0; i < letters.size(); i += 3) threes += letters.substr(i, 3) + ' ';
    EXPECT_EQ(Read(own_order), state);
    EXPECT_EQ(Read(threes), state);
    // Unfolded.
    std::string net;
    const auto row = [&](char name, std::size_t r) { return face(name).substr(3 * r, 3); };
    for (std::size_t r = 0; r < 3; ++r) net += "    " + row('U', r) + "\n";
    for (std::size_t r = 0; r < 3; ++r) net += row('L', r) + ' ' + row('F', r) + ' ' + row('R', r) + ' ' + row('B', r) + "\n";
    for (std::size_t r = 0; r < 3; ++r) net += "    " + row('D', r) + "\n";
    EXPECT_EQ(Read(net), state) << net;
    // Colours: white up, red right, green front, yellow down, orange left, blue back.
    const auto coloured = [&](std::string text) {
      for (char& c : text) {
        const std::size_t place = std::string_view("URFDLB").find(c);
        if (place != std::string_view::npos) c = "WRGYOB"[place];
      }
      return text;
    };
    EXPECT_EQ(Read(coloured(letters)), state);
    EXPECT_EQ(Read(coloured(own_order)), state);
    EXPECT_EQ(Read(coloured(net)), state);
    EXPECT_EQ(Read(CubeCells(state)), state) << "digits in the order of the domain";
    EXPECT_EQ(Read(state), state);
  }
}

TEST_F(CubeNotationTest, FaceletsAreNeverReadAsTurns) {
  const std::string solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
  EXPECT_EQ(ErrorOf(solved.substr(1)), "there are 53 facelets, and a cube has 54");
  EXPECT_EQ(ErrorOf(solved + "B"), "there are 55 facelets, and a cube has 54");
  EXPECT_EQ(ErrorOf("UUUUUUUUU RRRRRRRRR"), "there are 18 facelets, and a cube has 54");
  std::string wrong = solved;
  wrong[0] = 'R';
  EXPECT_EQ(ErrorOf(wrong), "every colour is there 9 times, but here are 10 of R and 8 of U");
  wrong[0] = 'X';
  EXPECT_EQ(ErrorOf(wrong), "'X' is no facelet; they are written U R F D L B or W R G B O Y");
  wrong = solved;
  std::swap(wrong[4], wrong[9]);
  EXPECT_EQ(ErrorOf(wrong), "R is in the middle of two faces, where each of the six has a colour of its own");
  EXPECT_EQ(ErrorOf(std::string(53, '1')), "there are 53 facelets, and a cube has 54");
  EXPECT_EQ(ErrorOf(std::string(54, '7')), "'7' is no facelet; in digits they are written 0 to 5");
  EXPECT_EQ(ErrorOf("WWWWWWWWW"), "there are 9 facelets, and a cube has 54");
  // Of any scrambled cube, one facelet wrong or missing is an error.
  Random random(5);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::string letters = FaceletsOf(domain_->Generate(seed));
    const std::size_t at = static_cast<std::size_t>(random.Uint64(0, kCubeCells));
    std::string other = letters;
    other[at] = other[at] == 'U' ? 'D' : 'U';
    EXPECT_NE(ErrorOf(other).find("9 times"), std::string::npos);
    EXPECT_NE(ErrorOf(letters.erase(at, 1)).find("53 facelets"), std::string::npos);
  }
}

// Letters are read by the centres, so a cube whose centres are not at home is written otherwise.
TEST_F(CubeNotationTest, EveryStateIsReadBackFromHowItIsWritten) {
  Random random(6);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::string cells = CubeCells(domain_->Generate(seed));
    const auto cell = static_cast<std::size_t>(random.Uint64(0, kCubeCells));
    const auto centre = static_cast<std::size_t>(9 * random.Uint64(0, 6) + 4);
    std::swap(cells[cell], cells[centre]);
    const std::string state = CubeState(cells);
    EXPECT_EQ(Read(WriteNotation(*domain_, state)), state);
    EXPECT_EQ(Read(WriteLatex(*domain_, state)), state);
  }
}

TEST_F(CubeNotationTest, CubesThatCannotBeAreNamedAtOnce) {
  const auto read = [&](std::string_view up, std::string_view right, std::string_view front, std::string_view rest) {
    return Read(std::string(up) + std::string(right) + std::string(front) + std::string(rest));
  };
  const std::string flipped = read("UUUUUUUFU", "RRRRRRRRR", "FUFFFFFFF", "DDDDDDDDDLLLLLLLLLBBBBBBBBB");
  EXPECT_EQ(MessageFor(flipped, "en"), "No turns solve this cube: the edge UF is flipped.");
  EXPECT_EQ(MessageFor(flipped, "de"), "Keine Drehungen lösen diesen Würfel: Die Kante UF ist gekippt.");
  const std::string twisted = read("UUUUUUUUF", "URRRRRRRR", "FFRFFFFFF", "DDDDDDDDDLLLLLLLLLBBBBBBBBB");
  EXPECT_EQ(MessageFor(twisted, "en"), "No turns solve this cube: the corner UFR is twisted.");
  const std::string exchanged = read("UUUUUUUUU", "RFRRRRRRR", "FRFFFFFFF", "DDDDDDDDDLLLLLLLLLBBBBBBBBB");
  EXPECT_EQ(MessageFor(exchanged, "en"), "No turns solve this cube: the pieces UF and UR are exchanged.");
  const std::string twice = read("UUUUUUUDU", "RRRRRRRRR", "FFFFFFFFF", "DUDDDDDDDLLLLLLLLLBBBBBBBBB");
  EXPECT_NE(MessageFor(twice, "en").find("No turns solve this cube"), std::string::npos);
  // A learner's line that is such a cube is wrong, for the same reason.
  Tutor tutor(*domain_, *scorer_, pool_);
  EXPECT_EQ(tutor.Check(CubeState(SolvedCubeCells()), WriteNotation(*domain_, flipped)).message,
            "No turns solve this cube: the edge UF is flipped.");
  EXPECT_EQ(tutor.Hint(flipped, 1).text, "No turns solve this cube: the edge UF is flipped.");
}

}  // namespace
}  // namespace conpole
