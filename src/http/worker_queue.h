// Threads that do what takes long, and a queue of bounded length in front of them: who comes when it is full is turned away at
// once. Any thread may post work.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace conpole {

class WorkerQueue {
 public:
  // Throws Error if the system does not give that many threads.
  WorkerQueue(std::size_t workers, std::size_t max_queued);
  // Does what is queued first.
  ~WorkerQueue();
  WorkerQueue(const WorkerQueue&) = delete;
  WorkerQueue& operator=(const WorkerQueue&) = delete;

  // Work must not throw. False if the queue is full.
  bool TryPost(std::function<void()> work);

  std::size_t queued() const;
  std::size_t running() const;

 private:
  void Close();
  void Work();

  std::size_t max_queued_;
  mutable std::mutex mutex_;  // of all below but the threads
  std::condition_variable posted_;
  std::deque<std::function<void()>> queue_;
  std::size_t running_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace conpole
