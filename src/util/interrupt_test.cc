#include "util/interrupt.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

namespace conpole {
namespace {

// Signals are process-wide, so each case has a process of its own.
TEST(InterruptDeathTest, ASignalSetsTheFlag) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          if (InterruptFlag()) std::_Exit(1);
          std::raise(signal);
          std::_Exit(InterruptFlag() ? 7 : 2);
        },
        testing::ExitedWithCode(7), "");
  }
}

TEST(InterruptDeathTest, ASecondSignalEndsTheProgram) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          InterruptFlag();
          std::raise(signal);
          std::raise(signal);
          std::_Exit(1);
        },
        testing::KilledBySignal(signal), "");
  }
}

}  // namespace
}  // namespace conpole
