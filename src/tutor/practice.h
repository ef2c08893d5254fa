// A learner's session of practice: exercises one after another, lines that are judged, hints, what has been mastered, and a
// transcript of it all. The program's command, a page and a server show what it says.
//
// A level is mastered once it is likely enough that it is known (practice_progress.h): at the latest after kInARow exercises in
// a row that were solved without a wrong line, a hint or the solution; then the next level begins, and after the last one the
// next skill. A solution that was shown, or a hint that was a whole line, counts as help: what is written after it can be a
// copy.
//
// A session uses the tutor that it is given, which must outlive it; one thread at a time may call its methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "notation/notation.h"
#include "tutor/check_step.h"
#include "tutor/practice_progress.h"
#include "tutor/practice_skills.h"
#include "tutor/tutor.h"

namespace conpole {

// How much problems are like another one: their places, the one that is most like it first. All are canonical text of the
// tutor's domain. vectors/likeness.h tells it by a model.
using Likeness = std::function<std::vector<std::size_t>(const std::string& problem, std::span<const std::string> others)>;

struct PracticeOptions {
  // What is practised, in this order. Without any: problems of the domain whose solutions have the length of the level, which
  // then stays the same.
  std::vector<const Skill*> skills;
  std::size_t first_skill = 0;  // of these, to begin with
  std::size_t level = 1;        // to begin with
  std::uint64_t seed = 0;       // of the first exercise; the others have those that follow
  TutorBudget budget;           // of each hint, check and solution
  // A problem, as canonical text of the tutor's domain, that all exercises should be like, or nothing: of many exercises of a
  // level, the one that is most like it is given. Needs the likeness.
  std::string like;
  Likeness likeness;
  // The time since the session began, for the transcript; without it, the transcript has no times.
  std::function<std::uint64_t()> milliseconds;
};

// A skill, null where there is none, and a level.
struct PracticeStart {
  const Skill* skill = nullptr;
  std::size_t level = 1;
};

// Where to begin with exercises like options.like: with its skill, if that is one of `skills`, and else with any of them; there
// with the level that has the most of the exercises that are most like it and about as long, but with none that the problem
// exceeds. Without skills, with the level of the length of its solution.
PracticeStart StartLike(Tutor& tutor, const PracticeOptions& options, std::span<const Skill* const> skills);

struct PracticeExercise {
  const Skill* skill = nullptr;  // null where there is none
  std::size_t level = 1;
  std::uint64_t seed = 0;
  std::string problem;   // canonical text
  std::string notation;  // as people read it
  std::string like;      // what it should be like, as people read it; empty if there is nothing
};

struct PracticeAnswer {
  StepCheck check;
  // If this was the answer of the exercise: then the next one has begun.
  bool solved = false;
  bool without_help = false;
  std::size_t in_a_row = 0;  // of the level, with this one
  double known = 0;          // how likely the level is known now
  bool level_mastered = false;
  bool skill_mastered = false;
};

class PracticeSession {
 public:
  static constexpr std::size_t kInARow = kExercisesInARow;

  // Begins the first exercise. Throws Error if a skill's exercises are not problems of the tutor's domain, or if there is no
  // such level.
  PracticeSession(Tutor& tutor, PracticeOptions options);

  const PracticeOptions& options() const { return options_; }
  const PracticeExercise& exercise() const { return records_.back().exercise; }
  // The last line that was right, at first the problem, as canonical text.
  const std::string& line() const { return line_; }
  std::size_t exercises() const { return records_.size(); }
  std::size_t solved_without_help() const;
  SkillProgress ProgressOf(const Skill& skill) const;

  // Judges the learner's next line.
  PracticeAnswer Enter(std::string_view line);
  // A hint at what comes after the last right line, with the mistake in mind if a wrong one was written after it. Asking again
  // for the same line says more.
  TutorHint Hint();
  // The solution from the last right line on.
  TutorSolution Solve();
  // Leaves the exercise for another one.
  void Next();
  // Another exercise of the same kind: as the one before, if that was just solved, and else as this one. The session goes on
  // from its skill and level.
  void More();
  // Another exercise like a problem in free notation: of its skill and level or, where the options tell a likeness, like that
  // very problem from now on. If there is none, says why, and this exercise stays.
  std::optional<NotationError> MoreLike(std::string_view problem);
  // An exercise of a skill and level. Throws Error as the constructor does.
  void Choose(const Skill& skill, std::size_t level);

  // Everything so far as one JSON object, with a line end.
  std::string Transcript() const;

 private:
  // What the learner did, and what was said.
  struct Event {
    enum class Kind : std::uint8_t { kLine, kHint, kSolution };
    Kind kind = Kind::kLine;
    std::string entered = {};             // of kLine
    StepCheck::Kind verdict = {};         // of kLine
    int hint_level = 0;                   // of kHint
    std::string text = {};                // that was said; of kSolution, its message
    std::vector<std::string> lines = {};  // of kSolution
    std::optional<std::uint64_t> milliseconds = {};
  };
  struct Record {
    PracticeExercise exercise;
    std::vector<Event> events;
    bool solved = false;
    bool helped = false;   // by a solution, or a hint that was a line
    bool flawless = true;  // no help, no hint, no wrong line
  };

  // Finds the exercise's problem and its seed.
  void MakeNext(PracticeExercise& exercise);
  // The same by likeness. False if there is nothing new among as many exercises as are looked at.
  bool MakeNextLike(PracticeExercise& exercise);
  void Begin(const Skill* skill, std::size_t level);
  void Flaw();
  void Master(PracticeAnswer& answer);
  void Note(Event event);

  Tutor& tutor_;
  PracticeOptions options_;
  std::uint64_t next_seed_;
  std::string line_;
  std::string wrong_;   // what was written after it and is wrong; empty if nothing was
  int hint_level_ = 0;  // of the last hint for this line
  std::vector<Record> records_;
  std::set<std::string> seen_;
  std::map<std::string_view, SkillProgress> progress_;
};

}  // namespace conpole
