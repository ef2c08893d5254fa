// A fixed set of threads that share loops. One loop runs at a time, so one thread at a time may use a pool; it takes part in
// the loop.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace conpole {

class ThreadPool {
 public:
  // 0 threads means one per core. Throws Error if the system does not give that many. Where a program can have but one, as in
  // WebAssembly, that one does everything.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return workers_.size() + 1; }

  // Calls body(i) for every i below `count`, in any order and on any of the threads; returns when all are done. If a body
  // throws, the rest of the loop is abandoned and the first exception is thrown here. Must not be called from a body. A loop
  // of one runs on the calling thread and wakes nobody.
  void For(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  void Close();
  void Work();
  void TakeIndices();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable loop_started_;
  std::condition_variable loop_ended_;
  std::uint64_t loops_ = 0;        // loops started so far
  std::size_t still_working_ = 0;  // workers that have not left the current loop
  bool closing_ = false;

  const std::function<void(std::size_t)>* body_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::exception_ptr failure_;
};

}  // namespace conpole
