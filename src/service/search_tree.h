// A beam search that shows all it looks at: every candidate of every step, with what the policy thinks of it, which went on,
// and the way to the solution. For people who want to see how a policy searches; the tutor itself searches in tutor/tutor.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"

namespace conpole {

struct SearchTreeOptions {
  std::size_t beam = 4;
  std::size_t max_steps = 30;
  std::size_t max_nodes = 2'000;
};

struct SearchTree {
  struct Node {
    std::optional<std::size_t> parent = {};  // its index; nothing for the problem
    std::size_t depth = 0;
    std::string state = {};
    std::string label = {};  // of the action that leads to it; empty for the problem
    // What the beam keeps the best by: the log-probability of the path where scores are log-preferences, else the score.
    double score = 0;
    double probability = 1;  // among the candidates of its parent
    bool chosen = false;     // it went on to the next step
    bool on_solution = false;
  };
  // The problem first; parents before their candidates, which stand together, in the order of the domain. No state is there
  // twice: of equal ones the first.
  std::vector<Node> nodes;
  bool solved = false;
  bool cut = false;  // the search would have gone on, but there were too many nodes, or it was stopped
};

// `problem` is canonical text. The scorer is used by this thread meanwhile. Ends early once `stop` says so.
SearchTree GrowSearchTree(const Domain& domain, Scorer& scorer, const std::string& problem, const SearchTreeOptions& options,
                          const std::atomic<bool>& stop);

}  // namespace conpole
