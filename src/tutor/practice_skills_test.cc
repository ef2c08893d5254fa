#include "tutor/practice_skills.h"

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "language/catalogue.h"
#include "notation/notation.h"
#include "search/scorers.h"
#include "subjects/free_notation.h"
#include "tests/repetitions.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"

namespace conpole {
namespace {

// Without optimisation, searches take long.
constexpr std::uint64_t kExercises = Repetitions(120, 10);

std::string Described(const Skill& skill, std::size_t level) {
  return std::string(skill.name) + ", level " + std::to_string(level);
}

TEST(PracticeSkillsTest, ExercisesAreTheSameOnEveryMachine) {
  EXPECT_EQ(MakeExercise(FindSkill("one-step"), 1, 1), "x + 9 = 15");
  EXPECT_EQ(MakeExercise(FindSkill("brackets"), 2, 7), "2(x + 5) + 7 = 23");
  EXPECT_EQ(MakeExercise(FindSkill("denominators"), 4, 0), "52/(x - 10) + 5 = 10");
  EXPECT_EQ(MakeExercise(FindSkill("fraction-chains"), 3, 12'345'678'901'234), "(5/9 + 1/6)/(1/3) - 1/3 * 7/11");
  EXPECT_EQ(MakeExercise(FindSkill("sorting"), 1, 3), "[======|===|========|==========]");
  // All of them as one number (FNV-1a).
  std::uint64_t hash = 14695981039346656037U;
  for (const Skill& skill : Skills()) {
    for (std::size_t level = 1; level <= skill.levels.size(); ++level) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (const char c : MakeExercise(skill, level, seed)) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
      }
    }
  }
  EXPECT_EQ(hash, 16003104882784496363U);
}

TEST(PracticeSkillsTest, EveryExerciseIsAProblemOfItsSkill) {
  for (const Skill& skill : Skills()) {
    const std::unique_ptr<Domain> domain = MakeDomain(skill.domain);
    for (std::size_t level = 1; level <= skill.levels.size(); ++level) {
      for (std::uint64_t seed = 0; seed < kExercises; ++seed) {
        const std::string problem = MakeExercise(skill, level, seed);
        const Parsed parsed = domain->Parse(problem);
        ASSERT_FALSE(parsed.error) << problem;
        EXPECT_EQ(parsed.state, problem) << Described(skill, level);
        EXPECT_FALSE(domain->Solved(problem)) << problem;
        EXPECT_LE(DigitsOf(skill, problem), skill.levels[level - 1].max_digits) << Described(skill, level) << ": " << problem;
        const Skill* const told = SkillOf(*domain, problem);
        ASSERT_NE(told, nullptr) << problem;
        EXPECT_EQ(told->name, skill.name) << problem;
        // What people see is read as the same problem.
        EXPECT_EQ(ReadNotation(*domain, WriteNotation(*domain, problem)).state, problem);
      }
    }
  }
}

// Levels never get shorter or smaller, each is harder than the one before it, and no exercise is beyond its level.
TEST(PracticeSkillsTest, LevelsAreMonotoneAndDistinctAndEveryExerciseIsSolvedWithinThem) {
  setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);
  const TutorBudget budget{.milliseconds = 600'000, .expansions = 3'000};
  ThreadPool pool(1);
  for (const Skill& skill : Skills()) {
    const std::unique_ptr<Domain> domain = MakeDomain(skill.domain);
    const bool algebra = skill.domain == "algebra";
    const std::unique_ptr<Scorer> scorer = algebra ? MakeScorer("lines", domain->type(), 0) : MakePolicy(*domain, pool);
    Tutor tutor(*domain, *scorer, pool);
    const std::uint64_t exercises = algebra ? kExercises : kExercises / 5;
    std::size_t lines_before = 0;
    std::size_t digits_before = 0;
    for (std::size_t level = 1; level <= skill.levels.size(); ++level) {
      std::size_t lines = 0;
      std::size_t digits = 0;
      for (std::uint64_t seed = 0; seed < exercises; ++seed) {
        const std::string problem = MakeExercise(skill, level, seed);
        const TutorSolution solution = tutor.Solve(problem, budget);
        ASSERT_TRUE(solution.has_steps_to_answer() && solution.verified()) << problem << ": " << solution.message;
        EXPECT_LE(solution.steps.size(), skill.levels[level - 1].max_lines) << Described(skill, level) << ": " << problem;
        lines += solution.steps.size();
        digits += DigitsOf(skill, problem);
      }
      // Of a few exercises the mean means nothing.
      if (kIsOptimised) {
        EXPECT_GE(lines, lines_before) << Described(skill, level);
        EXPECT_GE(digits, digits_before) << Described(skill, level);
        EXPECT_GT(lines + digits, lines_before + digits_before) << Described(skill, level);
      }
      lines_before = lines;
      digits_before = digits;
      if (level == 1) continue;
      EXPECT_GE(skill.levels[level - 1].max_lines, skill.levels[level - 2].max_lines) << Described(skill, level);
      EXPECT_GE(skill.levels[level - 1].max_digits, skill.levels[level - 2].max_digits) << Described(skill, level);
    }
  }
}

