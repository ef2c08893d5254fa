#include "util/hash.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(HashTest, TextsThatDifferInOneByteHashDifferently) {
  for (std::size_t size = 0; size <= 100; ++size) {
    std::set<std::uint64_t> hashes;
    std::string text(size, '=');
    hashes.insert(HashText(text));
    for (std::size_t at = 0; at < size; ++at) {
      for (const char c : {'|', 'x', '0', ' ', '\0', '\xff'}) {
        text[at] = c;
        hashes.insert(HashText(text));
      }
      text[at] = '=';
    }
    EXPECT_EQ(hashes.size(), 1 + 6 * size) << size;
  }
}

TEST(HashTest, TextsThatDifferInLengthHashDifferently) {
  for (const char c : {'=', ' ', '\0'}) {
    std::set<std::uint64_t> hashes;
    for (std::size_t size = 0; size <= 100; ++size) hashes.insert(HashText(std::string(size, c)));
    EXPECT_EQ(hashes.size(), 101U);
  }
}

TEST(HashTest, TheOrderOfBytesAndBlocksCounts) {
  EXPECT_NE(HashText("ab"), HashText("ba"));
  const std::string first = "0123456789abcdef";
  const std::string second = "ghijklmnopqrstuv";
  EXPECT_NE(HashText(first + second), HashText(second + first));
  EXPECT_NE(HashText(first + first), HashText(first + first + first));
}

TEST(HashTest, DependsOnTheTextAloneNotOnWhereItStands) {
  for (std::size_t size = 0; size <= 70; ++size) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('!' + (7 * i) % 90);
    const std::uint64_t hash = HashText(text);
    for (std::size_t shift = 0; shift < 16; ++shift) {
      alignas(16) std::array<char, 128> room{};
      room.fill(static_cast<char>(shift));
      if (size != 0) std::memcpy(room.data() + shift, text.data(), size);
      EXPECT_EQ(HashText({room.data() + shift, size}), hash) << size << " at " << shift;
    }
  }
  EXPECT_EQ(HashText(std::string_view()), HashText(""));
}

TEST(HashTest, LowAndHighBitsAreBothSpread) {
  // Tables take their slot from the low bits and a tag from the high ones.
  std::set<std::uint64_t> low;
  std::set<std::uint64_t> high;
  for (int i = 0; i < 4096; ++i) {
    const std::uint64_t hash = HashText("x + " + std::to_string(i));
    low.insert(hash & 0xffff);
    high.insert(hash >> 48);
  }
  // 4096 even draws out of 65,536 give 3970 different ones on average.
  EXPECT_GT(low.size(), 3850U);
  EXPECT_GT(high.size(), 3850U);
}

}  // namespace
}  // namespace conpole
