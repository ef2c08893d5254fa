// Searching: which searches there are, their settings and limits, and the one function that runs them. The searches themselves
// are described where they are implemented, in src/search.
//
//   greedy   from the current state to the successor with the highest score among those that were never met before
//   bfs      breadth-first: all states, in the order of their distance; it asks no scorer
//   beam     the best `width` states of every step go on to the next
//   bwas     batch weighted A*: the states with the lowest weighted sum of steps so far and estimated steps to go come first
//   levin    Levin tree search: the states with the lowest (steps so far + 1) / (probability of the path) come first
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "conpole/stop_token.h"

namespace conpole {

enum class SearchKind : std::uint8_t { kGreedy, kBreadthFirst, kBeam, kBestFirst, kLevin };
// What a beam keeps the best by: the scores of a path added up, the last score, the path's log-probability under the scores,
// how far states are by a network that says so, or the last two together.
enum class BeamValue : std::uint8_t { kSumOfScores, kLastScore, kLogProbability, kDistance, kBoth };

// greedy, bfs, beam, bwas or levin. Throws Error, listing these, for any other name.
SearchKind SearchKindOf(std::string_view name);
// sum, last, log-probability, distance or both. Throws Error, listing these, for any other name.
BeamValue BeamValueOf(std::string_view name);

struct GreedyOptions {
  std::size_t max_steps = 30;
};

struct BreadthFirstOptions {
  std::uint64_t max_edges = 1'000'000;
  // Whether a solved state ends the search as soon as it is met, or only when its turn to be expanded comes.
  bool take_solved_successors = true;
  StopToken stop = {};  // RunSearch sets it to that of the SearchOptions
};

struct BeamOptions {
  std::size_t width = 10;
  std::size_t max_steps = 30;
  // If it is not given, what suits the scorer: the sum of log-preferences, the last of other scores.
  std::optional<BeamValue> value = {};
  // How many symmetric views of a problem are searched one after the other; the shortest solution counts. Only for policies
  // that need no texts (conpole/packed_policy.h), and at the most as many as the domain knows of.
  std::size_t views = 1;
  // Whether a solved candidate ends the search as soon as it is listed, or only once it is chosen into the beam.
  bool take_solved_candidates = true;
};

struct BestFirstOptions {
  double weight = 1.0;      // of the steps so far
  std::size_t batch = 100;  // states that are expanded per round
  std::uint64_t max_expanded = 100'000;
};

struct LevinOptions {
  std::size_t batch = 1;  // states that are expanded per round; with more than one, some are expanded before their turn
  std::uint64_t max_expanded = 100'000;
};

// Only the part that belongs to `kind` counts.
struct SearchOptions {
  SearchKind kind = SearchKind::kBeam;
  GreedyOptions greedy;
  BreadthFirstOptions breadth_first;
  BeamOptions beam;
  BestFirstOptions best_first;
  LevinOptions levin;
  // Of beam, bwas and levin with a policy over states of a fixed layout: whether the ways from states near the solved one are
  // known beforehand, from walking backwards, or only the solved state itself.
  bool endgame = true;
  std::size_t in_flight = 0;  // problems that advance at a time; 0 for what suits the scorer
  StopToken stop;             // ends the searches with kInterrupted, within a second
};

// Searches all problems, which are canonical text, and returns the results in their order. 0 threads are one per core; the
// result does not depend on it. Throws Error if an option makes no sense or the search cannot use what the scores mean:
//   greedy, bfs   any
//   beam          any for the beam value last, log-preferences for the others
//   bwas          log-preferences and steps to go
//   levin         log-preferences
// Any thread may call it; nobody else may use the scorer meanwhile.
std::vector<SearchResult> RunSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                    const SearchOptions& options = {}, std::size_t threads = 0);

}  // namespace conpole
