#include "train/loop/device_queue.h"

#include <algorithm>
#include <utility>

#include "util/stopwatch.h"

namespace conpole {

DeviceQueue::DeviceQueue() : thread_([this] { Run(); }) {}

DeviceQueue::~DeviceQueue() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

std::future<void> DeviceQueue::Post(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
  return done;
}

std::future<void> DeviceQueue::Post(double Seconds::*counter, std::function<void()> work) {
  return Post([this, counter, work = std::move(work)] {
    const Stopwatch watch;
    Seconds spent{.idle = std::max(0.0, std::chrono::duration<double>(std::chrono::steady_clock::now() - free_since_).count())};
    work();
    spent.*counter = watch.Seconds();
    Count(spent);
    BeginWaiting();
  });
}

void DeviceQueue::Count(const Seconds& more) {
  const std::lock_guard lock(mutex_);
  seconds_ = {seconds_.encode + more.encode, seconds_.learn + more.learn, seconds_.idle + more.idle};
}

DeviceQueue::Seconds DeviceQueue::seconds() {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

void DeviceQueue::Run() {
  for (;;) {
    std::packaged_task<void()> task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace conpole
