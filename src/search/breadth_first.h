// Breadth-first search: states are expanded in the order in which they were first met, so the first solved state that is met is
// one with the fewest steps. Limits: edges (successors listed, duplicates included). Memory grows with the states that were
// met. Reference: Moore, The shortest path through a maze, 1959.
#pragma once

#include <string>

#include "conpole/domain.h"
#include "conpole/run_search.h"
#include "conpole/search.h"

namespace conpole {

// `problem` is canonical text. May be called from several threads at a time.
SearchResult BreadthFirstSearch(const Domain& domain, const std::string& problem, const BreadthFirstOptions& options);

}  // namespace conpole