TEST(PracticeSkillsTest, EveryLevelHasManyExercises) {
  for (const Skill& skill : Skills()) {
    for (std::size_t level = 1; level <= skill.levels.size(); ++level) {
      std::set<std::string> all;
      for (std::uint64_t seed = 0; seed < Repetitions(500U, 100U); ++seed) all.insert(MakeExercise(skill, level, seed));
      // One turn of the cube is one of twelve.
      EXPECT_GE(all.size(), skill.name == "cube" && level == 1 ? Repetitions(12U, 10U) : Repetitions(40U, 20U))
          << Described(skill, level);
    }
  }
}

TEST(PracticeSkillsTest, EverySkillHasANameInEveryLanguage) {
  for (const std::string& language : Catalogue::Languages()) {
    std::set<std::string> names;
    for (const Skill& skill : Skills()) {
      names.insert(Catalogue::Find(language).Sentence("skill." + std::string(skill.name), {}));
    }
    EXPECT_EQ(names.size(), Skills().size()) << language;
  }
}

TEST(PracticeSkillsTest, TellsTheSkillOfAProblem) {
  const std::unique_ptr<Domain> algebra = MakeDomain("algebra");
  const auto skill_of = [&](std::string_view text) {
    const NotationResult read = ReadNotation(*algebra, text);
    EXPECT_FALSE(read.error) << text;
    const Skill* const skill = SkillOf(*algebra, read.state);
    return std::string(skill == nullptr ? "" : skill->name);
  };
  EXPECT_EQ(skill_of("x+3=8"), "one-step");
  EXPECT_EQ(skill_of("-12=4y"), "one-step");
  EXPECT_EQ(skill_of("x/3=8"), "one-step");
  EXPECT_EQ(skill_of("7-x=3"), "two-steps");
  EXPECT_EQ(skill_of("x/3-1=8"), "two-steps");
  EXPECT_EQ(skill_of("4x+2-x+5=16"), "like-terms");
  EXPECT_EQ(skill_of("8x+6=2x+1-x"), "both-sides");
  EXPECT_EQ(skill_of("3(x-2)=9"), "brackets");
  EXPECT_EQ(skill_of("5-(x+2)=1"), "brackets");
  EXPECT_EQ(skill_of("2/3x=4"), "fractions");
  EXPECT_EQ(skill_of("x/2+x/3+x/4=13"), "numerators");
  EXPECT_EQ(skill_of("(3x+8)/5=(x-2)/4"), "numerators");
  EXPECT_EQ(skill_of("2/(x+1)=3"), "denominators");
  EXPECT_EQ(skill_of("x^2=9"), "quadratics");
  EXPECT_EQ(skill_of("x(x+1)=0"), "quadratics");
  EXPECT_EQ(skill_of("0.5x+1.2=3"), "decimal-equations");
  EXPECT_EQ(skill_of("2+3*4"), "order-of-operations");
  EXPECT_EQ(skill_of("4/6"), "reduce-fractions");
  EXPECT_EQ(skill_of("1/2+1/3-1/4"), "add-fractions");
  EXPECT_EQ(skill_of("2/3*3/4"), "multiply-fractions");
  EXPECT_EQ(skill_of("1 1/2+2/3"), "mixed-numbers");
  EXPECT_EQ(skill_of("1/2+2/3*(1-1/4)"), "fraction-chains");
  EXPECT_EQ(skill_of("1.5*2"), "decimals");
  EXPECT_EQ(skill_of("123456789*987654321"), "long-multiplication");
  EXPECT_EQ(skill_of("x=4"), "") << "nothing to practise";

  const Skill& brackets = FindSkill("brackets");
  EXPECT_EQ(LevelOf(brackets, "3(x + 2) = 9", 2), 1U);
  EXPECT_EQ(LevelOf(brackets, "3(x + 2) = 9", 5), 3U);
  EXPECT_EQ(LevelOf(brackets, "3(x + 2) = 123456789123456789", 2), brackets.levels.size());
}

TEST(PracticeSkillsTest, WhatThereIsNotIsNamed) {
  try {
    FindSkill("nonsense");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("there is no skill 'nonsense'; there are: one-step, two-steps"),
              std::string::npos);
  }
  EXPECT_THROW(MakeExercise(FindSkill("brackets"), 0, 1), Error);
  EXPECT_THROW(MakeExercise(FindSkill("brackets"), 6, 1), Error);
  EXPECT_EQ(SkillsOf("sorting").size(), 1U);
  EXPECT_TRUE(SkillsOf("equations").empty());
}

}  // namespace
}  // namespace conpole
