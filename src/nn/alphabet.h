// Characters as networks see them. A network has a row of weights for each printable ASCII character, one for all characters
// that it does not know, and one for each sign of its model's alphabet (Architecture::alphabet), which says what else the texts
// of its domain are made of. Inside the engines a text has one byte per character: printable ASCII as it is, and other bytes
// for the signs. Any thread may call all of this.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/architecture.h"

namespace conpole {

inline constexpr std::size_t kAsciiCharacters = 96;  // the unknown one is the last of these
inline constexpr std::size_t kMaxSigns = 128;
inline constexpr char kUnknownByte = '\x7f';

// The row of a byte in a network that knows this number of characters.
constexpr std::uint8_t CharacterIndex(char byte, std::size_t characters = kAsciiCharacters) {
  const auto index = static_cast<std::uint8_t>(static_cast<unsigned char>(byte) - ' ');
  return index < characters ? index : static_cast<std::uint8_t>(kAsciiCharacters - 1);
}

constexpr bool IsPrintableAscii(char32_t code) { return code >= U' ' && code < U'\x7f'; }

// Takes the first character off a text in UTF-8, which must not be empty. A byte that is not part of a character counts as one
// that no alphabet can have.
inline constexpr char32_t kNoCharacter = 0xFFFFFFFF;
char32_t TakeCharacter(std::string_view& text);

// How many characters a network of this alphabet has: kAsciiCharacters and its signs.
std::size_t CharacterCount(std::string_view alphabet);
// Throws Error unless it is UTF-8 text of different characters, at most kMaxSigns, none of which is printable ASCII.
void CheckAlphabet(std::string_view alphabet);

// The signs of the texts that it was shown, in the order of their codes.
class AlphabetBuilder {
 public:
  void Add(std::string_view text);
  // At most kMaxSigns: those that were seen first.
  std::string Alphabet() const;
  // How many there were no room for.
  std::size_t left_out() const { return left_out_; }

 private:
  std::vector<std::pair<char32_t, std::string>> signs_;
  std::size_t left_out_ = 0;
};

// What a batch of texts is read into.
struct ReadTexts {
  std::string bytes;
  std::vector<std::string_view> texts;
};

// How a network reads texts: by its alphabet, and with their spaces or without.
class TextReader {
 public:
  // Requires an alphabet that was checked.
  explicit TextReader(const Architecture& architecture);

  // One text for each, in their order, with a byte per character. Valid while `texts` and `memory` live.
  std::span<const std::string_view> Read(std::span<const std::string_view> texts, ReadTexts& memory) const;
  // The characters so far that the network does not know.
  std::uint64_t unknown_characters() const { return unknown_.load(std::memory_order_relaxed); }

 private:
  char ByteOf(char32_t code) const;

  bool skips_spaces_;
  bool has_alphabet_;
  std::vector<std::pair<char32_t, char>> signs_;  // by their codes
  mutable std::atomic<std::uint64_t> unknown_ = 0;
};

}  // namespace conpole
