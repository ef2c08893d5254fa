// Compares what two lines of an exercise mean (domains/school/textbook.h): whether they have the same value or the same
// solutions is for the independent judge to say (verify/exercise_meaning.h), and what it cannot decide is not called right. If
// they differ, a typical error that makes the second from the first is named, or that solutions are missing or too many. Pure
// functions: any thread may call any of this.
#pragma once

#include <string_view>

#include "explain/comparison.h"

namespace conpole {

// Both are canonical text of exercises. A line that only lets wrong answers in, as both sides squared do, is different with
// Comparison::with_condition, which says that they are to be checked.
Comparison CompareExercises(std::string_view before, std::string_view after);

}  // namespace conpole
