#include "verify/cube_turns.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "notation/cube_notation.h"
#include "notation/cube_picture.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "tutor/format.h"
#include "tutor/tutor.h"
#include "util/random.h"
#include "verify/cube.h"

namespace conpole {
namespace {

// "R U' F2" as turns.
std::vector<CubeTurn> Turns(std::string_view text) {
  std::vector<CubeTurn> turns;
  for (const char c : text) {
    if (c == ' ') continue;
    if (c == '\'' || c == '2') {
      turns.back().quarters = c == '2' ? 2 : 3;
    } else {
      turns.push_back({kCubeFaces.find(c), 1});
    }
  }
  return turns;
}
CubeTurn RandomTurn(Random& random, std::uint64_t faces) {
  const auto face = static_cast<std::size_t>(random.Uint64(0, faces));
  return {face, static_cast<int>(random.Uint64(1, 4))};
}
std::string Joined(std::string_view text) { return Singmaster(JoinTurns(Turns(text))); }

std::string Turned(std::string cells, const std::vector<CubeTurn>& turns) {
  for (const CubeTurn& turn : turns) cells = TurnCube(cells, turn.face, turn.quarters);
  return cells;
}

TEST(CubeTurnsTest, TurnsAreWrittenAsPeopleDo) {
  for (const auto& [label, written] :
       {std::pair("U1", "U"), std::pair("U-1", "U'"), std::pair("F2", "F2"), std::pair("B-1", "B'")}) {
    EXPECT_EQ(Singmaster(CubeTurnOf(label)), written);
    EXPECT_EQ(LabelOf(CubeTurnOf(label)), label);
  }
  EXPECT_EQ(Singmaster(Turns("R U' F2")), "R U' F2");
  EXPECT_EQ(Singmaster(Turns("")), "");
  for (const char* label : {"", "U", "U3", "X1", "1U", "U-2"}) EXPECT_THROW(CubeTurnOf(label), Error) << label;
}

TEST(CubeTurnsTest, JoinsTurnsOfOneFace) {
  EXPECT_EQ(Joined("F F"), "F2");
  EXPECT_EQ(Joined("F' F'"), "F2");
  EXPECT_EQ(Joined("F F F"), "F'");
  EXPECT_EQ(Joined("F F F F"), "");
  EXPECT_EQ(Joined("F2 F'"), "F");
  EXPECT_EQ(Joined("R L R"), "R2 L") << "opposite faces do not meet";
  EXPECT_EQ(Joined("L' R L'"), "L2 R");
  EXPECT_EQ(Joined("R L R'"), "L");
  EXPECT_EQ(Joined("R L R L"), "R2 L2");
  EXPECT_EQ(Joined("U D U' D'"), "");
  EXPECT_EQ(Joined("R U R"), "R U R") << "others do";
  EXPECT_EQ(Joined("U R R' U"), "U2") << "what is undone is not between them";
  EXPECT_EQ(Joined("U R L R' L' D U'"), "D");
  EXPECT_EQ(Joined(""), "");
}

TEST(CubeTurnsTest, CountsQuartersAndSplitsHalves) {
  EXPECT_EQ(CountQuarterTurns(Turns("R U' F2")), 4U);
  EXPECT_EQ(Singmaster(SplitTurns(Turns("R U' F2"))), "R U' F F");
  EXPECT_EQ(CountQuarterTurns({}), 0U);
}

// All ways to rewrite a sequence by the rules that JoinTurns may use: two turns of opposite faces change places, two of one
// face become one or none.
std::size_t FewestTurns(const std::vector<CubeTurn>& turns) {
  std::map<std::string, std::vector<CubeTurn>> seen{{Singmaster(turns), turns}};
  std::deque<std::vector<CubeTurn>> queue{turns};
  std::size_t fewest = turns.size();
  while (!queue.empty()) {
    const std::vector<CubeTurn> now = queue.front();
    queue.pop_front();
    fewest = std::min(fewest, now.size());
    for (std::size_t i = 0; i + 1 < now.size(); ++i) {
      std::vector<CubeTurn> next = now;
      if (now[i].face == (now[i + 1].face ^ 1U)) {
        std::swap(next[i], next[i + 1]);
      } else if (now[i].face == now[i + 1].face) {
        next[i].quarters = (now[i].quarters + now[i + 1].quarters) % 4;
        next.erase(next.begin() + static_cast<std::ptrdiff_t>(i) + (next[i].quarters == 0 ? 0 : 1));
        if ((now[i].quarters + now[i + 1].quarters) % 4 == 0) next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        continue;
      }
      if (seen.emplace(Singmaster(next), next).second) queue.push_back(std::move(next));
    }
  }
  return fewest;
}

TEST(CubeTurnsTest, JoinedTurnsDoTheSameAndNoRewritingIsShorter) {
  Random random(3);
  const std::string solved = SolvedCubeCells();
  for (int round = 0; round < 2000; ++round) {
    // Few faces, so that turns meet.
    const std::uint64_t faces = 2 + random.Uint64(0, 3);
    std::vector<CubeTurn> turns(static_cast<std::size_t>(random.Uint64(0, 8)));
    for (CubeTurn& turn : turns) turn = RandomTurn(random, faces);
    const std::vector<CubeTurn> joined = JoinTurns(turns);
    ASSERT_EQ(Turned(solved, joined), Turned(solved, turns)) << Singmaster(turns);
    ASSERT_EQ(Turned(solved, SplitTurns(joined)), Turned(solved, turns)) << Singmaster(turns);
    ASSERT_EQ(joined.size(), FewestTurns(turns)) << Singmaster(turns) << " as " << Singmaster(joined);
    ASSERT_EQ(JoinTurns(joined), joined);
    ASSERT_EQ(SplitTurns(joined).size(), CountQuarterTurns(joined));
    ASSERT_LE(CountQuarterTurns(joined), CountQuarterTurns(turns));
  }
}

class CubeForPeopleTest : public testing::Test {
 protected:
  TutorSolution Solve(std::string_view turns, TurnCount count, const std::string& language = "en") {
    Tutor tutor(*domain_, *scorer_, pool_, {.explain = {.language = language}, .turns = count});
    return tutor.Solve(Read(turns));
  }
  std::string Read(std::string_view text) { return ReadNotation(*domain_, text).state; }
  Line LineOf(std::string_view text) { return SubjectOf(*domain_).Understand(Read(text)); }

