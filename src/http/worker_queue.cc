#include "http/worker_queue.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

constexpr double kWeightOfLatest = 0.2;
constexpr double kLongestRetry = 60;

// On Linux each thread has a niceness of its own; elsewhere all stay equal.
void BecomeNice([[maybe_unused]] int niceness) {
#ifdef __linux__
  if (niceness != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
#endif
}

}  // namespace

unsigned SecondsUntilBegun(std::size_t queued, std::size_t workers, double seconds_of_one) {
  const double seconds = static_cast<double>(queued) * seconds_of_one / static_cast<double>(std::max<std::size_t>(1, workers));
  return static_cast<unsigned>(std::clamp(std::ceil(seconds), 1.0, kLongestRetry));
}

WorkerQueue::WorkerQueue(std::size_t workers, std::size_t max_queued, int niceness)
    : workers_(std::max<std::size_t>(1, workers)),
      max_queued_(max_queued),
      most_of_a_client_(workers_ == 1 ? 1 : workers_ - std::max<std::size_t>(1, workers_ / 4)) {
  try {
    for (std::size_t i = 0; i < workers_; ++i) threads_.emplace_back([this, niceness] { RunThread(niceness); });
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

// Those that are about to be taken by a thread that has nothing to do are not waiting.
bool WorkerQueue::IsFull() const { return queued_ >= max_queued_ + (workers_ - running_); }

std::optional<WorkerQueue::Ticket> WorkerQueue::TryPost(const std::string& client, Work work) {
  std::function<void()> drop;
  Ticket ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    if (IsFull()) {
      const auto own = clients_.find(client);
      const std::size_t own_waiting = own == clients_.end() ? 0 : own->second.waiting.size();
      const auto most = std::max_element(clients_.begin(), clients_.end(), [](const auto& a, const auto& b) {
        return a.second.waiting.size() < b.second.waiting.size();
      });
      if (most == clients_.end() || own_waiting + 1 >= most->second.waiting.size()) return std::nullopt;
      drop = std::move(most->second.waiting.back().work.drop);
      most->second.waiting.pop_back();
      --queued_;
    }
    ticket = ++last_ticket_;
    clients_[client].waiting.push_back({ticket, std::move(work)});
    ++queued_;
  }
  posted_.notify_one();
  if (drop) drop();
  return ticket;
}

bool WorkerQueue::Remove(const std::string& client, Ticket ticket) {
  Work removed;  // what it holds ends outside the lock
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(client);
  if (found == clients_.end()) return false;
  std::deque<Waiting>& waiting = found->second.waiting;
  const auto at = std::find_if(waiting.begin(), waiting.end(), [&](const Waiting& one) { return one.ticket == ticket; });
  if (at == waiting.end()) return false;
  removed = std::move(at->work);
  waiting.erase(at);
  --queued_;
  Forget(found);
  return true;
}

std::size_t WorkerQueue::queued() const {
  const std::lock_guard lock(mutex_);
  return queued_;
}

std::size_t WorkerQueue::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

bool WorkerQueue::full() const {
  const std::lock_guard lock(mutex_);
  return IsFull();
}

unsigned WorkerQueue::RetryAfterSeconds() const {
  const std::lock_guard lock(mutex_);
  return SecondsUntilBegun(queued_ + 1, workers_, usual_seconds_);
}

WorkerQueue::Clients::iterator WorkerQueue::Next() {
  auto next = clients_.end();
  for (auto one = clients_.begin(); one != clients_.end(); ++one) {
    const Client& client = one->second;
    if (client.waiting.empty() || (client.running >= most_of_a_client_ && !closing_)) continue;
    if (next == clients_.end() ||
        std::tie(client.running, client.last_turn) < std::tie(next->second.running, next->second.last_turn)) {
      next = one;
    }
  }
  return next;
}

void WorkerQueue::Forget(Clients::iterator client) {
  if (client->second.waiting.empty() && client->second.running == 0) clients_.erase(client);
}

void WorkerQueue::RunThread(int niceness) {
  BecomeNice(niceness);
  std::unique_lock lock(mutex_);
  for (;;) {
    auto client = clients_.end();
    posted_.wait(lock, [&] {
      client = Next();
      return client != clients_.end() || closing_;
    });
    if (client == clients_.end()) return;
    Work work = std::move(client->second.waiting.front().work);
    client->second.waiting.pop_front();
    client->second.last_turn = ++turns_;
    ++client->second.running;
    --queued_;
    ++running_;
    lock.unlock();
    const auto start = std::chrono::steady_clock::now();
    work.run();
    work = {};
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    lock.lock();
    usual_seconds_ += kWeightOfLatest * (seconds - usual_seconds_);
    --running_;
    --client->second.running;
    Forget(client);
  }
}

}  // namespace conpole
