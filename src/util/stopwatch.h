// Wall time for reports and benchmarks. An object belongs to one thread.
#pragma once

#include <chrono>

namespace conpole {

class Stopwatch {
 public:
  // Since it was made.
  double Seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Adds the time of a scope to a sum of seconds, which must outlive it.
class ScopeTimer {
 public:
  explicit ScopeTimer(double& seconds) : seconds_(seconds) {}
  ~ScopeTimer() { seconds_ += watch_.Seconds(); }
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;

 private:
  double& seconds_;
  Stopwatch watch_;
};

}  // namespace conpole
