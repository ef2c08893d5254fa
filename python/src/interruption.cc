#include "python/src/interruption.h"

#include <algorithm>
#include <utility>

#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace conpole::python {

void SignalWatch::LookNow(Clock::time_point now) {
  next_ = now + kBetweenLooks;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

bool WatchedDomain::GoOn(std::size_t cost) const {
  constexpr std::size_t kCostOfLooking = 2048;
  if (!watch_.IsOwner()) return !stopped_.load(std::memory_order_relaxed);
  cost_ += cost;
  if (cost_ < kCostOfLooking) return true;
  cost_ = 0;
  try {
    watch_.Look();
  } catch (...) {
    stopped_ = true;
    throw;
  }
  return true;
}

std::string WatchedDomain::Generate(std::uint64_t seed) const {
  constexpr std::size_t kCost = 512;
  return GoOn(kCost) ? domain_.Generate(seed) : std::string();
}

Status WatchedDomain::Expand(std::string_view state, Labels labels, Successors& out) const {
  return GoOn(state.size()) ? domain_.Expand(state, labels, out) : Status::kDeadEnd;
}

void WatchedEncoder::Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kFirstCharacters = 8192;  // of a piece: how fast the network is is not known yet
  constexpr std::chrono::milliseconds kShort(100);
  constexpr std::chrono::milliseconds kLong(300);
  SignalWatch watch;
  std::size_t limit = kFirstCharacters;
  for (std::size_t begin = 0; begin < texts.size();) {
    std::size_t end = begin;
    std::size_t characters = 0;
    while (end < texts.size() && (end == begin || characters + texts[end].size() <= limit))
      characters += texts[end++].size() + 1;
    const Clock::time_point started = Clock::now();
    encoder_.Encode(texts.subspan(begin, end - begin), vectors.subspan(begin * vector_size(), (end - begin) * vector_size()),
                    pool);
    const Clock::duration took = Clock::now() - started;
    if (took < kShort) limit *= 2;
    if (took > kLong) limit = std::max<std::size_t>(1, limit / 2);
    begin = end;
    if (begin < texts.size()) watch.Look();
  }
}

void WatchedPolicy::Score(std::span<const std::uint8_t> states, std::span<float> preferences) {
  SignalWatch watch;
  const std::size_t count = states.size() / cells();
  const std::size_t at_a_time = std::max<std::size_t>(1, policy_->StatesAtATime());
  for (std::size_t begin = 0; begin < count; begin += at_a_time) {
    const std::size_t size = std::min(at_a_time, count - begin);
    policy_->Score(states.subspan(begin * cells(), size * cells()), preferences.subspan(begin * actions(), size * actions()));
    watch.Look();
  }
}

}  // namespace conpole::python
