// What a rank tells the others about one of its turns (train/loop/trainer.h): what it did, and what it wants. Reports of all
// ranks have the same number of bytes, so that one exchange does. Plain data; the machines of a run have the same order of
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "train/loop/curriculum.h"

namespace conpole {

// What is sent as it is in memory, which has no gaps.
struct TurnCounts {
  std::uint64_t steps = 0;
  std::uint64_t strings_scored = 0;
  std::uint64_t strings_learned = 0;
  std::uint64_t experiences = 0;    // that the rank has
  std::uint64_t searches_left = 0;  // in the group whose turn it was
  double gradient_steps = 0;        // earned
  double seconds_waited = 0;        // since the process began
  bool stops = false;               // it was interrupted
  bool time_is_over = false;        // the first rank's clock counts
  bool wants_checkpoint = false;    // likewise
  std::uint8_t unused[5] = {};
};

struct TurnReport : TurnCounts {
  // Of a search that has ended.
  struct Outcome {
    bool solved = false;
    std::size_t length = 0;
    Curriculum::Origin origin = Curriculum::Origin::kEasiest;
  };
  std::vector<Outcome> outcomes;

  // Bytes of a report with at most this many outcomes.
  static std::size_t BytesFor(std::size_t outcomes);
  // Requires that `to` has BytesFor at least as many outcomes as there are.
  void Write(std::span<char> to) const;
  static TurnReport Read(std::span<const char> from);
};

}  // namespace conpole
