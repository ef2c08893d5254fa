// Problems that were not solved, to be tried again later with more effort: what a policy could not do then it may be able to do
// now, and a wider search finds what a narrow one misses. A bounded queue; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace conpole {

class FailedProblems {
 public:
  // `share` of all environment steps, at the most, go into trying again; 0 for never. A problem is tried up to `retries` times
  // again.
  FailedProblems(double share, std::size_t retries) : share_(share), retries_(retries) {}

  struct Problem {
    std::string text;
    std::size_t attempt = 0;  // how many times it was tried before
  };

  // A search has ended: attempt 0 is a problem's first. `steps` are the environment steps that it took.
  void Report(std::string_view problem, std::size_t attempt, bool solved, std::uint64_t steps);
  // The problem that has waited longest, if it has waited long enough and there are steps for it.
  std::optional<Problem> Take();

  std::size_t waiting() const { return queue_.size(); }
  // Problems that were solved when they were tried again.
  std::uint64_t solved_later() const { return solved_later_; }

  nlohmann::json Save() const;
  // Throws nlohmann::json::exception if it is not what Save gave.
  void Restore(const nlohmann::json& saved);

 private:
  struct Waiting {
    Problem problem;
    std::uint64_t due;  // by reported_
  };

  double share_;
  std::size_t retries_;
  std::deque<Waiting> queue_;
  std::uint64_t reported_ = 0;     // searches
  std::uint64_t steps_ = 0;        // of all searches
  std::uint64_t steps_again_ = 0;  // of those that tried again
  std::uint64_t solved_later_ = 0;
};

}  // namespace conpole
