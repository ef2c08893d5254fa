// A file of traces (traces.h), made in order and so that it can be gone on with: a line per trace; beside it FILE.progress,
// which says how far it is, and in the end FILE.md, a card that says what is in it. Shards of one set are made by processes
// that need not know of each other. One thread uses a request at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "conpole/stop_token.h"
#include "tutor/traces.h"
#include "util/thread_pool.h"

namespace conpole {

struct TraceFileRequest {
  std::string path;
  TraceFormat format = TraceFormat::kJsonLines;
  TraceOptions options;
  std::uint64_t first = 0;  // the seed of the first problem
  std::uint64_t count = 0;  // problems of all shards
  std::uint64_t shard = 0;  // this one takes every problem whose place is shard modulo shards
  std::uint64_t shards = 1;
  bool resume = false;
  std::string scorer;   // in words, for the card
  std::string version;  // of the program
};

struct TraceCounts {
  std::uint64_t problems = 0;  // tried
  std::uint64_t solved = 0;
  std::uint64_t traces = 0;  // written
  std::uint64_t steps = 0;   // labelled, alternatives included
  std::uint64_t right = 0;
  std::uint64_t wrong = 0;
  std::uint64_t not_known = 0;
  std::map<std::string, std::uint64_t> kinds;     // of lines, by name
  std::map<std::string, std::uint64_t> mistakes;  // by name
};

// I/N, as --shard has it. Throws Error.
void ReadShard(std::string_view text, TraceFileRequest& request);

// Makes the file, or goes on with it, and calls `progress` now and then. Returns what is in it; a stop leaves it as it is, with
// fewer problems than its share, to be resumed. Throws Error if the file is there and `resume` is not set, if it was begun with
// other settings, or if it cannot be written.
TraceCounts WriteTraceFile(const Domain& domain, Scorer& scorer, const TraceFileRequest& request, ThreadPool& pool,
                           const StopToken& stop, const std::function<void(const TraceCounts&)>& progress = {});
// How many problems a shard has.
std::uint64_t ProblemsOf(const TraceFileRequest& request);

}  // namespace conpole
