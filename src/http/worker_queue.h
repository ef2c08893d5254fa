// Threads that do what takes long, and a queue of bounded length in front of them. The threads are shared out among clients:
// the next work is that of the client that has the fewest running, no client alone has all threads, and where the queue is full
// the client that has the most waiting gives way to one that has less. Any thread may post work.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace conpole {

class WorkerQueue {
 public:
  using Ticket = std::uint64_t;
  // Exactly one of both is called, unless the work is removed. Neither may throw.
  struct Work {
    std::function<void()> run;        // by a thread of the queue
    std::function<void()> drop = {};  // by the thread that posts for another client: this one gave way
  };

  // `niceness` is that of the threads: those of 10 leave nearly all of a processor to those of 0. Throws Error if the system
  // does not give that many threads.
  WorkerQueue(std::size_t workers, std::size_t max_queued, int niceness = 0);
  // Does what is queued first.
  ~WorkerQueue();
  WorkerQueue(const WorkerQueue&) = delete;
  WorkerQueue& operator=(const WorkerQueue&) = delete;

  // Nothing if the queue is full.
  std::optional<Ticket> TryPost(const std::string& client, Work work);
  // Takes back work that nobody waits for any more. False if it runs already, or has ended.
  bool Remove(const std::string& client, Ticket ticket);

  std::size_t queued() const;
  std::size_t running() const;
  bool full() const;
  // When it is worth asking again, from how long works took lately: in how many seconds those that wait now will have begun.
  unsigned RetryAfterSeconds() const;

 private:
  struct Waiting {
    Ticket ticket;
    Work work;
  };
  struct Client {
    std::deque<Waiting> waiting = {};
    std::size_t running = 0;
    std::uint64_t last_turn = 0;
  };
  using Clients = std::map<std::string, Client, std::less<>>;

  void Close();
  void RunThread(int niceness);
  bool IsFull() const;
  // The client whose turn it is; the end if nothing can be done.
  Clients::iterator Next();
  void Forget(Clients::iterator client);

  std::size_t workers_;
  std::size_t max_queued_;
  std::size_t most_of_a_client_;  // that run at a time
  mutable std::mutex mutex_;      // of all below but the threads
  std::condition_variable posted_;
  Clients clients_;  // those that have something waiting or running
  std::size_t queued_ = 0;
  std::size_t running_ = 0;
  std::uint64_t turns_ = 0;
  Ticket last_ticket_ = 0;
  double usual_seconds_ = 0;  // of a work, the latest count most
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

// In how many whole seconds, from 1 to 60, all that is queued will have begun.
unsigned SecondsUntilBegun(std::size_t queued, std::size_t workers, double seconds_of_one);

}  // namespace conpole
