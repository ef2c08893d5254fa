#include "python/src/shared_pool.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

#include <unistd.h>

namespace conpole::python {
namespace {

struct SharedPool {
  std::mutex in_use;
  std::unique_ptr<ThreadPool> pool;
  pid_t process = 0;

  ThreadPool& OfSize(std::size_t threads) {
    if (process != getpid()) {
      static_cast<void>(pool.release());  // its threads stayed behind in the parent, so nobody can join them
      process = getpid();
    }
    if (!pool || pool->size() != threads) {
      pool.reset();
      pool = std::make_unique<ThreadPool>(threads);
    }
    return *pool;
  }
};

}  // namespace

void WithSharedPool(std::size_t threads, const std::function<void(ThreadPool&)>& work) {
  // Never destroyed: a forked process could not join the threads when it ends.
  static SharedPool& shared = *new SharedPool;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  if (threads > 1) {
    if (const std::unique_lock lock(shared.in_use, std::try_to_lock); lock.owns_lock()) return work(shared.OfSize(threads));
  }
  ThreadPool alone(1);
  work(alone);
}

}  // namespace conpole::python
