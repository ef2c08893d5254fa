#include "util/thread_pool.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
constexpr bool kHasThreads = false;
#else
constexpr bool kHasThreads = true;
#endif

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) {
  if (!kHasThreads) threads = 1;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  try {
    for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { Work(); });
  } catch (const std::exception& error) {
    Close();  // those that did start wait for work, and nobody else would end them
    throw Error(fmt::format("cannot start {} threads: {}", threads, error.what()));
  }
}

ThreadPool::~ThreadPool() { Close(); }

void ThreadPool::Close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  loop_started_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::For(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count <= 1 || workers_.empty()) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    still_working_ = workers_.size();
    ++loops_;
  }
  loop_started_.notify_all();
  TakeIndices();
  std::unique_lock lock(mutex_);
  loop_ended_.wait(lock, [this] { return still_working_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::Work() {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    loop_started_.wait(lock, [&] { return closing_ || loops_ != seen; });
    if (closing_) return;
    seen = loops_;
    lock.unlock();
    TakeIndices();
    lock.lock();
    if (--still_working_ == 0) loop_ended_.notify_one();
  }
}

void ThreadPool::TakeIndices() {
  try {
    for (std::size_t i = next_++; i < count_; i = next_++) (*body_)(i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = count_;
  }
}

}  // namespace conpole
