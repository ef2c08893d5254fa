// How often clients may ask: each has a bucket that fills at a steady rate and that every request takes from. One thread at a
// time; the time is the caller's.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

namespace conpole {

class RateLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Each client may send `per_second` requests a second, and `at_once` together after a pause. 0 a second is no limit.
  RateLimit(double per_second, double at_once) : per_second_(per_second), at_once_(at_once) {}

  // 0 if the client may ask now; otherwise in how many whole seconds.
  unsigned Ask(const std::string& client, Time now);
  std::size_t clients() const { return buckets_.size(); }

 private:
  struct Bucket {
    double left;
    Time time;
  };

  double LeftIn(const Bucket& bucket, Time now) const;

  double per_second_;
  double at_once_;
  std::map<std::string, Bucket> buckets_;
  std::size_t forget_at_ = 1'024;  // clients, when those with full buckets are forgotten
};

}  // namespace conpole
