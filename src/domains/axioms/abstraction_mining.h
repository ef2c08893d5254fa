// Finds abstractions in solutions: sequences of axioms that recur, chosen by how much shorter they make it to write all
// solutions down. A solution of n steps, each chosen among b successors on average, takes n * log2(b) bits. An abstraction
// makes n smaller where its sequence occurs, but b larger, since it adds successors to every state in which it applies, and its
// own axioms have to be written down once. As in LEMMA (Li, Poesia, Costilla-Reyes, Goodman, Solar-Lezama, 2022), sequences are
// compared by their axioms and the places of these relative to each other, and the best one is taken until none is worth it:
//   1. every sequence of 2 to `longest` axioms of every solution is a candidate, with operands as they stand and with any;
//   2. of all candidates the one is chosen that saves the most bits, given those chosen before: solutions are divided anew into
//      as few steps as possible, and the successors that it adds are counted on states of the solutions;
//   3. again, until nothing is saved or there are enough.
// One thread; deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "domains/axioms/abstract_domain.h"
#include "domains/axioms/abstractions.h"

namespace conpole {

struct MiningOptions {
  std::size_t longest = 8;   // axioms of an abstraction
  std::size_t most = 16;     // abstractions
  std::size_t uses = 3;      // solutions in which a sequence occurs, at the least
  std::size_t sample = 150;  // states on which successors are counted
};

struct MinedAbstractions {
  AbstractionSet set;
  // Of all solutions together: steps before and after, and successors per state.
  std::size_t axioms = 0;
  std::size_t steps = 0;
  double branching_before = 0;
  double branching_after = 0;
};

// The solutions are of axioms of this domain.
MinedAbstractions MineAbstractions(const Domain& domain, std::span<const std::vector<AxiomStep>> solutions,
                                   const MiningOptions& options = {});
// The same for solutions that are paths of states; the domain may have abstractions already, which are opened first.
MinedAbstractions MineAbstractionsOfPaths(const Domain& domain, std::span<const std::vector<std::string>> paths,
                                          const MiningOptions& options = {});

}  // namespace conpole
