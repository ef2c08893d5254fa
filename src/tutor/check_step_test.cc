#include "tutor/check_step.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "subjects/subject.h"
#include "subjects/verify.h"
#include "tests/check_text.h"
#include "tests/invariants.h"
#include "tests/repetitions.h"
#include "util/random.h"
#include "util/text.h"
#include "verify/exact.h"

namespace conpole {
namespace {

using CheckKind = StepCheck::Kind;
using Side = StepCheck::Side;

StepCheck Check(std::string_view name, std::string_view current, std::string_view line, const Distance& distance = {}) {
  const std::unique_ptr<Domain> domain = MakeDomain(name);
  const Parsed parsed = domain->Parse(current);
  EXPECT_FALSE(parsed.error) << current;
  return CheckStep(*domain, parsed.state, line, distance);
}

TEST(CheckStepTest, AcceptsEquivalentLinesHoweverFarAhead) {
  for (const char* const line :
       {"2x = 7 - 3", "2x = 4", "x = 4/2", "2x+3-3=7-3", "4 = 2x", "2(x+1) = 6", "2x - 4 = 0", "x/2 = 1"}) {
    EXPECT_EQ(Check("equations", "2x + 3 = 7", line).kind, CheckKind::kCorrect) << line;
  }
  EXPECT_EQ(Check("equations", "2x + 3 = 7", "x = 2").kind, CheckKind::kSolved);
  EXPECT_EQ(Check("equations", "2x + 3 = 7", "x = 2").message, "Correct, and this is the answer.");
  EXPECT_EQ(Check("equations", "2x + 3 = 7", "2x+3 = 7").kind, CheckKind::kNotCloser);
  EXPECT_EQ(Check("equations", "x = x + 1", "0 = 1").kind, CheckKind::kCorrect);
  EXPECT_EQ(Check("fractions", "[1]/[2] + [1]/[3]", "3/6 + 2/6").kind, CheckKind::kCorrect);
  EXPECT_EQ(Check("fractions", "[1]/[2] + [1]/[3]", "5/6").kind, CheckKind::kSolved);
  EXPECT_EQ(Check("multiplication", "(12e0 * 34e0)", "12*30 + 12*4").kind, CheckKind::kCorrect);
  EXPECT_EQ(Check("ternary-addition", "#(c3 b3)", "b4").kind, CheckKind::kSolved);
  EXPECT_EQ(Check("sorting", "[===|=|==]", "[2, 1, 3]").kind, CheckKind::kCorrect);
  EXPECT_EQ(Check("sorting", "[===|=|==]", "1 2 3").kind, CheckKind::kSolved);
}

TEST(CheckStepTest, SaysWhatDiffers) {
  const StepCheck side = Check("equations", "2x + 3 = 7", "2x + 3 = 8");
  EXPECT_EQ(side.kind, CheckKind::kNotEquivalent);
  EXPECT_EQ(side.side, Side::kRight);
  EXPECT_EQ(side.message, "7 became 8. Was it copied wrongly?");
  EXPECT_EQ(Check("equations", "2x + 3 = 7", "2x + 4 = 7").side, Side::kLeft);
  EXPECT_EQ(Check("equations", "2x + 3 = 7", "2x = 10").side, Side::kNone);
  EXPECT_EQ(Check("algebra", "x^2 + x = 4", "x^2 + x = 9x").side, Side::kRight);
  EXPECT_EQ(Check("algebra", "4 = x^2 + x", "9x = x^2 + x").side, Side::kLeft);
  const auto message = [](std::string_view name, std::string_view current, std::string_view line) {
    const StepCheck check = Check(name, current, line);
    EXPECT_EQ(check.kind, CheckKind::kNotEquivalent) << line;
    return check.message;
  };
  EXPECT_EQ(message("equations", "2x + 3 = 7", "2x = 10"),
            "It looks as if 3 went to the other side and kept its sign. A term that changes sides changes its sign.");
  EXPECT_EQ(message("equations", "2x = 4", "2/(x - 2) = 1"), "This line does not have the same solutions as the line before.");
  EXPECT_EQ(message("equations", "2x = 4", "2y = 4"), "The unknown was x and is now y.");
  EXPECT_EQ(message("equations", "2x = 4", "x*x = 4"), "This line has a solution that the line before does not have.");
  EXPECT_EQ(message("equations", "x = x + 1", "x = 0"), "This line has a solution that the line before does not have.");
  EXPECT_EQ(message("equations", "x = x + 1", "x = x"), "This line has a solution that the line before does not have.");
  EXPECT_EQ(message("equations", "x = x", "x = 0"),
            "Solutions are missing: not every number that solves the line before solves this line.");
  EXPECT_EQ(message("fractions", "[1]/[2] + [1]/[3]", "2/5"),
            "In 1/2 + 1/3 numerators and denominators were taken together. Fractions need a common denominator, which stays as "
            "it is.");
  EXPECT_EQ(message("multiplication", "(12e0 * 34e0)", "12*30 + 4"), "Work it out again: 12 · 34 is not 12 · 30 + 4.");
  EXPECT_EQ(message("ternary-addition", "#(c3 b3)", "b3"), "The value changed.");
  EXPECT_EQ(message("sorting", "[===|=|==]", "[1, 2]"), "A bar of length 3 is missing.");
  EXPECT_EQ(message("sorting", "[===|=|==]", "[1, 2, 3, 3]"), "There is a bar of length 3 too many.");
  EXPECT_EQ(message("rubiks-cube", "A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f",
                    "A000500000aB111111111bC222222222cD333333333dE444444444eF555550555f"),
            "No turns solve this cube: the edge UF is flipped.");
}

TEST(CheckStepTest, SaysWhereALineCannotBeRead) {
  const StepCheck check = Check("equations", "2x + 3 = 7", "2x = = 4");
  EXPECT_EQ(check.kind, CheckKind::kUnreadable);
  EXPECT_EQ(check.error->position, 5U);
  EXPECT_EQ(check.message, "This line cannot be read at position 5: expected a number or a term, found '='.");
  EXPECT_FALSE(check.correct());
}

TEST(CheckStepTest, WarnsOfLegalStepsThatChangeTheSolutions) {
  const StepCheck gained = Check("equations", "2x = 6", "2x * x = 6 * x");
  EXPECT_TRUE(gained.correct());
  EXPECT_TRUE(gained.changes_solutions);
  EXPECT_EQ(gained.message, "Allowed, but be careful: x = 0 solves this line, and not the line before.");
  const StepCheck lost = Check("equations", "2x = (x * 3)", "2x / x = (x * 3) / x");
  EXPECT_TRUE(lost.changes_solutions);
  EXPECT_EQ(lost.message, "Allowed, but be careful: this line does not have exactly the same solutions as the line before.");
  // Two steps at once are not a step that an axiom allows.
  EXPECT_EQ(Check("equations", "2x = 6", "2x * x = x * 6").kind, CheckKind::kNotEquivalent);
}

TEST(CheckStepTest, AsksForTheDistance) {
  const auto length = [](const Problem& line) { return std::optional<double>(static_cast<double>(line.line.state.size())); };
  EXPECT_EQ(Check("equations", "2x + 3 = 7", "2x = 4", length).kind, CheckKind::kProgress);
  EXPECT_EQ(Check("equations", "2x = 4", "2x + 3 = 7", length).kind, CheckKind::kCorrect);
  EXPECT_EQ(Check("equations", "2x = 4", "2x + 3 = 7", length).message, "Correct, and there is still something to do.");
  EXPECT_EQ(Check("equations", "2x = 4", "2x = 4", length).kind, CheckKind::kNotCloser);
  EXPECT_EQ(Check("equations", "2x = 4", "2x = 4", length).message, "Correct, but this only repeats the line before.");
  // A turn or a swap that leads away is worth saying.
  const auto disorder = [](const Problem& line) { return std::optional<double>(line.line.state == "[==|=|===]" ? 1 : 2); };
  EXPECT_EQ(Check("sorting", "[==|=|===]", "[==|===|=]", disorder).kind, CheckKind::kNotCloser);
  const auto none = [](const Problem&) { return std::optional<double>(); };
  EXPECT_EQ(Check("equations", "2x + 3 = 7", "2x = 4", none).kind, CheckKind::kCorrect);
}

TEST(CheckStepTest, WhatFollowsFromAMistakeIsNeverRight) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  const std::vector<std::string> lines{"2x = 10", "2x + 1 = 11", "x = 5", "x = 2"};
  const std::vector<StepCheck> checks = CheckLines(*domain, domain->Parse("2x + 3 = 7").state, lines);
  ASSERT_EQ(checks.size(), lines.size());
  EXPECT_EQ(checks[0].kind, CheckKind::kNotEquivalent);
  for (const std::size_t follows : {1U, 2U}) {
    EXPECT_TRUE(checks[follows].after_mistake) << lines[follows];
    EXPECT_EQ(checks[follows].kind, CheckKind::kCorrect) << lines[follows];
  }
  EXPECT_FALSE(checks[3].after_mistake);
  EXPECT_EQ(checks[3].kind, CheckKind::kSolved);
}

TEST(CheckStepTest, TurnsOfACubeGoOnFromTheLineBefore) {
  const std::unique_ptr<Domain> cube = MakeDomain("rubiks-cube");
  const std::string state = cube->Generate(3);
  const StepCheck check = CheckStep(*cube, state, "R U'");
  EXPECT_EQ(check.kind, CheckKind::kCorrect);
  EXPECT_EQ(check.state, *Next(*cube, *Next(*cube, state, "R1"), "U-1"));
}

// Random walks, and the state that a walk reached some steps before.
TEST(CheckStepTest, AcceptsEveryLegalStepAndEveryJumpOfSoundSteps) {
  for (const Subject* const subject : Subjects()) {
    const std::unique_ptr<Domain> domain = MakeDomain(subject->type()->name);
    Random random(11);
    std::size_t steps = 0;
    for (std::uint64_t seed = 0; steps < Repetitions(10'000U, 500U); ++seed) {
      std::string state = domain->Generate(seed);
      std::string sound_start = state;
      for (int step = 0; step < 20; ++step) {
        Successors next;
        if (domain->Expand(state, Labels::kOff, next) != Status::kOpen) break;
        const std::string chosen(next.state(static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(next.size())))));
        // Walks can write a denominator that is 0, which means nothing.
        if (domain->Parse(chosen).error) break;
        const StepCheck check = CheckStep(*domain, state, chosen);
        // The one legal step that is refused is to an answer that does not solve the line before.
        if (domain->Solved(chosen) && !check.correct()) {
          ASSERT_EQ(VerifyAnswer(*domain, state, chosen), Verdict::kWrong) << state << " => " << chosen;
          break;
        }
        ASSERT_TRUE(check.correct()) << state << " => " << chosen << ": " << check.message;
        if (check.changes_solutions) sound_start = chosen;
        const StepCheck jump = CheckStep(*domain, sound_start, chosen);
        ASSERT_TRUE(jump.correct()) << sound_start << " => " << chosen << ": " << jump.message;
        state = chosen;
        ++steps;
      }
    }
  }
}

