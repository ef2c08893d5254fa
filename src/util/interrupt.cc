#include "util/interrupt.h"

#include <csignal>
#include <ctime>

namespace conpole {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<std::time_t> interrupted_at = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::time_t>::is_always_lock_free,
              "both are used in a signal handler");

std::time_t SecondsNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

extern "C" void OnInterrupt(int signal) {
  if (!interrupted) {
    interrupted_at = SecondsNow();
    interrupted = true;
  } else if (SecondsNow() - interrupted_at > kSecondsToStop) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

const std::atomic<bool>& InterruptFlag() {
  static const bool installed = [] {
    std::signal(SIGINT, OnInterrupt);
    std::signal(SIGTERM, OnInterrupt);
    if (std::signal(SIGHUP, OnInterrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
    return true;
  }();
  static_cast<void>(installed);
  return interrupted;
}

}  // namespace conpole
