// Whether two lines of an exercise of a school book mean the same (domains/school/textbook.h has the notation). The text is
// read here without the domain's code, and judged by other means: expressions are worked out at many points, exactly where that
// is possible, answers are put into the lines before them, and a scan looks for solutions that are missing. Pure functions: any
// thread may call any of this.
#pragma once

#include <optional>
#include <string_view>

namespace conpole {

// Nothing if that is not known. Letters below an even root are not negative; a value that is not defined before need not be
// after.
std::optional<bool> SameExercise(std::string_view before, std::string_view after);

// The same of a line that anybody may have written. SameExercise looks for something that speaks against a step of the domain;
// this also says nothing where a solution may have been overlooked, and a square is completed only if it is one.
std::optional<bool> JudgeExerciseLine(std::string_view before, std::string_view after);

}  // namespace conpole
