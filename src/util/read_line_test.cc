#include "util/read_line.h"

#include <array>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

using Lines = std::vector<std::pair<LineRead, std::string>>;

Lines ReadAll(const std::string& text, std::size_t max_bytes) {
  std::istringstream in(text);
  Lines lines;
  std::string line;
  for (;;) {
    const LineRead read = ReadLine(in, line, max_bytes);
    if (read == LineRead::kEnd) return lines;
    lines.emplace_back(read, line);
  }
}

TEST(ReadLineTest, ReadsLinesWithoutTheirEnds) {
  EXPECT_EQ(ReadAll("one\ntwo\r\n\nlast", 10),
            (Lines{{LineRead::kLine, "one"}, {LineRead::kLine, "two"}, {LineRead::kLine, ""}, {LineRead::kLine, "last"}}));
  EXPECT_EQ(ReadAll("one\n", 10), (Lines{{LineRead::kLine, "one"}}));
  EXPECT_EQ(ReadAll("", 10), Lines{});
  EXPECT_EQ(ReadAll("a\rb\r", 10), (Lines{{LineRead::kLine, "a\rb"}}));
}

TEST(ReadLineTest, CutsLongLinesAndGoesOnWithTheNext) {
  EXPECT_EQ(
      ReadAll("12345\n123456\n1234567890\n1", 5),
      (Lines{
          {LineRead::kLine, "12345"}, {LineRead::kTooLong, "12345"}, {LineRead::kTooLong, "12345"}, {LineRead::kLine, "1"}}));
  EXPECT_EQ(ReadAll("123456", 5), (Lines{{LineRead::kTooLong, "12345"}}));
}

TEST(ReadLineTest, TheEndOfALineDoesNotCount) {
  EXPECT_EQ(ReadAll("12345\r\n12345\r6\n", 5), (Lines{{LineRead::kLine, "12345"}, {LineRead::kTooLong, "12345"}}));
}

// A line of 64 megabytes that exists nowhere.
class LongLine : public std::streambuf {
 protected:
  int_type underflow() override {
    if (blocks_left_ == 0) return traits_type::eof();
    --blocks_left_;
    block_.fill('x');
    setg(block_.data(), block_.data(), block_.data() + block_.size());
    return traits_type::to_int_type('x');
  }

 private:
  std::array<char, 1 << 20> block_;
  int blocks_left_ = 64;
};

TEST(ReadLineTest, KeepsNoMoreThanTheLimit) {
  LongLine buffer;
  std::istream in(&buffer);
  std::string line;
  EXPECT_EQ(ReadLine(in, line, 100), LineRead::kTooLong);
  EXPECT_EQ(line.size(), 100U);
  EXPECT_LT(line.capacity(), 1000U);
  EXPECT_EQ(ReadLine(in, line, 100), LineRead::kEnd);
}

}  // namespace
}  // namespace conpole
