// Lines that learners write after a line of an exercise (domains/school/textbook.h): without saying again what to do, with
// several answers, sets, intervals and points as people write them, and of a system perhaps only the equation that they are
// working on. Pure functions: any thread may call any of this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "notation/notation.h"

namespace conpole {

// The lines of a text; a chain of expressions ("(x + 1)^2 = (x + 1)(x + 1) = ...") is one for each. `current` is an exercise.
std::vector<std::string> SplitExerciseLines(std::string_view current, std::string_view text);

// Reads one line after `current`, an exercise, as an exercise. Where a text can be read in several ways, the one that follows
// from the line before counts. An equation of a system stands with those of the line before that it does not replace, and what
// a line before says about checking stays.
NotationResult ReadExerciseLine(const Domain& algebra, std::string_view current, std::string_view text);

// A relation between letters of which none is asked for, "zg - 7f = nj", as an exercise to be checked: for all letters. Nothing
// if the text is no such relation.
std::optional<NotationResult> ReadOpenRelation(const Domain& algebra, std::string_view text);

// Whether nobody said what an exercise asks for.
bool IsOpenRelation(std::string_view state);

}  // namespace conpole
