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
  std::fclose(out);
  // What was written need not come in one piece; it ends since nobody has the terminal open for writing any more.
  std::string written;
  std::array<char, 100> buffer{};
  for (ssize_t size; (size = read(terminal, buffer.data(), buffer.size())) > 0;) {
    written.append(buffer.data(), static_cast<std::size_t>(size));
  }
  EXPECT_EQ(written, "\r\x1b[Jfirst\r\x1b[J");
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
