// What a server counts, as text that Prometheus reads. Any thread may count and read.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "service/batching_scorer.h"

namespace conpole {

// What stands at a moment, known to others.
struct ServerGauges {
  std::size_t connections = 0;
  std::size_t queued = 0;   // requests that wait for a worker
  std::size_t running = 0;  // requests that workers answer
  std::map<std::string, ScoreBatcher::Counts> networks = {};
};

class ServerMetrics {
 public:
  // `route` is the name of an operation or of another route; few names.
  void CountRequest(std::string_view route, int status, double seconds);
  void CountConnection() { ++connections_; }
  void CountRefusedConnection() { ++refused_connections_; }
  void CountTimeout() { ++timeouts_; }
  void CountAbandoned() { ++abandoned_; }
  void CountLimited() { ++limited_; }

  std::string Format(const ServerGauges& gauges) const;

 private:
  // Upper bounds in seconds; one more bucket is for all that is above.
  static constexpr std::array<double, 12> kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30};
  struct Durations {
    std::array<std::uint64_t, kBounds.size() + 1> counts = {};
    double sum = 0;
  };

  std::atomic<std::uint64_t> connections_ = 0;
  std::atomic<std::uint64_t> refused_connections_ = 0;
  std::atomic<std::uint64_t> timeouts_ = 0;
  std::atomic<std::uint64_t> abandoned_ = 0;
  std::atomic<std::uint64_t> limited_ = 0;
  mutable std::mutex mutex_;  // of all below
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Durations, std::less<>> durations_;
};

}  // namespace conpole
