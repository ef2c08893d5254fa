// A thread of its own for the network: work is done in the order in which it was given, while the caller goes on. All methods
// are called by one thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace conpole {

class DeviceQueue {
 public:
  DeviceQueue();
  // Finishes what was given.
  ~DeviceQueue();
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  // The future holds what the work threw, if it did.
  std::future<void> Post(std::function<void()> work);
  // Does it, after all that was given before, and waits for it.
  void Do(std::function<void()> work) { Post(std::move(work)).get(); }

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool closing_ = false;
  std::thread thread_;  // last, so that it starts when all else is there
};

}  // namespace conpole
