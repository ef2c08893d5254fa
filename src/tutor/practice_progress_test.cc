#include "tutor/practice_progress.h"

#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(PracticeProgressTest, ARowMastersALevel) {
  const Skill& skill = FindSkill("one-step");
  const std::vector<const Skill*> course = SkillsOf("algebra");
  SkillProgress progress;
  for (std::size_t i = 1; i < kExercisesInARow; ++i) {
    const ExerciseCounted counted = CountExercise(progress, skill, 1, true, course);
    EXPECT_EQ(counted.in_a_row, i);
    EXPECT_FALSE(counted.level_mastered);
    EXPECT_EQ(counted.next_level, 1U);
  }
  const ExerciseCounted counted = CountExercise(progress, skill, 1, true, course);
  EXPECT_TRUE(counted.level_mastered);
  EXPECT_FALSE(counted.skill_mastered);
  EXPECT_EQ(counted.next_skill, &skill);
  EXPECT_EQ(counted.next_level, 2U);
  EXPECT_EQ(progress, (SkillProgress{.levels_mastered = 1, .in_a_row = 0}));
}

TEST(PracticeProgressTest, KnowledgeFollowsBayes) {
  // 0.3 * 0.9 / (0.3 * 0.9 + 0.7 * 0.2), and 0.15 of what is left is learned.
  EXPECT_NEAR(Updated(0.3, true), 0.70976, 1e-5);
  EXPECT_NEAR(Updated(0.3, false), 0.3 * 0.1 / (0.3 * 0.1 + 0.7 * 0.8) * 0.85 + 0.15, 1e-12);
  for (double known = 0.01; known < 1; known += 0.01) {
    EXPECT_GT(Updated(known, true), known);
    EXPECT_GT(Updated(known, true), Updated(known, false));
  }
}

// However often it went wrong, as many in a row are enough; after one flaw among right ones fewer are.
TEST(PracticeProgressTest, ARowIsAlwaysEnough) {
  double known = kKnowledge.learned;  // after any exercise it is no less
  for (std::size_t i = 0; i < kExercisesInARow; ++i) known = Updated(known, true);
  EXPECT_GE(known, kKnowledge.mastered);
  known = kKnowledge.known_at_first;
  for (std::size_t i = 1; i < kExercisesInARow; ++i) known = Updated(known, true);
  EXPECT_LT(known, kKnowledge.mastered);
  known = Updated(known, false);
  EXPECT_LT(known, kKnowledge.mastered);
  EXPECT_GE(Updated(Updated(known, true), true), kKnowledge.mastered);
}

TEST(PracticeProgressTest, AFlawBeginsTheRowAnew) {
  const Skill& skill = FindSkill("one-step");
  SkillProgress progress{.levels_mastered = 1, .in_a_row = 2};
  EXPECT_EQ(CountExercise(progress, skill, 1, false, {}).in_a_row, 0U);
  EXPECT_EQ(progress.levels_mastered, 1U);
  EXPECT_EQ(progress.in_a_row, 0U);
  EXPECT_LT(progress.known, kKnowledge.known_at_first);
}

TEST(PracticeProgressTest, AfterTheLastLevelComesTheNextSkill) {
  const std::vector<const Skill*> course = SkillsOf("algebra");
  for (std::size_t i = 0; i < course.size(); ++i) {
    const std::size_t last = course[i]->levels.size();
    SkillProgress progress{.levels_mastered = last - 1, .in_a_row = kExercisesInARow - 1, .known = 0.94};
    const ExerciseCounted counted = CountExercise(progress, *course[i], last, true, course);
    EXPECT_TRUE(counted.skill_mastered);
    const bool is_last = i + 1 == course.size();
    EXPECT_EQ(counted.next_skill, course[is_last ? i : i + 1]);
    EXPECT_EQ(counted.next_level, is_last ? last : 1U);
  }
}

}  // namespace
}  // namespace conpole
