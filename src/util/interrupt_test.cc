#include "util/interrupt.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

namespace conpole {
namespace {

// Signals are process-wide, so each case has a process of its own.
TEST(InterruptDeathTest, ASignalSetsTheFlag) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          if (InterruptFlag()) std::_Exit(1);
          std::raise(signal);
          std::_Exit(InterruptFlag() ? 7 : 2);
        },
        testing::ExitedWithCode(7), "");
  }
}

TEST(InterruptDeathTest, AProgramUnderNohupGoesOn) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        InterruptFlag();
        std::raise(SIGHUP);
        std::_Exit(InterruptFlag() ? 2 : 7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(InterruptDeathTest, ASignalThatIsSentTwiceCountsOnce) {
  EXPECT_EXIT(
      {
        InterruptFlag();
        std::raise(SIGINT);
        std::raise(SIGINT);
        std::raise(SIGTERM);
        std::_Exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(InterruptDeathTest, ALaterSignalEndsTheProgram) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          InterruptFlag();
          std::raise(SIGINT);
          std::this_thread::sleep_for(std::chrono::seconds(kSecondsToStop + 1));
          std::raise(signal);
          std::_Exit(1);
        },
        testing::KilledBySignal(signal), "");
  }
}

}  // namespace
}  // namespace conpole
