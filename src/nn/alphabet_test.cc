#include "nn/alphabet.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

std::vector<char32_t> Characters(std::string_view text) {
  std::vector<char32_t> characters;
  while (!text.empty()) characters.push_back(TakeCharacter(text));
  return characters;
}

TEST(AlphabetTest, TakesCharactersAsUnicodeDefinesThem) {
  EXPECT_EQ(Characters("aα∧𝔸\n"), (std::vector<char32_t>{U'a', U'α', U'∧', U'𝔸', U'\n'}));
  constexpr char32_t kNone = kNoCharacter;
  EXPECT_EQ(Characters("\x80x"), (std::vector<char32_t>{kNone, U'x'})) << "goes on with nothing";
  EXPECT_EQ(Characters("\xce"), (std::vector<char32_t>{kNone})) << "ends too early";
  EXPECT_EQ(Characters("\xc0\xaf"), (std::vector<char32_t>{kNone, kNone})) << "longer than it need be";
  EXPECT_EQ(Characters("\xe0\x80\xaf"), (std::vector<char32_t>{kNone, kNone, kNone}));
  EXPECT_EQ(Characters("\xed\xa0\x80"), (std::vector<char32_t>{kNone, kNone, kNone})) << "half of a pair";
  EXPECT_EQ(Characters("\xf4\x90\x80\x80"), (std::vector<char32_t>{kNone, kNone, kNone, kNone})) << "beyond the last code";
  EXPECT_EQ(Characters("\xf0\x9d\x94"), (std::vector<char32_t>{kNone, kNone, kNone}));
}

TEST(AlphabetTest, EveryByteHasARow) {
  for (int byte = 0; byte < 256; ++byte) {
    const bool is_printable = byte >= 32 && byte < 127;
    EXPECT_EQ(CharacterIndex(static_cast<char>(byte)), is_printable ? byte - 32 : 95) << byte;
    EXPECT_EQ(CharacterIndex(static_cast<char>(byte), 98), is_printable || byte == 128 || byte == 129 ? byte - 32 : 95) << byte;
  }
}

TEST(AlphabetTest, IsWhatTextsHaveBesidesAscii) {
  AlphabetBuilder builder;
  builder.Add("plain");
  builder.Add("β ∧ α\n");
  builder.Add("α ∨ \xff");
  EXPECT_EQ(builder.Alphabet(), "\nαβ∧∨");
  EXPECT_EQ(CharacterCount(builder.Alphabet()), 101U);
  CheckAlphabet(builder.Alphabet());
  for (char32_t code = 0x400; code < 0x500; ++code) {
    builder.Add(std::string{static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))});
  }
  EXPECT_EQ(CharacterCount(builder.Alphabet()), kAsciiCharacters + kMaxSigns);
  EXPECT_EQ(builder.left_out(), 256U + 5U - kMaxSigns);
}

TEST(AlphabetTest, AsciiIsReadAsItIs) {
  const std::vector<std::string_view> texts{"2x = 3", "", "[1/2]"};
  Architecture architecture;
  const TextReader reader(architecture);
  ReadTexts memory;
  EXPECT_EQ(reader.Read(texts, memory).data(), texts.data()) << "not even copied";
  architecture.alphabet = "α";
  const TextReader with_alphabet(architecture);
  const auto read = with_alphabet.Read(texts, memory);
  EXPECT_EQ(std::vector<std::string_view>(read.begin(), read.end()), texts);
  EXPECT_EQ(with_alphabet.unknown_characters(), 0U);
}

TEST(AlphabetTest, SignsBecomeBytesAndUnknownOnesAreCounted) {
  Architecture architecture;
  for (int i = 0; i < 128; ++i) architecture.alphabet += {static_cast<char>(0xD0 + i / 64), static_cast<char>(0x80 + i % 64)};
  architecture.skips_spaces = true;
  const TextReader reader(architecture);
  ReadTexts memory;
  const std::vector<std::string_view> texts{"\xd0\x80 x \xd1\xbf", "α\xff \x7f"};
  const auto read = reader.Read(texts, memory);
  EXPECT_EQ(read[0], "\x80x\xff");
  EXPECT_EQ(read[1], "\x7f\x7f\x7f");
  EXPECT_EQ(reader.unknown_characters(), 3U);
  EXPECT_EQ(CharacterIndex(read[0][2], CharacterCount(architecture.alphabet)), 96 + 127);
}

}  // namespace
}  // namespace conpole
