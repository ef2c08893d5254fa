// What a learner did from one equation to the next, told by comparing the two side by side as functions, exactly: rewritten a
// side, or done the same to both. And why that does not help, where it does not. Pure functions: any thread may call any of
// this.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "language/catalogue.h"

namespace conpole {

struct LearnerOperation {
  std::string name;        // rewritten, added, subtracted, multiplied or divided
  std::string operand;     // what was added to both sides and so on, as text; empty if they were rewritten
  std::string detour;      // what would be thought of if it does not help: the end of check.detour.DETOUR
  Catalogue::Slots slots;  // of that sentence; terms of the line before, never what would come of them
};

// Requires canonical text of two lines that mean the same. Nothing if they are no equations, or if more was done at once.
std::optional<LearnerOperation> FindOperation(std::string_view before, std::string_view after);

// Whether a line follows from the line before, which means the same, side by side. It does not if one side is as it was and the
// other is worth something else: then it has the same solutions by chance. An answer may come of several steps at once.
bool FollowsSideBySide(std::string_view before, std::string_view after);

}  // namespace conpole
