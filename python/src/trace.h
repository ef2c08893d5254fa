// All that a greedy or beam search has met, in columns: conpole.SearchTrace. Immutable once made, but that Python may write to
// its numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <pybind11/pybind11.h>

#include "conpole/domain.h"
#include "python/src/text_column.h"
#include "search/beam_search.h"

namespace conpole::python {

struct SearchTrace {
  SearchTrace() = default;
  // Copies from a search with keep_trace that has ended.
  SearchTrace(const Domain& domain, const BeamSearch& search);

  TextColumn states;                       // the problem, then the candidates of all steps, in the order of their arrival
  std::vector<std::int64_t> parents;       // per state: where it was reached from; -1 for the problem
  std::vector<float> scores;               // per state: against its parent; not a number where it was not asked for
  std::vector<std::uint8_t> solved;        // per state
  std::vector<std::int64_t> first;         // per step: its first candidate; and the number of states
  std::vector<std::int64_t> chosen;        // the beam after each step, the best first
  std::vector<std::int64_t> first_chosen;  // per step: its first in `chosen`; and their number
  std::vector<std::int64_t> solution;      // from the problem to the solved state; empty unless solved

  std::size_t steps() const { return first.empty() ? 0 : first.size() - 1; }
};

// What a search goes on with as `choose` says, a function of Python that is given the trace so far and returns places in it.
// Whoever calls it need not have the lock; `choose` and the domain must outlive it. Null for None.
BeamSearch::Choose ChooseBy(const Domain& domain, const pybind11::object& choose);

void BindSearchTrace(pybind11::module_& module);

}  // namespace conpole::python
