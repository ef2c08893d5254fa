// What surrounds the searches of one call: when to stop, and how far they are. A search asks its scorer again and again, so a
// scorer around that one sees all of it, whatever the search. Used by the thread of the call, and by those of its searches.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "conpole/packed_policy.h"
#include "conpole/scorer.h"

namespace conpole {

// Thrown where there is no answer without what was being computed: out of scores that were asked for all at once, and out of
// searches that know no stop of their own, if asked to (CallWatch::ThrowWhenStopped).
struct CallStopped {};

class CallWatch {
 public:
  using Clock = std::chrono::steady_clock;
  using Report = std::function<void(const std::string& json)>;

  // Stops when the caller does, by a flag that may be null, or when the time is over. `report`, which may be empty, is called
  // with the progress, at once and then ten times a second. Both must outlive the watch.
  CallWatch(const std::atomic<bool>* caller_stop, const Report& report, std::uint64_t milliseconds);

  // For searches.
  const std::atomic<bool>& stop() const { return stop_; }
  void ThrowWhenStopped() { throws_ = true; }

  // Notes how many states were just expanded together.
  void Look(std::size_t expanded);

 private:
  const std::atomic<bool>* caller_stop_;
  const Report& report_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_;
  std::atomic<bool> stop_ = false;
  bool throws_ = false;

  std::mutex mutex_;  // of all below
  Clock::time_point next_report_;
  std::uint64_t expanded_ = 0;
};

// The watch must outlive it.
std::unique_ptr<Scorer> MakeWatchedScorer(std::unique_ptr<Scorer> scorer, CallWatch& watch);

}  // namespace conpole
