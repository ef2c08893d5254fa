// What people write besides equations when they solve one: several lines in one text, arrows between them, what they are about
// to do after a bar ("2x = 8 | :2"), and answers in words, lists and sets ("x = 2 or 3", "x_1 = 2, x_2 = 3", "x = ±2",
// "L = {2; 3}", "no solution"). It is turned into notation that notation/algebra_notation.h reads. Pure functions: any thread
// may call any of this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "notation/notation.h"

namespace conpole {

// The lines of a text: it ends at line breaks and at arrows, and a chain of numbers ("1/2 + 1/3 = 3/6 + 2/6 = 5/6") also at its
// signs. None is empty. `current` is the line before, or empty; what only repeats it at the beginning of a chain is left out.
std::vector<std::string> SplitLearnerLines(std::string_view current, std::string_view text);

// Reads one line after `current`, which is canonical text of algebra. Where a text can be read in several ways ("{2,5}",
// "2x + 3 = 7 / -3"), the one that follows from the line before counts.
NotationResult ReadLearnerLine(const Domain& algebra, std::string_view current, std::string_view text);

// A line without what its writer is about to do next: "2x = 8 | :2" without ":2".
std::string_view WithoutRemark(std::string_view line);

// The texts that a line may stand for, the likeliest first. The answers in it are written with the letter of the unknown.
std::vector<std::string> LearnerReadings(std::string_view line, char unknown);

}  // namespace conpole
