// One entrance to all searches: what the command line and every other caller uses.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/search.h"
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
  std::size_t in_flight = 0;                // problems that advance at a time; 0 for what suits the scorer
  const std::atomic<bool>* stop = nullptr;  // ends the searches with kInterrupted, if given
};

// Searches all problems, which are canonical text, and returns the results in their order. `finished` is called, by one thread
// at a time, as problems finish. Throws Error if an option makes no sense.
std::vector<SearchResult> RunSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                    const SearchOptions& options, ThreadPool& pool,
                                    const std::function<void(std::size_t index, const SearchResult&)>& finished = {});

}  // namespace conpole
