#include "http/worker_queue.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {

WorkerQueue::WorkerQueue(std::size_t workers, std::size_t max_queued) : max_queued_(max_queued) {
  try {
    for (std::size_t i = 0; i < std::max<std::size_t>(1, workers); ++i) threads_.emplace_back([this] { Work(); });
  } catch (const std::exception& error) {
    Close();  // those that did start wait for work
    throw Error(fmt::format("cannot start {} workers: {}", workers, error.what()));
  }
}

WorkerQueue::~WorkerQueue() { Close(); }

void WorkerQueue::Close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerQueue::TryPost(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    // Those that are about to be taken by a thread that has nothing to do are not waiting.
    const std::size_t idle = threads_.size() - running_;
    if (queue_.size() >= max_queued_ + idle) return false;
    queue_.push_back(std::move(work));
  }
  posted_.notify_one();
  return true;
}

std::size_t WorkerQueue::queued() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::size_t WorkerQueue::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

void WorkerQueue::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    posted_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    --running_;
  }
}

}  // namespace conpole
