#include "util/stop_check.h"

#include <chrono>

namespace conpole {

bool StopCheck::Look() {
  constexpr auto kTooShort = std::chrono::microseconds(500);
  constexpr auto kTooLong = std::chrono::milliseconds(2);
  constexpr std::uint32_t kMostIterations = 64;
  const auto now = StopToken::Clock::now();
  const auto since = now - last_look_;
  // A pause between two loops looks like slow iterations, so after one of them the next look comes at once.
  if (since > kTooLong) {
    iterations_ = since > 8 * kTooLong ? 1 : (iterations_ + 1) / 2;
  } else if (since < kTooShort && iterations_ < kMostIterations) {
    iterations_ *= 2;
  }
  iterations_left_ = iterations_;
  last_look_ = now;
  return stopped_ = token_.StopRequested();
}

}  // namespace conpole
