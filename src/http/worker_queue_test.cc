#include "http/worker_queue.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(WorkerQueueTest, WhatDoesNotFitIsTurnedAway) {
  std::mutex mutex;
  std::condition_variable changed;
  int started = 0;
  bool may_end = false;
  std::atomic<int> done = 0;
  {
    WorkerQueue queue(2, 3);
    const auto work = [&] {
      std::unique_lock lock(mutex);
      ++started;
      changed.notify_all();
      changed.wait(lock, [&] { return may_end; });
      ++done;
    };
    // Two run, and three wait.
    EXPECT_TRUE(queue.TryPost(work));
    EXPECT_TRUE(queue.TryPost(work));
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return started == 2; });
    }
    EXPECT_EQ(queue.running(), 2U);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.TryPost(work));
    EXPECT_FALSE(queue.TryPost(work));
    EXPECT_EQ(queue.queued(), 3U);
    const std::lock_guard lock(mutex);
    may_end = true;
    changed.notify_all();
  }
  // What was taken is done before the queue ends.
  EXPECT_EQ(done, 5);
}

TEST(WorkerQueueTest, WithoutAQueueIdleWorkersStillWork) {
  std::atomic<int> done = 0;
  {
    WorkerQueue queue(2, 0);
    EXPECT_TRUE(queue.TryPost([&] { ++done; }));
    EXPECT_TRUE(queue.TryPost([&] { ++done; }));
  }
  EXPECT_EQ(done, 2);
}

}  // namespace
}  // namespace conpole
