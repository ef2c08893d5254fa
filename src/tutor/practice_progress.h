// When a level of a skill counts as mastered, and what comes after it: the rules of practice as pure functions, so that a
// session, a page that keeps a learner's progress and a server agree on them. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <span>

#include "tutor/practice_skills.h"

namespace conpole {

// Bayesian knowledge tracing (Corbett and Anderson, 1995): how likely it is that a learner knows a level, from exercises that
// were solved alone and without a wrong line, and others. There are no sequences of learners' exercises here to fit constants
// to, so these are usual ones from the literature on algebra tutors, and docs/practice.md says what follows from them.
struct KnowledgeModel {
  double known_at_first = 0.3;
  double learned = 0.15;  // by an exercise, if it was not known before
  double guessed = 0.2;   // solved without flaw, though it is not known
  double slipped = 0.1;   // not solved without flaw, though it is known
  double mastered = 0.95;
};
inline constexpr KnowledgeModel kKnowledge;

// What is believed after an exercise.
double Updated(double known, bool flawless, const KnowledgeModel& model = kKnowledge);

// As many exercises in a row without a wrong line, a hint or the solution master a level, whatever came before; a test checks
// it.
inline constexpr std::size_t kExercisesInARow = 3;

// How far a skill has been mastered.
struct SkillProgress {
  std::size_t levels_mastered = 0;
  std::size_t in_a_row = 0;                  // of the level that is practised
  double known = kKnowledge.known_at_first;  // how likely that level is known
  friend bool operator==(const SkillProgress&, const SkillProgress&) = default;
};

struct ExerciseCounted {
  std::size_t in_a_row = 0;  // of the level, with this exercise
  double known = 0;          // how likely the level is known now
  bool level_mastered = false;
  bool skill_mastered = false;
  // What to practise next.
  const Skill* next_skill = nullptr;
  std::size_t next_level = 1;
};

// What is known of another level is not known of this one.
void BeginLevel(SkillProgress& progress);

// Counts an exercise of a skill that was solved, without flaw or not. `course` has the skills in the order in which they are
// practised. After the last level of a skill comes the next one of the course; after the last skill, its last level goes on.
ExerciseCounted CountExercise(SkillProgress& progress, const Skill& skill, std::size_t level, bool flawless,
                              std::span<const Skill* const> course);

}  // namespace conpole