// One digit, bar or item changed at random, judged by evaluators of the tests' own.
TEST(CheckStepTest, RejectsMutationsThatChangeTheValueAndNoOthers) {
  for (const std::string name : {"fractions", "multiplication", "ternary-addition", "sorting"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    const Facts* const facts = FindFacts(name);
    Random random(13);
    std::size_t rejected = 0;
    for (std::uint64_t seed = 0; rejected < Repetitions(10'000U, 1'000U); ++seed) {
      const std::string state = domain->Generate(seed % 5'000);
      std::string mutated = state;
      char& place = mutated[static_cast<std::size_t>(random.Int64(0, std::ssize(mutated)))];
      place = "0123456789abc=|+-*"[random.Int32(0, 18)];
      const Parsed parsed = domain->Parse(mutated);
      if (parsed.error || parsed.state == state) continue;
      const bool changed = facts->find_unsound(state, "", parsed.state).has_value();
      const StepCheck check = CheckStep(*domain, state, parsed.state);
      ASSERT_EQ(check.kind == CheckKind::kNotEquivalent, changed) << state << " => " << parsed.state << ": " << check.message;
      if (changed) ++rejected;
    }
  }
}

// What solves L = R does not solve L = R + c.
TEST(CheckStepTest, RejectsMutatedEquations) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations");
  Random random(17);
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; rejected < Repetitions(10'000U, 200U); ++seed) {
    const std::string state = domain->Generate(seed);
    if (SolveExactly(state).kind != SolutionSet::Kind::kRoots) continue;
    const std::string number = std::to_string(random.Int32(1, 20));
    const bool right = random.Coin();
    const std::size_t middle = state.find(" = ");
    const std::string mutated = right ? state.substr(0, middle) + " = (" + state.substr(middle + 3) + " - " + number + ")"
                                      : "(" + state.substr(0, middle) + " + " + number + ")" + state.substr(middle);
    const StepCheck check = CheckStep(*domain, state, mutated);
    ASSERT_EQ(check.kind, CheckKind::kNotEquivalent) << state << " => " << mutated;
    ASSERT_EQ(check.side, right ? Side::kRight : Side::kLeft) << state << " => " << mutated;
    ++rejected;
  }
}

}  // namespace
}  // namespace conpole
