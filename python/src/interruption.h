// Ctrl-C while long work runs without the interpreter's lock, in the thread that Python called and on others that share loops
// with it. The work is given a domain, an encoder or a policy from here in place of its own, which look for signals on the way.
// They refer to what they are made from, and are for one call.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "conpole/domain.h"
#include "conpole/packed_policy.h"
#include "nn/encoder.h"

namespace conpole::python {

// Made by the thread that Python called, and used until its work is done.
class SignalWatch {
 public:
  SignalWatch() : owner_(std::this_thread::get_id()) {}
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  bool IsOwner() const { return std::this_thread::get_id() == owner_; }
  // To be called often, by any thread, without the interpreter's lock. Now and then it looks whether a signal came, if the
  // thread is the one that made this, and throws what its handler raises: KeyboardInterrupt for Ctrl-C.
  void Look() {
    if (!IsOwner()) return;
    if (const Clock::time_point now = Clock::now(); now >= next_) LookNow(now);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenLooks{50};

  void LookNow(Clock::time_point now);

  const std::thread::id owner_;
  Clock::time_point next_ = Clock::now() + kBetweenLooks;
};

// The same domain. Once a signal has ended the work of one thread, the others get nothing more from it.
class WatchedDomain final : public Domain {
 public:
  explicit WatchedDomain(const Domain& domain) : Domain(domain.type(), domain.parameters()), domain_(domain) {}

  std::string Generate(std::uint64_t seed) const override;
  Status Expand(std::string_view state, Labels labels, Successors& out) const override;
  bool Solved(std::string_view state) const override { return domain_.Solved(state); }
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }

 private:
  // Whether the work goes on. `cost` is in bytes of states that are expanded: looking takes longer than expanding a short one.
  bool GoOn(std::size_t cost) const;

  const Domain& domain_;
  mutable SignalWatch watch_;
  mutable std::size_t cost_ = 0;  // since the last look; of the thread that made this
  mutable std::atomic<bool> stopped_ = false;
};

// Encodes texts in pieces that take a fraction of a second.
class WatchedEncoder final : public Encoder {
 public:
  explicit WatchedEncoder(const Encoder& encoder) : encoder_(encoder) {}

  std::size_t vector_size() const override { return encoder_.vector_size(); }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const override;

 private:
  const Encoder& encoder_;
};

// Scores as many states at a time as the policy wants.
class WatchedPolicy final : public PackedPolicy {
 public:
  explicit WatchedPolicy(std::unique_ptr<PackedPolicy> policy) : policy_(std::move(policy)) {}

  std::size_t cells() const override { return policy_->cells(); }
  std::size_t actions() const override { return policy_->actions(); }
  void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override;
  std::size_t StatesAtATime() const override { return policy_->StatesAtATime(); }

 private:
  std::unique_ptr<PackedPolicy> policy_;
};

}  // namespace conpole::python
