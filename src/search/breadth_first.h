// Breadth-first search: states are expanded in the order in which they were first met, so the first solved state that is met is
// one with the fewest steps. Limits: edges (successors listed, duplicates included). Memory grows with the states that were
// met. Reference: Moore, The shortest path through a maze, 1959.
#pragma once

#include <cstdint>
#include <string>

#include "conpole/domain.h"
#include "conpole/search.h"
#include "conpole/stop_token.h"

namespace conpole {

struct BreadthFirstOptions {
  std::uint64_t max_edges = 1'000'000;
  // Whether a solved state ends the search as soon as it is met, or only when its turn to be expanded comes.
  bool take_solved_successors = true;
  StopToken stop;
};

// `problem` is canonical text. May be called from several threads at a time.
SearchResult BreadthFirstSearch(const Domain& domain, const std::string& problem, const BreadthFirstOptions& options);

}  // namespace conpole
