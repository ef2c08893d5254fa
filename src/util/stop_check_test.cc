#include "util/stop_check.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace conpole {
namespace {

using Clock = StopToken::Clock;

TEST(StopTokenTest, ATokenWithoutReasonNeverStops) {
  EXPECT_FALSE(StopToken().StopRequested());
  EXPECT_FALSE(StopToken(nullptr).StopRequested());
}

TEST(StopTokenTest, AnyReasonStops) {
  std::atomic<bool> flag = false;
  bool asked = false;
  const StopToken token = StopToken(&flag).Or(Clock::now() + std::chrono::hours(1)).Or([&] { return asked; });
  EXPECT_FALSE(token.StopRequested());
  asked = true;
  EXPECT_TRUE(token.StopRequested());
  asked = false;
  flag = true;
  EXPECT_TRUE(token.StopRequested());
  EXPECT_TRUE(StopToken().Or(Clock::now()).StopRequested());
}

TEST(StopTokenTest, TheEarlierOfTwoTimesCounts) {
  const Clock::time_point late = Clock::now() + std::chrono::hours(1);
  EXPECT_TRUE(StopToken().Or(Clock::now()).Or(late).StopRequested());
  EXPECT_TRUE(StopToken().Or(late).Or(Clock::now()).StopRequested());
}

TEST(StopTokenTest, BothQuestionsAreAsked) {
  bool first = false;
  bool second = false;
  const StopToken token = StopToken().Or([&] { return first; }).Or([&] { return second; });
  EXPECT_FALSE(token.StopRequested());
  second = true;
  EXPECT_TRUE(token.StopRequested());
}

TEST(StopCheckTest, TheFlagIsLookedAtEveryTime) {
  std::atomic<bool> flag = false;
  StopCheck check{StopToken(&flag)};
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(check.ShouldStop());
  flag = true;
  EXPECT_TRUE(check.ShouldStop());
  flag = false;
  EXPECT_TRUE(check.ShouldStop());
}

TEST(StopCheckTest, FastLoopsSeldomAskAndSlowOnesAlways) {
  std::atomic<int> asked = 0;
  StopCheck fast{StopToken().Or([&] { return ++asked, false; })};
  constexpr int kIterations = 1'000'000;
  for (int i = 0; i < kIterations; ++i) EXPECT_FALSE(fast.ShouldStop());
  EXPECT_LT(asked, kIterations / 10);
  asked = 0;
  StopCheck slow{StopToken().Or([&] { return ++asked, false; })};
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(slow.ShouldStop());
  }
  EXPECT_EQ(asked, 5);
}

TEST(StopCheckTest, ADeadlineEndsAnEndlessLoop) {
  StopCheck check{StopToken().Or(Clock::now() + std::chrono::milliseconds(20))};
  while (!check.ShouldStop()) {
  }
  EXPECT_TRUE(check.token().StopRequested());
}

}  // namespace
}  // namespace conpole
