// How a right line of school algebra stands to the line before it, without a search: whether it is the answer, closer to it,
// the same line in another order, or the same line again. Pure functions: any thread may call any of this.
#pragma once

#include <string_view>

#include "subjects/subject.h"

namespace conpole {

// Requires canonical text of two lines that mean the same. What a line is worth once it is tidied counts for it: a learner who
// writes 2x + 3 - 3 = 7 - 3 after 2x + 3 = 7 is closer, although the line is longer.
Advance FindAlgebraAdvance(std::string_view before, std::string_view after);

}  // namespace conpole
