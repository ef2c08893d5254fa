// One entrance to all searches: what the command line and every other caller uses. Any thread may call it; the pool runs one
// search of many problems at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
#include "conpole/stop_token.h"
#include "search/beam_search.h"
#include "search/best_first.h"
#include "search/breadth_first.h"
#include "search/greedy.h"
#include "util/thread_pool.h"

namespace conpole {

enum class SearchKind : std::uint8_t { kGreedy, kBreadthFirst, kBeam, kBestFirst };

// greedy, bfs, beam or bwas. Throws Error, listing these, for any other name.
SearchKind SearchKindOf(std::string_view name);
// sum, last or log-probability. Throws Error, listing these, for any other name.
BeamValue BeamValueOf(std::string_view name);

// Only the part that belongs to `kind` counts.
struct SearchOptions {
  SearchKind kind = SearchKind::kBeam;
  GreedyOptions greedy;
  BreadthFirstOptions breadth_first;
  BeamOptions beam;
  BestFirstOptions best_first;
  std::size_t in_flight = 0;  // problems that advance at a time; 0 for what suits the scorer
  StopToken stop;             // ends the searches with kInterrupted, within a second
};

// Searches all problems, which are canonical text, and returns the results in their order. `finished` is called, by one thread
// at a time, as problems finish. Throws Error if an option makes no sense or the search cannot use what the scores mean:
//   greedy, bfs   any
//   beam          any for the beam value last, log-preferences for the others
//   bwas          log-preferences and steps to go
std::vector<SearchResult> RunSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                    const SearchOptions& options, ThreadPool& pool,
                                    const std::function<void(std::size_t index, const SearchResult&)>& finished = {});

}  // namespace conpole
