// A thread of its own for the network: work is done in the order in which it was given, while the caller goes on. All methods
// are called by one thread, but for Count.
#pragma once

#include <chrono>
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
  // Seconds that went into work of two kinds, and into waiting for it.
  struct Seconds {
    double encode = 0;
    double learn = 0;
    double idle = 0;
  };
  // The same for work that counts.
  std::future<void> Post(double Seconds::*counter, std::function<void()> work);
  // Adds to the seconds; for work that is of both kinds.
  void Count(const Seconds& more);
  Seconds seconds();
  // From now on the thread counts as waiting.
  void BeginWaiting() { free_since_ = std::chrono::steady_clock::now(); }
  // Does it, after all that was given before, and waits for it.
  void Do(std::function<void()> work) { Post(std::move(work)).get(); }

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool closing_ = false;
  Seconds seconds_;
  std::chrono::steady_clock::time_point free_since_;
  std::thread thread_;  // last, so that it starts when all else is there
};

}  // namespace conpole
