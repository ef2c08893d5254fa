// Ranks in threads of one process, without LibTorch: for tests of what ranks do together, not of how they are connected. Each
// thread uses its own rank.
#pragma once

#include <barrier>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "train/ranks/ranks.h"

namespace conpole {

class ThreadRank final : public Ranks {
 public:
  struct Shared {
    explicit Shared(std::size_t size) : all_are_here(static_cast<std::ptrdiff_t>(size)), given(size) {}
    std::barrier<> all_are_here;
    std::vector<std::string> given;  // by rank
  };

  ThreadRank(std::size_t rank, std::size_t size, Shared& shared) : rank_(rank), size_(size), shared_(shared) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

  void Sum(std::span<float> values) override {
    std::vector<float> all(values.size() * size_);
    Gather({reinterpret_cast<const char*>(values.data()), values.size_bytes()},
           {reinterpret_cast<char*>(all.data()), all.size() * sizeof(float)});
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 0;
      for (std::size_t other = 0; other < size_; ++other) values[i] += all[other * values.size() + i];
    }
  }
  void Gather(std::span<const char> mine, std::span<char> all) override {
    Exchange({mine.data(), mine.size()}, [&](const std::vector<std::string>& given) {
      for (std::size_t i = 0; i < size_; ++i) std::memcpy(all.data() + i * mine.size(), given[i].data(), mine.size());
    });
  }
  void Broadcast(std::string& bytes, std::size_t from) override {
    std::string taken;
    Exchange(bytes, [&](const std::vector<std::string>& given) { taken = given[from]; });
    bytes = taken;
  }

  double SecondsWaited() const override { return 0; }
  void Fail(std::string_view /*message*/) override {}

 private:
  void Exchange(std::string_view mine, const std::function<void(const std::vector<std::string>&)>& take) {
    shared_.given[rank_] = mine;
    shared_.all_are_here.arrive_and_wait();
    take(shared_.given);
    shared_.all_are_here.arrive_and_wait();
  }

  std::size_t rank_;
  std::size_t size_;
  Shared& shared_;
};

// Calls `work` on each of `size` ranks. It must not throw on one of them alone: the others would wait for it.
inline void OnThreadRanks(std::size_t size, const std::function<void(Ranks& ranks)>& work) {
  ThreadRank::Shared shared(size);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRank own(rank, size, shared);
      work(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace conpole