  std::unique_ptr<Domain> domain_ = MakeDomain("rubiks-cube");
  std::unique_ptr<Scorer> scorer_ = MakeScorer("stickers", domain_->type(), 0);
  ThreadPool pool_{1};
};

TEST_F(CubeForPeopleTest, ASolutionIsOneLineOfTurns) {
  const TutorSolution by_quarters = Solve("R U2", TurnCount::kQuarter);
  ASSERT_TRUE(by_quarters.turns);
  EXPECT_EQ(by_quarters.turns->quarter, 3U);
  EXPECT_EQ(by_quarters.turns->half, 2U);
  EXPECT_EQ(by_quarters.steps.size(), 3U);
  EXPECT_EQ(Read("R U2 " + by_quarters.turns->singmaster), CubeState(SolvedCubeCells()));
  EXPECT_EQ(by_quarters.message, "Solved, and verified. 3 quarter turns, or 2 where a half turn counts as one.");
  EXPECT_EQ(by_quarters.steps.back().name, "R'");
  EXPECT_EQ(by_quarters.steps.back().text, "R': Turn the right face counter-clockwise.");

  const TutorSolution by_halves = Solve("R U2", TurnCount::kHalf, "de");
  ASSERT_TRUE(by_halves.turns);
  EXPECT_EQ(by_halves.turns->singmaster, "U2 R'");
  EXPECT_EQ(by_halves.turns->quarter, 3U);
  EXPECT_EQ(by_halves.turns->half, 2U);
  EXPECT_EQ(by_halves.message, "Gelöst und überprüft. 2 Drehungen, oder 3 Vierteldrehungen.");
  ASSERT_EQ(by_halves.steps.size(), 2U);
  EXPECT_EQ(by_halves.steps.front().text, "U2: Drehe die obere Seite halb herum.");
  EXPECT_EQ(by_halves.steps.front().label, "U2");
  EXPECT_EQ(by_halves.steps.front().after, by_halves.steps.back().before);
  EXPECT_EQ(by_halves.steps.back().after, CubeState(SolvedCubeCells()));

  EXPECT_EQ(Solve("F", TurnCount::kQuarter).message, "Solved, and verified. 1 quarter turn.");
  EXPECT_EQ(Solve("F", TurnCount::kHalf).message, "Solved, and verified. 1 turn: a quarter turn.");
  EXPECT_EQ(Solve("F2", TurnCount::kHalf).message, "Solved, and verified. 1 turn: two quarter turns.");
  const TutorSolution nothing = Solve("F F'", TurnCount::kHalf);
  EXPECT_FALSE(nothing.turns);
  EXPECT_EQ(nothing.message, "Solved, and verified.");
}

TEST_F(CubeForPeopleTest, TurnsThatUndoEachOtherAreNotShown) {
  const Subject& subject = SubjectOf(*domain_);
  const auto path_of = [&](std::string_view text) {
    LabelledPath path{{CubeState(SolvedCubeCells())}, {}};
    for (const CubeTurn& turn : Turns(text)) {
      path.labels.push_back(LabelOf(turn));
      path.states.push_back(CubeState(TurnCube(CubeCells(path.states.back()), turn.face, turn.quarters)));
    }
    return path;
  };
  const LabelledPath path = path_of("R L R' U U U");
  const LabelledPath shown = subject.Condensed(path, TurnCount::kQuarter);
  EXPECT_EQ(shown.labels, (std::vector<std::string>{"L1", "U-1"}));
  EXPECT_EQ(shown.states.front(), path.states.front());
  EXPECT_EQ(shown.states.back(), path.states.back());
  EXPECT_EQ(shown.states.size(), 3U);
  EXPECT_EQ(subject.Condensed(path_of("R L R"), TurnCount::kQuarter).labels, path_of("R L R").labels)
      << "as short as it can be";
  EXPECT_EQ(subject.Condensed(path_of("R L R"), TurnCount::kHalf).labels, (std::vector<std::string>{"R2", "L1"}));
}

TEST_F(CubeForPeopleTest, HintsNextStepsAndChecksNameTheTurn) {
  Tutor tutor(*domain_, *scorer_, pool_);
  EXPECT_EQ(tutor.Hint(Read("R"), 1).text, "Turn the right face.");
  EXPECT_EQ(tutor.Hint(Read("R"), 2).text, "R': Turn the right face counter-clockwise.");
  EXPECT_EQ(Tutor(*domain_, *scorer_, pool_, {.explain = {}, .turns = TurnCount::kHalf}).Hint(Read("R2"), 2).text,
            "R2: Turn the right face half round.");
  for (const NextStep& next : tutor.NextSteps(Read("R"))) {
    EXPECT_EQ(next.step.name, Singmaster(CubeTurnOf(next.step.label)));
    EXPECT_TRUE(next.step.text.starts_with(next.step.name + ": ")) << next.step.text;
  }
  const StepCheck check = tutor.Check(Read("R U"), "U'");
  EXPECT_EQ(check.step, "U'");
  EXPECT_EQ(check.message, "U': Correct, and a step towards the answer.");
  // Also where the line is colours and not turns.
  EXPECT_EQ(tutor.Check(Read("R U2"), WriteNotation(*domain_, Read("R"))).step, "U2");
  EXPECT_EQ(tutor.Check(Read("R U"), "U' R'").step, "") << "two turns are no step";
}

TEST_F(CubeForPeopleTest, ThePictureIsReadBackAndColoursAreAnOption) {
  const Subject& subject = SubjectOf(*domain_);
  Random random(8);
  for (int round = 0; round < 50; ++round) {
    std::string text;
    for (int i = 0; i < 20; ++i) text += Singmaster(RandomTurn(random, 6)) + " ";
    const std::string plain = subject.Draw(LineOf(text).state, false);
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
    EXPECT_EQ(Read(plain), Read(text)) << plain;
    // The same letters stand in the coloured one.
    std::string letters;
    const std::string coloured = subject.Draw(LineOf(text).state, true);
    for (std::size_t i = 0; i < coloured.size(); ++i) {
      if (coloured[i] == '\x1b')
        i = coloured.find('m', i);
      else if (kCubeFaces.find(coloured[i]) != std::string_view::npos)
        letters += coloured[i];
    }
    std::string expected;
    for (const char c : plain) {
      if (kCubeFaces.find(c) != std::string_view::npos) expected += c;
    }
    EXPECT_EQ(letters, expected);
  }
  EXPECT_EQ(subject.Draw(LineOf("R").state, false),
            "    UUF\n    UUF\n    UUF\nLLL FFD RRR UBB\nLLL FFD RRR UBB\nLLL FFD RRR UBB\n    DDB\n    DDB\n    DDB");
  const TutorSolution solution = Solve("R", TurnCount::kQuarter);
  const std::string text = FormatSolution(*domain_, solution, {Format::kText});
  EXPECT_TRUE(text.starts_with(subject.Draw(LineOf("R").state, false) + "\n\n")) << text;
  EXPECT_TRUE(text.ends_with("\nR'\n-- Solved, and verified. 1 quarter turn.")) << text;
  const std::string coloured = FormatSolution(*domain_, solution, {.is_coloured = true});
  EXPECT_TRUE(coloured.starts_with(subject.Draw(LineOf("R").state, true) + "\n\n")) << coloured;
}

}  // namespace
}  // namespace conpole
