#include "http/metrics.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace conpole {
namespace {

// Of this process; 0 where the system does not tell.
std::uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t whole = 0;
  std::uint64_t resident = 0;
  if (!(file >> whole >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

class Text {
 public:
  void Describe(std::string_view name, std::string_view type, std::string_view help) {
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  template <class Value>
  void Add(std::string_view name, std::string_view labels, Value value) {
    text_ += fmt::format("{}{} {}\n", name, labels, value);
  }
  template <class Value>
  void AddOne(std::string_view name, std::string_view type, std::string_view help, Value value) {
    Describe(name, type, help);
    Add(name, "", value);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

void ServerMetrics::CountRequest(std::string_view route, int status, double seconds) {
  const auto bucket = static_cast<std::size_t>(std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin());
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
  auto durations = durations_.find(route);
  if (durations == durations_.end()) durations = durations_.emplace(std::string(route), Durations()).first;
  ++durations->second.counts[bucket];
  durations->second.sum += seconds;
}

std::string ServerMetrics::Format(const ServerGauges& gauges) const {
  Text text;
  const std::lock_guard lock(mutex_);
  text.Describe("conpole_requests_total", "counter", "Requests that were answered.");
  for (const auto& [key, count] : requests_) {
    text.Add("conpole_requests_total", fmt::format(R"({{route="{}",status="{}"}})", key.first, key.second), count);
  }
  text.Describe("conpole_request_seconds", "histogram", "Time from the head of a request to its answer.");
  for (const auto& [route, durations] : durations_) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i <= kBounds.size(); ++i) {
      sum += durations.counts[i];
      const std::string bound = i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf";
      text.Add("conpole_request_seconds_bucket", fmt::format(R"({{route="{}",le="{}"}})", route, bound), sum);
    }
    text.Add("conpole_request_seconds_sum", fmt::format(R"({{route="{}"}})", route), durations.sum);
    text.Add("conpole_request_seconds_count", fmt::format(R"({{route="{}"}})", route), sum);
  }
  text.AddOne("conpole_connections", "gauge", "Connections that are open.", gauges.connections);
  text.AddOne("conpole_connections_total", "counter", "Connections that were accepted.", connections_.load());
  text.AddOne("conpole_connections_refused_total", "counter", "Connections that there was no room for.",
              refused_connections_.load());
  text.AddOne("conpole_timeouts_total", "counter", "Connections that were closed because their client was slow.",
              timeouts_.load());
  text.AddOne("conpole_requests_abandoned_total", "counter", "Requests whose clients left before the answer.",
              abandoned_.load());
  text.AddOne("conpole_requests_limited_total", "counter", "Requests of clients that asked too often.", limited_.load());
  text.AddOne("conpole_queue_length", "gauge", "Requests that wait for a worker.", gauges.queued);
  text.AddOne("conpole_requests_running", "gauge", "Requests that are being answered.", gauges.running);
  text.Describe("conpole_network_asked_total", "counter", "Batches that searches asked a network about.");
  for (const auto& [model, counts] : gauges.networks) {
    text.Add("conpole_network_asked_total", fmt::format(R"({{model="{}"}})", model), counts.asked);
  }
  text.Describe("conpole_network_calls_total", "counter", "Network calls that answered them, several in one.");
  for (const auto& [model, counts] : gauges.networks) {
    text.Add("conpole_network_calls_total", fmt::format(R"({{model="{}"}})", model), counts.answered);
  }
  text.Describe("conpole_network_pairs_total", "counter", "Pairs of states that a network scored.");
  for (const auto& [model, counts] : gauges.networks) {
    text.Add("conpole_network_pairs_total", fmt::format(R"({{model="{}"}})", model), counts.pairs);
  }
  text.AddOne("process_resident_memory_bytes", "gauge", "Memory of the process.", ResidentBytes());
  return text.Take();
}

}  // namespace conpole
