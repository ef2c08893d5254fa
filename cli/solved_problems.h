// What the solutions of many problems are made of, as labels for what is compared with them. For the main thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "util/thread_pool.h"

namespace conpole::cli {

// The names of the axioms of a solution, in its order.
using SolutionAxioms = std::vector<std::string>;

struct SolvingOptions {
  std::size_t max_steps = 40;
  // Whether a solution counts only if it is known to be right, by other means than the axioms; else unless it is known to be
  // wrong.
  bool must_be_right = true;
  // What greedy search does not solve is searched for with a beam of this width; 0 for not at all.
  std::size_t beam = 0;
};

// Solves problems greedily, each as the scorer ranks the steps; problems of which it finds no solution that counts have none.
// When the program is asked to end, the rest have none either: look at InterruptFlag. `finished` is called as greedy searches
// finish, with how many did.
std::vector<std::optional<SolutionAxioms>> SolveAll(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                                    const SolvingOptions& options, ThreadPool& pool,
                                                    const std::function<void(std::size_t done)>& finished = {});

}  // namespace conpole::cli
