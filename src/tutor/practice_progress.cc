#include "tutor/practice_progress.h"

#include <algorithm>

namespace conpole {

ExerciseCounted CountExercise(SkillProgress& progress, const Skill& skill, std::size_t level, bool flawless,
                              std::span<const Skill* const> course) {
  ExerciseCounted counted{.next_skill = &skill, .next_level = level};
  progress.in_a_row = flawless ? progress.in_a_row + 1 : 0;
  counted.in_a_row = progress.in_a_row;
  if (progress.in_a_row < kExercisesInARow) return counted;
  progress.levels_mastered = std::max(progress.levels_mastered, level);
  progress.in_a_row = 0;
  counted.level_mastered = true;
  counted.skill_mastered = level == skill.levels.size();
  if (!counted.skill_mastered) {
    counted.next_level = level + 1;
    return counted;
  }
  const auto here = std::find(course.begin(), course.end(), &skill);
  if (here != course.end() && here + 1 != course.end()) {
    counted.next_skill = *(here + 1);
    counted.next_level = 1;
  }
  return counted;
}

}  // namespace conpole
