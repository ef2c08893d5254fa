#include "train/ranks/ranks.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

class Single final : public Ranks {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  void Sum(std::span<float> /*values*/) override {}
  void Gather(std::span<const char> mine, std::span<char> all) override { std::copy(mine.begin(), mine.end(), all.begin()); }
  void Broadcast(std::string& /*bytes*/, std::size_t /*from*/) override {}
  double SecondsWaited() const override { return 0; }
  void Fail(std::string_view /*message*/) override {}
};

}  // namespace

void Ranks::SumMeanwhile(std::span<float> values, const std::function<bool()>& meanwhile) {
  std::exception_ptr failure;
  try {
    meanwhile();
  } catch (...) {
    failure = std::current_exception();
  }
  Sum(values);  // whatever happened: the others wait for it
  if (failure) std::rethrow_exception(failure);
}

std::function<std::string()> Ranks::BeginGather(std::string_view mine) {
  std::string all(mine.size() * size(), '\0');
  Gather(mine, all);
  return [all = std::move(all)] { return all; };
}

std::vector<std::string> Ranks::GatherTexts(std::string_view mine) {
  std::uint64_t length = mine.size();
  std::vector<std::uint64_t> lengths(size());
  const auto bytes_of = [](auto* numbers, std::size_t count) {
    return std::span(reinterpret_cast<char*>(numbers), count * sizeof *numbers);  // NOLINT: numbers as they are in memory
  };
  Gather(bytes_of(&length, 1), bytes_of(lengths.data(), lengths.size()));
  const std::uint64_t longest = *std::max_element(lengths.begin(), lengths.end());
  std::string padded(mine);
  padded.resize(longest);
  std::string all(longest * size(), '\0');
  if (longest != 0) Gather(padded, all);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < size(); ++i) texts.push_back(all.substr(i * longest, lengths[i]));
  return texts;
}

std::vector<std::uint64_t> Ranks::SumCounts(std::span<const std::uint64_t> counts) {
  const std::string_view mine(reinterpret_cast<const char*>(counts.data()), counts.size_bytes());  // NOLINT: as in memory
  std::string all(mine.size() * size(), '\0');
  Gather(mine, all);
  std::vector<std::uint64_t> sums(counts.size(), 0);
  for (std::size_t i = 0; i < counts.size() * size(); ++i) {
    std::uint64_t count = 0;
    std::memcpy(&count, all.data() + i * sizeof count, sizeof count);
    sums[i % counts.size()] += count;
  }
  return sums;
}

void Ranks::Together(const std::function<void()>& work) {
  if (is_alone()) return work();
  std::exception_ptr failure;
  std::string message;
  try {
    work();
  } catch (const std::exception& error) {
    failure = std::current_exception();
    message = error.what();
    if (message.empty()) message = "for an unknown reason";
  }
  const std::vector<std::string> messages = GatherTexts(message);
  if (failure) std::rethrow_exception(failure);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!messages[i].empty()) throw Error(fmt::format("rank {} failed: {}", i, messages[i]));
  }
}

Ranks& SingleRank() {
  static Single single;
  return single;
}

}  // namespace conpole
