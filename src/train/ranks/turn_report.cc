#include "train/ranks/turn_report.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace conpole {
namespace {

// A report: the counts, how many outcomes, and the outcomes.
constexpr std::size_t kHeaderBytes = sizeof(TurnCounts) + sizeof(std::uint32_t);
static_assert(std::is_trivially_copyable_v<TurnCounts> && sizeof(TurnCounts) == 8 * sizeof(std::uint64_t));

// An outcome is the steps of a solution, or kUnsolved, and above them where the problem came from.
constexpr int kOriginShift = 30;
constexpr std::uint32_t kUnsolved = (std::uint32_t{1} << kOriginShift) - 1;

}  // namespace

std::size_t TurnReport::BytesFor(std::size_t outcomes) { return kHeaderBytes + outcomes * sizeof(std::uint32_t); }

void TurnReport::Write(std::span<char> to) const {
  std::fill(to.begin(), to.end(), '\0');
  const TurnCounts& counts = *this;
  const auto count = static_cast<std::uint32_t>(outcomes.size());
  std::memcpy(to.data(), &counts, sizeof counts);
  std::memcpy(to.data() + sizeof counts, &count, sizeof count);
  char* at = to.data() + kHeaderBytes;
  for (const Outcome& outcome : outcomes) {
    const std::uint32_t length =
        outcome.solved ? static_cast<std::uint32_t>(std::min<std::size_t>(outcome.length, kUnsolved - 1)) : kUnsolved;
    const std::uint32_t word = length | static_cast<std::uint32_t>(outcome.origin) << kOriginShift;
    std::memcpy(at, &word, sizeof word);
    at += sizeof word;
  }
}

TurnReport TurnReport::Read(std::span<const char> from) {
  TurnReport report;
  TurnCounts& counts = report;
  std::uint32_t outcomes = 0;
  std::memcpy(&counts, from.data(), sizeof counts);
  std::memcpy(&outcomes, from.data() + sizeof counts, sizeof outcomes);
  const char* at = from.data() + kHeaderBytes;
  for (std::uint32_t i = 0; i < outcomes; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    at += sizeof word;
    const std::uint32_t length = word & kUnsolved;
    const auto origin = static_cast<Curriculum::Origin>(word >> kOriginShift);
    report.outcomes.push_back({length != kUnsolved, length == kUnsolved ? 0 : length, origin});
  }
  return report;
}

}  // namespace conpole
