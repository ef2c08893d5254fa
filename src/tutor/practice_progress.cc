#include "tutor/practice_progress.h"

#include <algorithm>

namespace conpole {

double Updated(double known, bool flawless, const KnowledgeModel& model) {
  const double if_known = known * (flawless ? 1 - model.slipped : model.slipped);
  const double if_not = (1 - known) * (flawless ? model.guessed : 1 - model.guessed);
  const double believed = if_known / (if_known + if_not);
  return believed + (1 - believed) * model.learned;
}

void BeginLevel(SkillProgress& progress) {
  progress.in_a_row = 0;
  progress.known = kKnowledge.known_at_first;
}

ExerciseCounted CountExercise(SkillProgress& progress, const Skill& skill, std::size_t level, bool flawless,
                              std::span<const Skill* const> course) {
  ExerciseCounted counted{.next_skill = &skill, .next_level = level};
  progress.in_a_row = flawless ? progress.in_a_row + 1 : 0;
  progress.known = Updated(progress.known, flawless);
  counted.in_a_row = progress.in_a_row;
  counted.known = progress.known;
  if (progress.known < kKnowledge.mastered) return counted;
  progress.levels_mastered = std::max(progress.levels_mastered, level);
  BeginLevel(progress);
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
