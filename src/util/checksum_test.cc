#include "util/checksum.h"

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace conpole {
namespace {

std::uint64_t Of(std::string_view text) {
  Checksum checksum;
  checksum.Add(std::as_bytes(std::span(text.data(), text.size())));
  return checksum.value();
}

// Values of XXH64 that its users publish.
TEST(ChecksumTest, GivesThePublishedValues) {
  EXPECT_EQ(Of(""), 0xEF46DB3751D8E999U);
  EXPECT_EQ(Of("a"), 0xD24EC4F1A98C6E5BU);
  EXPECT_EQ(Of("abc"), 0x44BC2CF5AD770999U);
  EXPECT_EQ(Of("xxhash"), 0x32DD38952C4BC720U);
  EXPECT_EQ(Of("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1U);
}

TEST(ChecksumTest, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>('a' + i * i % 26);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string_view whole = std::string_view(text).substr(0, size);
    for (const std::size_t piece : {1UL, 7UL, 31UL, 32UL, 33UL, 65UL}) {
      Checksum checksum;
      for (std::size_t at = 0; at < size; at += piece) checksum.Add(std::as_bytes(std::span(whole.substr(at, piece))));
      EXPECT_EQ(checksum.value(), Of(whole)) << size << " in pieces of " << piece;
    }
  }
}

TEST(ChecksumTest, EveryBitCounts) {
  const std::string text(100, 'x');
  for (std::size_t i = 0; i < text.size() * 8; ++i) {
    std::string changed = text;
    changed[i / 8] = static_cast<char>(changed[i / 8] ^ (1 << (i % 8)));
    EXPECT_NE(Of(changed), Of(text));
  }
}

}  // namespace
}  // namespace conpole
