#include "util/interrupt.h"

#include <csignal>

namespace conpole {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "the flag is set by a signal handler");

extern "C" void OnInterrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& InterruptFlag() {
  static const bool installed = [] {
    std::signal(SIGINT, OnInterrupt);
    std::signal(SIGTERM, OnInterrupt);
    return true;
  }();
  static_cast<void>(installed);
  return interrupted;
}

}  // namespace conpole
