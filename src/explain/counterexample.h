// What speaks against a learner's line, shown with numbers that are put in for its letters: a wrong answer does not fit the
// line before, a wrong expression is worth something else. It says nothing of how the line came about, and nothing of what
// would be right. Values are worked out with floating point numbers and said exactly where they are simple fractions.
//
// Pure functions: any thread may call any of this.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "explain/comparison.h"

namespace conpole {

// Makes the comparison say it, if it has no mistake and no reason of its own yet; else it is what to say instead, where that
// would give the answer away. The lines are relations or expressions as books write them, several with ";" between them.
// `roots` are numbers of which it is known that they solve an equation after: (letter, number).
void AddCounterexample(std::string_view before, std::string_view after,
                       std::span<const std::pair<std::string, std::string>> roots, Comparison& comparison);

}  // namespace conpole
