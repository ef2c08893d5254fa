// When a level of a skill counts as mastered, and what comes after it: the rules of practice as pure functions, so that a
// session, a page that keeps a learner's progress and a server agree on them. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <span>

#include "tutor/practice_skills.h"

namespace conpole {

// Exercises in a row that must be solved without a wrong line, a hint or the solution.
inline constexpr std::size_t kExercisesInARow = 3;

// How far a skill has been mastered.
struct SkillProgress {
  std::size_t levels_mastered = 0;
  std::size_t in_a_row = 0;  // of the level that is practised
  friend bool operator==(const SkillProgress&, const SkillProgress&) = default;
};

struct ExerciseCounted {
  std::size_t in_a_row = 0;  // of the level, with this exercise
  bool level_mastered = false;
  bool skill_mastered = false;
  // What to practise next.
  const Skill* next_skill = nullptr;
  std::size_t next_level = 1;
};

// Counts an exercise of a skill that was solved, without flaw or not. `course` has the skills in the order in which they are
// practised. After the last level of a skill comes the next one of the course; after the last skill, its last level goes on.
ExerciseCounted CountExercise(SkillProgress& progress, const Skill& skill, std::size_t level, bool flawless,
                              std::span<const Skill* const> course);

}  // namespace conpole
