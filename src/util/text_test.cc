#include "util/text.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(TextTest, IntegersAreWrittenInDecimal) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{9}, std::int64_t{10}, std::int64_t{-1}, INT64_MAX, INT64_MIN}) {
    std::array<char, kMaxIntegerBytes> room{};
    const char* const end = WriteInteger(room.data(), value);
    EXPECT_EQ(std::string_view(room.data(), static_cast<std::size_t>(end - room.data())), std::to_string(value));
  }
}

TEST(TextTest, TextIsWrittenWithoutATerminator) {
  std::array<char, 4> room{'.', '.', '.', '.'};
  EXPECT_EQ(WriteText(room.data(), "abc"), room.data() + 3);
  EXPECT_EQ(std::string_view(room.data(), 4), "abc.");
  EXPECT_EQ(WriteText(room.data(), ""), room.data());
}

TEST(TextTest, OnlyLettersOfAsciiAreLowered) {
  EXPECT_EQ(Lowered("aZ@[ 1Ä"), "az@[ 1Ä");
  EXPECT_EQ(Lowered('A'), 'a');
}

TEST(TextTest, BlanksAndLineEndsAroundATextAreCutOff) {
  EXPECT_EQ(Trimmed(" \t\r\na b\n "), "a b");
  EXPECT_EQ(Trimmed(" \n"), "");
}

TEST(TextTest, WhatReplacesATextIsNotReplacedAgain) {
  EXPECT_EQ(Replaced("a-b--c", "-", "--"), "a--b----c");
  EXPECT_EQ(Replaced("aaa", "aa", "b"), "ba");
  EXPECT_EQ(Replaced("abc", "x", "y"), "abc");
}

TEST(TextTest, PartsAreSplitAndJoined) {
  EXPECT_EQ(Split("a, b,c, ", ", "), (std::vector<std::string_view>{"a", "b,c", ""}));
  EXPECT_EQ(Split("", ", "), std::vector<std::string_view>{""});
  EXPECT_EQ(Join({"a", "b"}), "a, b");
  EXPECT_EQ(Join(std::array{1, 2, 3}, " or ", [](int number) { return std::to_string(number); }), "1 or 2 or 3");
}

TEST(TextTest, CharactersAreQuotedOrNamedByTheirCode) {
  EXPECT_EQ(Quoted('x'), "'x'");
  EXPECT_EQ(Quoted(' '), "' '");
  EXPECT_EQ(Quoted('~'), "'~'");
  EXPECT_EQ(Quoted('\n'), "byte 0x0a");
  EXPECT_EQ(Quoted('\x7f'), "byte 0x7f");
  EXPECT_EQ(Quoted('\xff'), "byte 0xff");
  EXPECT_EQ(Quoted('\0'), "byte 0x00");
}

TEST(TextTest, TextIsShownShortAndPrintable) {
  EXPECT_EQ(Shown("mlp.0"), "'mlp.0'");
  EXPECT_EQ(Shown(std::string_view("\x1b[\0", 3)), R"('\x1b[\x00')");
  EXPECT_EQ(Shown(std::string(1000, 'a')), "'" + std::string(60, 'a') + "...'");
}

TEST(TextTest, KindsOfCharactersDoNotDependOnTheLocale) {
  EXPECT_TRUE(IsDigit('0') && IsDigit('9'));
  EXPECT_FALSE(IsDigit('/') || IsDigit(':') || IsDigit('\xb2'));
  EXPECT_TRUE(IsLetter('a') && IsLetter('z') && IsLetter('A') && IsLetter('Z'));
  EXPECT_FALSE(IsLetter('@') || IsLetter('[') || IsLetter('`') || IsLetter('{') || IsLetter('\xe9'));
  EXPECT_TRUE(IsBlank(' ') && IsBlank('\t'));
  EXPECT_FALSE(IsBlank('\n') || IsBlank('\0'));
}

TEST(TextTest, JoinPutsCommasBetween) {
  EXPECT_EQ(Join({}), "");
  EXPECT_EQ(Join({"a"}), "a");
  EXPECT_EQ(Join({"a", "b", "c"}), "a, b, c");
}

}  // namespace
}  // namespace conpole
