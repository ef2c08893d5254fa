// What searches that always go on with the best open states have in common, over texts and over packed states: which states
// are the best, when they end, and their limits. Values.
//   bwas    the lowest weight * steps + surprise, or estimate; ends once no open state can lead to a shorter solution
//   levin   the lowest (steps + 1) / probability of the path, by its logarithm; ends with the round that finds a solution
// Both grow along every path.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "conpole/run_search.h"

namespace conpole {

struct BestFirstTerms {
  // NOLINTNEXTLINE(google-explicit-constructor): the options in another form
  BestFirstTerms(const BestFirstOptions& options)
      : is_levin(false), weight(options.weight), batch(options.batch), max_expanded(options.max_expanded) {}
  // NOLINTNEXTLINE(google-explicit-constructor): likewise
  BestFirstTerms(const LevinOptions& options)
      : is_levin(true), weight(0), batch(options.batch), max_expanded(options.max_expanded) {}

  // `to_go` is minus the log-probability of the path, or for bwas an estimate of the steps that are left.
  double ValueOf(std::size_t steps, double to_go) const {
    const auto count = static_cast<double>(steps);
    return (is_levin ? std::log(count + 1) : weight * count) + to_go;
  }
  // Whether a solution of this length ends the search, given the lowest value of an open state.
  bool Suffices(std::size_t solution_steps, double lowest_open) const {
    return is_levin || lowest_open >= weight * static_cast<double>(solution_steps);
  }

  bool is_levin;
  double weight;  // of bwas
  std::size_t batch;
  std::uint64_t max_expanded;
};

}  // namespace conpole
