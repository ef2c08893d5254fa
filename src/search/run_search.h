// RunSearch (conpole/run_search.h) for callers inside the project, who share a pool of threads and want to see problems finish.
// One thread at a time may use a pool.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conpole/packed_policy.h"
#include "conpole/run_search.h"
#include "search/beam_search.h"
#include "util/thread_pool.h"

namespace conpole {

// `finished` is called, by one thread at a time, as problems finish.
std::vector<SearchResult> RunSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                    const SearchOptions& options, ThreadPool& pool,
                                    const std::function<void(std::size_t index, const SearchResult&)>& finished = {});
// The same for greedy and beam search over texts, whatever policy is behind the scorer. Each search keeps its trace, and
// `ended` is called with the problem's index when it has ended. `choose`, if there is one, says how they go on
// (BeamSearch::GoOnAs), on any thread of the pool. Throws Error for other searches.
std::vector<SearchResult> RunTracedSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                          const SearchOptions& options, ThreadPool& pool,
                                          const std::function<void(std::size_t index, const BeamSearch&)>& ended,
                                          const BeamSearch::Choose& choose = {});

// The same for one problem of a domain whose states have a fixed layout, by beams that grow: from `width` states on, four times
// as many each time, up to `widest`. It ends with the first that finds a solution or, if `shorten` is set, goes on to look for
// shorter ones until it is stopped. If a deadline is known, the last beam is as wide as there is time for. The path is the
// shortest found; `expanded` and `edges` are of all beams.
struct GrowingBeamOptions {
  std::size_t width = 256;
  std::size_t widest = std::size_t{1} << 18;
  std::size_t max_steps = 60;
  std::uint64_t max_expanded = UINT64_MAX;  // of all beams together; looked at between two steps
  bool shorten = false;
  StopToken stop = {};
  StopToken::Clock::time_point deadline = StopToken::Clock::time_point::max();
};
SearchResult RunGrowingPackedBeams(const Domain& domain, PackedPolicy& policy, const std::string& problem,
                                   const GrowingBeamOptions& options, ThreadPool& pool);

}  // namespace conpole
