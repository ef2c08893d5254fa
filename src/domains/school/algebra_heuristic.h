// How many lines a state of school algebra is away from its answer, estimated from how it is built: brackets, denominators,
// untidy sides, terms on the wrong side, a factor of the unknown, operations on numbers. For linear equations it is nearly
// exact, so that a search that follows it finds short solutions at once. A pure function: any thread may call it.
#pragma once

#include <string_view>

namespace conpole::algebra {

// Requires canonical text; any other is far away.
float StepsToGo(std::string_view state);

}  // namespace conpole::algebra
