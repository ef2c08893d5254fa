// RunSearch (conpole/run_search.h) for callers inside the project, who share a pool of threads and want to see problems finish.
// One thread at a time may use a pool.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conpole/run_search.h"
#include "util/thread_pool.h"

namespace conpole {

// `finished` is called, by one thread at a time, as problems finish.
std::vector<SearchResult> RunSearch(const Domain& domain, Scorer& scorer, std::span<const std::string> problems,
                                    const SearchOptions& options, ThreadPool& pool,
                                    const std::function<void(std::size_t index, const SearchResult&)>& finished = {});

}  // namespace conpole
