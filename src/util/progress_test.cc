#include "util/progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(ProgressTest, ShowsOneLineOnATerminalAndClearsIt) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) GTEST_SKIP() << "there are no terminals here";
  std::FILE* const out = std::fopen(ptsname(terminal), "w");
  ASSERT_NE(out, nullptr);
  {
    ProgressLine line(ProgressLine::Elsewhere::kNothing, out);
    EXPECT_TRUE(line.IsDue());
    line.Show("first");
    if (!line.IsDue()) line.Show("too early");  // unless the machine was too slow for it to be early
  }
  std::array<char, 100> buffer{};
  const ssize_t size = read(terminal, buffer.data(), buffer.size());
  ASSERT_GT(size, 0);
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(size)), "\rfirst\x1b[K\r\x1b[K");
  std::fclose(out);
  close(terminal);
}

TEST(ProgressTest, IsSilentOrSparseElsewhere) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    ProgressLine silent(ProgressLine::Elsewhere::kNothing, file);
    EXPECT_FALSE(silent.IsDue());
    silent.Show("never");
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace conpole
