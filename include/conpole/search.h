// What all searches have in common: what they spend, when they stop, and what they return.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conpole/domain.h"

namespace conpole {

enum class SearchOutcome : std::uint8_t {
  kSolved,
  kExhausted,    // there is nothing left to try: every reachable state was seen, or every path ended
  kOutOfBudget,  // the limit on steps, states or edges was reached
  kInterrupted,
};

struct SearchResult {
  SearchOutcome outcome = SearchOutcome::kExhausted;
  std::vector<std::string> path;  // from the problem to the solved state, both included; empty unless solved
  std::uint64_t expanded = 0;     // states whose successors were listed
  std::uint64_t edges = 0;        // successors listed, duplicates included

  bool solved() const { return outcome == SearchOutcome::kSolved; }
  std::size_t steps() const { return path.empty() ? 0 : path.size() - 1; }
};

// The label of each step of a path: one less than its states. Requires that every state is a successor of the one before it.
std::vector<std::string> LabelsOfPath(const Domain& domain, const std::vector<std::string>& path);

}  // namespace conpole
