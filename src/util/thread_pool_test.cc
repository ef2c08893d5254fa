#include "util/thread_pool.h"

#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"

namespace conpole {
namespace {

TEST(ThreadPoolTest, EveryIndexIsTakenOnce) {
  for (const std::size_t threads : {1U, 2U, 4U, 7U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::size_t count : {0U, 1U, 2U, 3U, 100U, 10'000U}) {
      std::vector<std::atomic<int>> taken(count);
      pool.For(count, [&](std::size_t i) { ++taken[i]; });
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(taken[i], 1) << i << " of " << count;
    }
  }
}

TEST(ThreadPoolTest, NoNumberOfThreadsMeansOnePerCore) {
  ThreadPool pool;
  EXPECT_GE(pool.size(), 1U);
  std::atomic<std::size_t> sum = 0;
  pool.For(101, [&](std::size_t i) { sum += i; });
  EXPECT_EQ(sum, 5050U);
}

// What one loop writes without any locks, the next one reads.
TEST(ThreadPoolTest, LoopsFollowOneAnother) {
  ThreadPool pool(4);
  std::vector<std::size_t> values(16);
  for (int loop = 0; loop < 2000; ++loop) {
    pool.For(values.size(), [&](std::size_t i) { ++values[i]; });
    std::size_t sum = 0;
    for (const std::size_t value : values) sum += value;
    ASSERT_EQ(sum, values.size() * static_cast<std::size_t>(loop + 1));
  }
}

// Waking the others would take longer than most bodies.
TEST(ThreadPoolTest, ALoopOfOneStaysOnTheCallingThread) {
  ThreadPool pool(4);
  for (int loop = 0; loop < 2000; ++loop) {
    std::thread::id ran_on;
    pool.For(1, [&](std::size_t) { ran_on = std::this_thread::get_id(); });
    ASSERT_EQ(ran_on, std::this_thread::get_id());
  }
  pool.For(0, [](std::size_t) { FAIL(); });
}

TEST(ThreadPoolTest, AnExceptionIsThrownToTheCallerAndThePoolStaysUsable) {
  for (const std::size_t threads : {1U, 4U}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 50; ++round) {
      try {
        pool.For(1000, [](std::size_t i) {
          if (i % 100 == 50) throw std::runtime_error("at " + std::to_string(i));
        });
        FAIL();
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, 3), "at ");
      }
      std::atomic<int> calls = 0;
      pool.For(10, [&](std::size_t) { ++calls; });
      ASSERT_EQ(calls, 10);
    }
  }
}

TEST(ThreadPoolTest, EveryBodyMayThrow) {
  ThreadPool pool(4);
  EXPECT_THROW(pool.For(100, [](std::size_t) { throw 1; }), int);
  EXPECT_THROW(pool.For(1, [](std::size_t) { throw 1; }), int);
  EXPECT_NO_THROW(pool.For(0, [](std::size_t) { throw 1; }));
}

TEST(ThreadPoolTest, PoolsComeAndGo) {
  for (int i = 0; i < 50; ++i) {
    ThreadPool pool(3);
    if (i % 2 == 0) continue;  // never used
    std::atomic<int> calls = 0;
    pool.For(5, [&](std::size_t) { ++calls; });
    ASSERT_EQ(calls, 5);
  }
}

// Sanitizers need more address space than there is left here. GCC says by macros that there are some, clang by features.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONPOLE_TEST_IS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CONPOLE_TEST_IS_SANITIZED
#endif
#endif
#ifndef CONPOLE_TEST_IS_SANITIZED
TEST(ThreadPoolDeathTest, MoreThreadsThanThereCanBeAreAnError) {
  EXPECT_EXIT(
      {
        rlimit limit;
        limit.rlim_cur = limit.rlim_max = std::size_t{1} << 30;
        setrlimit(RLIMIT_AS, &limit);
        try {
          const ThreadPool pool(100'000);
        } catch (const Error& error) {
          std::fputs(error.what(), stderr);
          std::_Exit(7);
        }
        std::_Exit(1);
      },
      testing::ExitedWithCode(7), "cannot start 100000 threads");
}
#endif

}  // namespace
}  // namespace conpole
