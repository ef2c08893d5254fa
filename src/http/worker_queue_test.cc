#include "http/worker_queue.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

// Works that begin, say so, and end when they may.
class Gate {
 public:
  WorkerQueue::Work MakeWork(const std::string& name) {
    return {.run = [this, name] { Pass(name); }, .drop = [this, name] { dropped_.push_back(name); }};
  }
  void AwaitStarted(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return started_.size() >= count; });
  }
  // Lets `count` more end.
  void Open(std::size_t count) {
    const std::lock_guard lock(mutex_);
    may_end_ += count;
    changed_.notify_all();
  }
  std::vector<std::string> started() const {
    const std::lock_guard lock(mutex_);
    return started_;
  }
  const std::vector<std::string>& dropped() const { return dropped_; }

 private:
  void Pass(const std::string& name) {
    std::unique_lock lock(mutex_);
    started_.push_back(name);
    changed_.notify_all();
    changed_.wait(lock, [&] { return may_end_ > 0; });
    --may_end_;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> started_;
  std::vector<std::string> dropped_;
  std::size_t may_end_ = 0;
};

TEST(WorkerQueueTest, WhatDoesNotFitIsTurnedAway) {
  Gate gate;
  {
    WorkerQueue queue(2, 3);
    // Two run, and three wait.
    EXPECT_TRUE(queue.TryPost("a", gate.MakeWork("1")));
    EXPECT_TRUE(queue.TryPost("b", gate.MakeWork("2")));
    gate.AwaitStarted(2);
    EXPECT_EQ(queue.running(), 2U);
    EXPECT_FALSE(queue.full());
    for (const std::string client : {"a", "b", "c"}) EXPECT_TRUE(queue.TryPost(client, gate.MakeWork("more")));
    EXPECT_FALSE(queue.TryPost("a", gate.MakeWork("too many")));
    EXPECT_TRUE(queue.full());
    EXPECT_EQ(queue.queued(), 3U);
    gate.Open(5);
  }
  // What was taken is done before the queue ends.
  EXPECT_EQ(gate.started().size(), 5U);
  EXPECT_TRUE(gate.dropped().empty());
}

TEST(WorkerQueueTest, WithoutAQueueIdleWorkersStillWork) {
  std::atomic<int> done = 0;
  {
    WorkerQueue queue(2, 0);
    EXPECT_TRUE(queue.TryPost("a", {.run = [&] { ++done; }}));
    EXPECT_TRUE(queue.TryPost("b", {.run = [&] { ++done; }}));
  }
  EXPECT_EQ(done, 2);
}

TEST(WorkerQueueTest, ClientsTakeTurns) {
  Gate gate;
  {
    WorkerQueue queue(1, 100);
    EXPECT_TRUE(queue.TryPost("greedy", gate.MakeWork("g1")));
    gate.AwaitStarted(1);
    for (const std::string name : {"g2", "g3", "g4"}) EXPECT_TRUE(queue.TryPost("greedy", gate.MakeWork(name)));
    EXPECT_TRUE(queue.TryPost("polite", gate.MakeWork("p1")));
    EXPECT_TRUE(queue.TryPost("polite", gate.MakeWork("p2")));
    EXPECT_TRUE(queue.TryPost("third", gate.MakeWork("t1")));
    gate.Open(7);
  }
  EXPECT_EQ(gate.started(), (std::vector<std::string>{"g1", "p1", "t1", "g2", "p2", "g3", "g4"}));
}

TEST(WorkerQueueTest, NoClientHasAllThreads) {
  for (const std::size_t workers : {2U, 3U, 4U, 16U}) {
    Gate gate;
    {
      WorkerQueue queue(workers, 100);
      for (std::size_t i = 0; i < workers; ++i) EXPECT_TRUE(queue.TryPost("greedy", gate.MakeWork("greedy")));
      // One of the greedy client's waits, so that there is a thread for the other.
      EXPECT_TRUE(queue.TryPost("polite", gate.MakeWork("polite")));
      gate.AwaitStarted(workers - std::max<std::size_t>(1, workers / 4) + 1);
      const std::vector<std::string> started = gate.started();
      EXPECT_NE(std::find(started.begin(), started.end(), "polite"), started.end()) << workers;
      EXPECT_GT(queue.queued(), 0U);
      gate.Open(workers + 1);
    }
    EXPECT_EQ(gate.started().size(), workers + 1);
  }
}

TEST(WorkerQueueTest, WhoHasTheMostWaitingGivesWay) {
  Gate gate;
  {
    WorkerQueue queue(1, 3);
    EXPECT_TRUE(queue.TryPost("greedy", gate.MakeWork("g1")));
    gate.AwaitStarted(1);
    for (const std::string name : {"g2", "g3", "g4"}) EXPECT_TRUE(queue.TryPost("greedy", gate.MakeWork(name)));
    EXPECT_FALSE(queue.TryPost("greedy", gate.MakeWork("g5")));
    EXPECT_TRUE(queue.TryPost("polite", gate.MakeWork("p1")));
    EXPECT_EQ(gate.dropped(), std::vector<std::string>{"g4"});
    // With two against one, nobody has too much.
    EXPECT_FALSE(queue.TryPost("polite", gate.MakeWork("p2")));
    EXPECT_EQ(queue.queued(), 3U);
    gate.Open(4);
  }
  EXPECT_EQ(gate.started(), (std::vector<std::string>{"g1", "p1", "g2", "g3"}));
}

TEST(WorkerQueueTest, WhatNobodyWaitsForIsRemoved) {
  Gate gate;
  {
    WorkerQueue queue(1, 10);
    const auto running = queue.TryPost("a", gate.MakeWork("1"));
    gate.AwaitStarted(1);
    const auto waiting = queue.TryPost("a", gate.MakeWork("2"));
    const auto other = queue.TryPost("b", gate.MakeWork("3"));
    ASSERT_TRUE(running && waiting && other);
    EXPECT_FALSE(queue.Remove("a", *running));
    EXPECT_FALSE(queue.Remove("b", *waiting));
    EXPECT_TRUE(queue.Remove("a", *waiting));
    EXPECT_FALSE(queue.Remove("a", *waiting));
    EXPECT_EQ(queue.queued(), 1U);
    gate.Open(2);
  }
  EXPECT_EQ(gate.started(), (std::vector<std::string>{"1", "3"}));
  EXPECT_TRUE(gate.dropped().empty());
}

TEST(WorkerQueueTest, WhenToAskAgain) {
  EXPECT_EQ(SecondsUntilBegun(0, 4, 30), 1U);
  EXPECT_EQ(SecondsUntilBegun(1, 16, 0.01), 1U);
  EXPECT_EQ(SecondsUntilBegun(8, 16, 30), 15U);
  EXPECT_EQ(SecondsUntilBegun(3, 2, 1), 2U);
  EXPECT_EQ(SecondsUntilBegun(256, 16, 30), 60U);
}

}  // namespace
}  // namespace conpole
