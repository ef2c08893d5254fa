// How a right line of an exercise stands to the line before it: whether it is the answer in the form that is asked for, and
// otherwise by how many lines the domain itself writes from there. Pure functions: any thread may call any of this.
#pragma once

#include <string>
#include <string_view>

#include "subjects/subject.h"

namespace conpole {

// Requires canonical text of two exercises that mean the same.
Advance FindExerciseAdvance(std::string_view before, std::string_view after);

// The answer to an exercise as canonical text, by the domain's own lines; empty if these end without one.
std::string AnswerToExercise(std::string_view state);

}  // namespace conpole
