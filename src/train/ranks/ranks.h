// The processes of a run that spans several of them, as training sees them: each has a rank, and all call the same methods in
// the same order. src/torch/process_group.h connects processes; SingleRank() is what a process is on its own. The methods that
// all ranks call together are for one thread at a time.
//
// A rank that is lost, or that fails, ends the others: every method then throws Error, which names the rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  bool is_first() const { return rank() == 0; }
  bool is_alone() const { return size() == 1; }

  // Says where the values are that this rank will add up: cpu, cuda or cuda:N. Once, before the first sum.
  virtual void UseDevice(const std::string& /*device*/) {}
  // Every rank gives as many values. Afterwards all have the sums, the same to the bit.
  virtual void Sum(std::span<float> values) = 0;
  // The same, with something to do while the sums are under way: `meanwhile` is called again and again until they are there, as
  // long as it returns true. What it throws is thrown after them.
  virtual void SumMeanwhile(std::span<float> values, const std::function<bool()>& meanwhile);
  // Every rank gives as many bytes. Afterwards all have those of all ranks, by rank: `all` is size() times as long.
  virtual void Gather(std::span<const char> mine, std::span<char> all) = 0;
  // Begins the same; what it returns is called once, by any thread, and waits for the bytes of all. Other exchanges may be
  // begun before.
  virtual std::function<std::string()> BeginGather(std::string_view mine);
  // Afterwards all have the bytes of rank `from`.
  virtual void Broadcast(std::string& bytes, std::size_t from) = 0;

  // The seconds that this rank has spent in the methods above: mostly waiting for slower ranks. What it did meanwhile does not
  // count.
  virtual double SecondsWaited() const = 0;
  // Lets the others know why this rank is about to end. Any thread may call it.
  virtual void Fail(std::string_view message) = 0;

  // The texts of all ranks, which may have different lengths, by rank.
  std::vector<std::string> GatherTexts(std::string_view mine);
  // The sum over all ranks.
  std::vector<std::uint64_t> SumCounts(std::span<const std::uint64_t> counts);
  // Every rank does its work. If one fails, all throw: that one what it threw, and the others Error, which names it and says
  // why.
  void Together(const std::function<void()>& work);

  // The part of `count` things that a rank has: they are dealt out evenly, the first ranks having one more if need be.
  std::size_t ShareOf(std::size_t count) const { return count / size() + (rank() < count % size() ? 1 : 0); }
};

// A process on its own. Its methods have nothing to do and may be called by any thread.
Ranks& SingleRank();

}  // namespace conpole
