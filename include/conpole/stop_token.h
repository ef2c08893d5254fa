// When long work should end early: a flag that somebody sets, a point in time, a question to the caller, or any of them. Work
// that takes one looks at it often enough to end well within a second. What the token refers to must outlive the work. Tokens
// are small values; any thread may ask one.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

namespace conpole {

class StopToken {
 public:
  using Clock = std::chrono::steady_clock;

  // Never stops.
  StopToken() = default;
  // Stops once the flag is set; null is no flag.
  StopToken(const std::atomic<bool>* flag) : flag_(flag) {}  // NOLINT(google-explicit-constructor): a flag is a token

  // The same token with one more reason. Of two times the earlier counts. A question may come from several threads at a time
  // and must go on saying yes once it has.
  StopToken Or(Clock::time_point deadline) const {
    StopToken both = *this;
    if (deadline < both.deadline_) both.deadline_ = deadline;
    return both;
  }
  StopToken Or(std::function<bool()> asked) const {
    StopToken both = *this;
    both.asked_ =
        asked_ == nullptr ? std::move(asked) : [first = asked_, second = std::move(asked)] { return first() || second(); };
    return both;
  }

  bool StopRequested() const {
    return IsFlagSet() || (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) || (asked_ && asked_());
  }

  // For loops that look very often: whether the flag is set, which costs next to nothing, and whether there is anything else.
  bool IsFlagSet() const { return flag_ != nullptr && flag_->load(std::memory_order_relaxed); }
  bool HasMoreThanAFlag() const { return deadline_ != Clock::time_point::max() || asked_ != nullptr; }

 private:
  const std::atomic<bool>* flag_ = nullptr;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::function<bool()> asked_;
};

}  // namespace conpole
