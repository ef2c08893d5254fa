#include "train/ranks/turn_report.h"

#include <algorithm>
#include <cstring>

namespace conpole {
namespace {

struct Header {
  std::uint64_t steps;
  std::uint64_t strings_scored;
  std::uint64_t strings_learned;
  std::uint64_t experiences;
  std::uint64_t experience_bytes;
  std::uint64_t searches_left;
  double gradient_steps;
  double seconds_waited;
  std::uint32_t outcomes;
  std::uint8_t stops;
  std::uint8_t time_is_over;
  std::uint8_t wants_checkpoint;
  std::uint8_t padding;
};

// An outcome is the steps of a solution, or kUnsolved, and above them where the problem came from.
constexpr int kOriginShift = 30;
constexpr std::uint32_t kUnsolved = (std::uint32_t{1} << kOriginShift) - 1;

}  // namespace

std::size_t TurnReport::BytesFor(std::size_t outcomes) { return sizeof(Header) + outcomes * sizeof(std::uint32_t); }

void TurnReport::Write(std::span<char> to) const {
  const Header header{steps,
                      strings_scored,
                      strings_learned,
                      experiences,
                      experience_bytes,
                      searches_left,
                      gradient_steps,
                      seconds_waited,
                      static_cast<std::uint32_t>(outcomes.size()),
                      static_cast<std::uint8_t>(stops),
                      static_cast<std::uint8_t>(time_is_over),
                      static_cast<std::uint8_t>(wants_checkpoint),
                      0};
  std::fill(to.begin(), to.end(), '\0');
  std::memcpy(to.data(), &header, sizeof header);
  char* at = to.data() + sizeof header;
  for (const Outcome& outcome : outcomes) {
    const std::uint32_t length =
        outcome.solved ? static_cast<std::uint32_t>(std::min<std::size_t>(outcome.length, kUnsolved - 1)) : kUnsolved;
    const std::uint32_t word = length | static_cast<std::uint32_t>(outcome.origin) << kOriginShift;
    std::memcpy(at, &word, sizeof word);
    at += sizeof word;
  }
}

TurnReport TurnReport::Read(std::span<const char> from) {
  Header header{};
  std::memcpy(&header, from.data(), sizeof header);
  TurnReport report{header.steps,
                    header.strings_scored,
                    header.strings_learned,
                    header.experiences,
                    header.experience_bytes,
                    header.searches_left,
                    header.gradient_steps,
                    header.seconds_waited,
                    header.stops != 0,
                    header.time_is_over != 0,
                    header.wants_checkpoint != 0,
                    {}};
  const char* at = from.data() + sizeof header;
  for (std::uint32_t i = 0; i < header.outcomes; ++i) {
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
