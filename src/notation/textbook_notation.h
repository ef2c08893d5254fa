// Exercises of a school book as people write them, with the words that say what to do: "Factor completely: 2n^2 - 8n - 42",
// "Round 23,658 to the nearest hundred", "Solve A = 1/2 bh for h". Text, Unicode and LaTeX are read alike. A text with words
// that are none of mathematics is a word problem, and refused. Pure functions: any thread may call any of this.
#pragma once

#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "notation/formula.h"
#include "notation/notation.h"

namespace conpole {

// The domain is algebra. NotationResult::reading is left to the caller.
NotationResult ReadTextbookNotation(const Domain& domain, std::string_view text);

// What is written for people: without what to do, and with the signs of books. `state` is an exercise.
std::string WriteTextbookPlain(std::string_view state);
// The same with what to do before it.
std::string WriteTextbookReading(std::string_view state);
Formula DrawExercise(std::string_view state);

}  // namespace conpole
