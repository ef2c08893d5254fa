// Exercises of a school book beyond equations in one unknown and sums of numbers: what to do, and to what. The canonical text
// of a state is both, "factor: x^2 - 5x + 6", and stays so from line to line until nothing is left to do.
//
//   simplify: 3x + 2x             expand: (x + 2)(x - 3)          factor: x^2 - 4           common: 6x + 9
//   divide: (x^2 + 1)/(x - 1)     square: z^2 + 8z                radical: x^(1/3)          exponent: sqrt(x)
//   evaluate: x^2; x = -2         solve x: |x - 1| = 3            solve x, y: x + y = 3; x - y = 1
//   solve x by formula: x^2 + x = 1                              solve x, y by elimination: x + y = 3; x - y = 1
//   solve x: 2x < 6               condense: ln(x) + ln(y)         spread: ln(xy)            round 100: 468751
//
// After a step that may let wrong answers in, "; check EQUATION" says what they must meet. A step does what a person writes as
// one line. Pure functions: any thread may call any of this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/school/textbook_tree.h"

namespace conpole::textbook {

struct Exercise {
  std::string task;                  // "factor", or "solve"
  std::vector<std::string> letters;  // of "solve x, y", and the number of "round 100"
  std::string body;
  std::string method = {};  // of "solve x by formula": how, where books teach several ways
};

// Whether a text begins as an exercise does.
bool IsExercise(std::string_view text);
// Reads any text that begins so. Throws Refusal.
Exercise ReadExercise(std::string_view text);
std::string TextOf(const Exercise& exercise);
// What is to be done, without to what: "solve x, y by elimination".
std::string HeadOf(const Exercise& exercise);
// With its body as it is written. Throws Refusal if the task does not fit it.
Exercise Canonical(Exercise exercise);

struct Line {
  std::string label;      // the step's name and what it is done to
  std::string body;       // the next line
  std::string task = {};  // what is to be done with it, if that is something else
};
// The next line; nothing if the exercise is done. Throws Refusal if it cannot be done.
std::optional<Line> NextLine(const Exercise& exercise);

// The same for canonical text, as a value. A thread keeps what it found lately.
struct Following {
  std::string label;
  std::string state;               // empty if there is no next line
  std::optional<Refusal> refusal;  // why there is none
};
Following FollowingLine(std::string_view state);

// By kind of task, each in a file of its own.
std::optional<Line> NextLineOfExpression(const Exercise& exercise);
std::optional<Line> NextLineOfSolving(const Exercise& exercise);
std::optional<Line> NextLineOfSystem(const Exercise& exercise);
std::optional<Line> NextLineOfInequality(const Exercise& exercise);
std::optional<Line> NextLineOfNumbers(const Exercise& exercise);
// Two sides with a sign between them: =, <, >, <=, >= or !=.
struct Relation {
  Ptr left;
  std::string sign;
  Ptr right;
};
// Throws Refusal.
Relation ReadRelation(std::string_view text);
std::string TextOf(const Relation& relation);
// The real roots of an equation that is a polynomial one in this letter, ascending as far as they have an order; nothing if
// they cannot be written.
std::optional<std::vector<Ptr>> RootsOf(const Ptr& left, const Ptr& right, const std::string& letter);
// By the formula or by completing the square; nothing if another way is asked for, or none of them is one here.
std::optional<Line> NextLineOfQuadratic(const Relation& equation, const std::string& letter, std::string_view method);
// A line of the shortest way to the simplest form.
std::optional<std::pair<std::string, Ptr>> SimplifyStep(const Ptr& tree);

// The parts of a text between separators, without blanks around them. Separators in brackets do not count.
std::vector<std::string> SplitAt(std::string_view text, std::string_view separator);

// Ways to solve quadratic equations and systems: factoring, square, formula, complex (the formula, with complex solutions),
// substitution, elimination.
bool IsMethod(std::string_view name);
// The same equation or system, to be solved by a method; `state` is one of the domain algebra. Throws Refusal if the method is
// none for it.
std::string WithMethod(std::string_view state, std::string_view method);

// The names of all tasks, and what they ask for in a few words.
struct TaskName {
  std::string_view name;
  std::string_view meaning;
};
const std::vector<TaskName>& Tasks();
// The names of all steps, and what they do in a few words.
const std::vector<TaskName>& StepNames();

}  // namespace conpole::textbook
