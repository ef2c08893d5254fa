// Looks at a stop token from inside a loop that is too short to ask it every time. The flag is looked at always; the clock and
// the caller's question so often that about a millisecond passes in between, however long an iteration takes. Not thread-safe:
// each thread has its own.
#pragma once

#include <cstdint>
#include <utility>

#include "conpole/stop_token.h"

namespace conpole {

class StopCheck {
 public:
  StopCheck() = default;
  explicit StopCheck(StopToken token) : token_(std::move(token)), is_simple_(!token_.HasMoreThanAFlag()) {}

  // To be called once per iteration. Once it has said yes it goes on saying so.
  bool ShouldStop() {
    if (stopped_ || token_.IsFlagSet()) return stopped_ = true;
    if (is_simple_ || --iterations_left_ > 0) return false;
    return Look();
  }

  // Whether it has said yes.
  bool stopped() const { return stopped_; }
  const StopToken& token() const { return token_; }

 private:
  bool Look();

  StopToken token_;
  bool is_simple_ = true;
  bool stopped_ = false;
  std::uint32_t iterations_ = 1;       // between two looks
  std::uint32_t iterations_left_ = 1;  // until the next
  StopToken::Clock::time_point last_look_{};
};

}  // namespace conpole
