#include "domains/puzzles/rubiks_cube.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

constexpr std::string_view kSolved = "A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f";

TEST(RubiksCubeTest, TurnsComeInOrderAndDiffer) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  std::vector<std::string> labels;
  std::set<std::string> states;
  for (const auto& [label, next] : ExpandCopy(*domain, domain->Generate(5)).actions) {
    labels.push_back(label);
    states.insert(next);
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"U1", "F1", "B1", "L1", "R1", "D1", "U-1", "F-1", "B-1", "L-1", "R-1", "D-1"}));
  EXPECT_EQ(states.size(), 12U);
}

TEST(RubiksCubeTest, OneTurnOfTheUpperFaceMovesFourStrips) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  // Seen from above and turned clockwise: what was in front is now on the left.
  const std::string turned = "A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f";
  EXPECT_EQ(Next(*domain, turned, "U-1"), kSolved);
  EXPECT_EQ(domain->Solved(turned), false);
}

TEST(RubiksCubeTest, NoMovesAtAllIsTheSolvedCube) {
  EXPECT_EQ(MakeDomain("rubiks-cube:min_moves=0,max_moves=0")->Generate(7), kSolved);
}

TEST(RubiksCubeTest, MalformedCubesAreRefusedWithTheirPosition) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  const auto error = [&](const std::string& text) {
    const Parsed parsed = domain->Parse(text);
    return parsed.error ? std::to_string(parsed.error->position) + ": " + parsed.error->message.english() : "none";
  };
  const std::string solved(kSolved);
  EXPECT_EQ(error(""), "0: expected 66 characters, found the end");
  EXPECT_EQ(error(solved.substr(0, 65)), "65: expected 66 characters, found the end");
  EXPECT_EQ(error(solved + "f"), "66: expected the end, found 'f'");
  EXPECT_EQ(error("a" + solved.substr(1)), "0: expected 'A', found 'a'");
  EXPECT_EQ(error(solved.substr(0, 10) + "A" + solved.substr(11)), "10: expected 'a', found 'A'");
  EXPECT_EQ(error("A6" + solved.substr(2)), "1: expected a colour 0 to 5, found '6'");
  EXPECT_EQ(error("A1" + solved.substr(2)), "0: there are not nine cells of each colour");
}

// Steps to go that fall by at most one per step, and are none at the goal, never overestimate.
TEST(RubiksCubeTest, StickersNeverOverestimateTheStepsToGo) {
  const std::unique_ptr<Domain> domain = MakeDomain("rubiks-cube");
  ASSERT_EQ(domain->type().heuristics.size(), 1U);
  const Heuristic& stickers = domain->type().heuristics.front();
  EXPECT_EQ(stickers.name, "stickers");
  EXPECT_EQ(stickers.steps_to_go("A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f"), 0.0F);
  EXPECT_EQ(stickers.steps_to_go("A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f"), 1.0F);
  EXPECT_EQ(stickers.steps_to_go("A111111111aB222222222bC333333333cD444444444dE555555555eF000000000f"), 54.0F / 12.0F);
  Successors successors;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string state = domain->Generate(seed);
    successors.Clear();
    domain->Expand(state, Labels::kOff, successors);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      EXPECT_GE(stickers.steps_to_go(successors.state(i)), stickers.steps_to_go(state) - 1);
    }
  }
}

}  // namespace
}  // namespace conpole
