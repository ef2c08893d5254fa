// Every cube is either solved, by steps that another program of turns follows, or refused for a reason that is true.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "subjects/free_notation.h"
#include "tests/cube_judge.h"
#include "tests/invariants.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"
#include "util/random.h"
#include "util/thread_pool.h"
#include "verify/cube.h"

namespace conpole {
namespace {

constexpr TutorBudget kNoSearch{.milliseconds = 0, .expansions = 0};

class CubeScramblesTest : public testing::Test {
 protected:
  // Of any number of turns.
  std::string Scramble(std::size_t turns) {
    std::string cells = SolvedCubeCells();
    for (std::size_t i = 0; i < turns; ++i) {
      cells = TurnCube(cells, random_.Uint64(0, 6), static_cast<int>(random_.Uint64(1, 4)));
    }
    return cells;
  }
  std::size_t AnyCell() { return static_cast<std::size_t>(random_.Uint64(0, kCubeCells)); }

  Random random_{11};
  std::unique_ptr<Domain> domain_ = MakeDomain("rubiks-cube");
  ThreadPool pool_{2};
  std::unique_ptr<Scorer> policy_ =
      MakePolicy(*domain_, pool_, {.model = std::string(CONPOLE_SOURCE) + "/models/rubiks-cube.safetensors"});
};

TEST_F(CubeScramblesTest, EveryScrambleIsSolvedByStepsThatCanBeMade) {
  const Facts& facts = *FindFacts("rubiks-cube");
  // However slow the machine: states are counted, not time.
  const TutorBudget budget{.milliseconds = UINT64_MAX, .expansions = 1'000'000};
  double quarter_turns = 0;
  constexpr std::size_t kCubes = 12;
  for (std::size_t i = 0; i < kCubes; ++i) {
    const std::string start = CubeState(Scramble(i < 4 ? 3 * i : 20 + 20 * i));
    ASSERT_TRUE(JudgeCube(FaceletsOf(start)).is_possible());
    Tutor tutor(*domain_, *policy_, pool_, {.explain = {}, .turns = i % 2 == 0 ? TurnCount::kQuarter : TurnCount::kHalf});
    const TutorSolution solution = tutor.Solve(start, budget);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << start << ": " << solution.message;
    EXPECT_TRUE(solution.verified());
    std::string state = start;
    for (const TutorStep& step : solution.steps) {
      ASSERT_EQ(step.before, state);
      // A half turn is two steps of the domain.
      if (step.label.ends_with("2")) {
        const std::string quarter(1, step.label.front());
        Successors next;
        domain_->Expand(state, Labels::kOn, next);
        for (std::size_t k = 0; k < next.size(); ++k) {
          if (next.label(k) != quarter + "1") continue;
          const std::string between(next.state(k));
          ASSERT_EQ(facts.find_unsound(state, quarter + "1", between), std::nullopt);
          ASSERT_EQ(facts.find_unsound(between, quarter + "1", step.after), std::nullopt);
        }
      } else {
        ASSERT_EQ(facts.find_unsound(state, step.label, step.after), std::nullopt);
      }
      state = step.after;
    }
    EXPECT_TRUE(JudgeCube(FaceletsOf(state)).is_solved);
    if (solution.turns) {
      quarter_turns += static_cast<double>(solution.turns->quarter);
      EXPECT_EQ(ReadNextLine(*domain_, start, solution.turns->singmaster).state, state) << "the line of turns does the same";
    }
  }
  EXPECT_LE(quarter_turns / kCubes, 26) << "short ones among them";
}

TEST_F(CubeScramblesTest, WhatIsRefusedIsRefusedForAReasonThatIsTrue) {
  Tutor tutor(*domain_, *policy_, pool_);
  std::size_t refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string cells = Scramble(round % 3 == 0 ? random_.Uint64(0, 3) : 30);
    // Stickers change places, so that each colour is there nine times; or pieces are taken out and put in otherwise.
    if (round % 2 == 0) {
      for (std::uint64_t swaps = random_.Uint64(1, 4); swaps > 0; --swaps) std::swap(cells[AnyCell()], cells[AnyCell()]);
    } else {
      // The edge UF is flipped, UF and UB are exchanged, the corner UFR is twisted: each or not.
      if (random_.Uint64(0, 2) == 0) std::swap(cells[3], cells[50]);
      if (random_.Uint64(0, 2) == 0) {
        std::swap(cells[3], cells[5]);
        std::swap(cells[50], cells[41]);
      }
      for (std::uint64_t thirds = random_.Uint64(0, 3); thirds > 0; --thirds) {
        std::swap(cells[6], cells[53]);
        std::swap(cells[53], cells[29]);
      }
    }
    const std::string state = CubeState(cells);
    const std::string facelets = FaceletsOf(state);
    const CubeJudgement judgement = JudgeCube(facelets);
    const TutorSolution solution = tutor.Solve(state, kNoSearch);
    ASSERT_EQ(solution.status == SolveStatus::kNoSolution, !judgement.is_possible()) << facelets << ": " << solution.message;
    if (judgement.is_possible()) continue;
    ++refused;
    ASSERT_EQ(FindLie(facelets, solution.message), std::nullopt) << facelets << ": " << solution.message;
  }
  EXPECT_GT(refused, 2000U);
}

// The judge itself, so that it does not simply agree with everything.
TEST_F(CubeScramblesTest, TheJudgeFindsLies) {
  const std::string solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
  EXPECT_TRUE(JudgeCube(solved).is_possible());
  EXPECT_TRUE(JudgeCube(solved).is_solved);
  EXPECT_NE(FindLie(solved, "No turns solve this cube: an edge is flipped."), std::nullopt);
  std::string flipped = solved;
  std::swap(flipped[7], flipped[19]);
  EXPECT_EQ(JudgeCube(flipped).flip, 1);
  EXPECT_EQ(FindLie(flipped, "No turns solve this cube: the edge UF is flipped."), std::nullopt);
  for (const char* lie : {"No turns solve this cube: the edge UB is flipped.", "No turns solve this cube: a corner is twisted.",
                          "No turns solve this cube: two pieces are exchanged, and an edge is flipped.",
                          "No turns solve this cube: the piece UF is there twice.", "No turns solve this cube: .", "",
                          "No turns solve this cube: the centres have not the colours of their faces.",
                          "No turns solve this cube: at UF are the colours UF, and no piece has these."}) {
    EXPECT_NE(FindLie(flipped, lie), std::nullopt) << lie;
  }
}

}  // namespace
}  // namespace conpole
