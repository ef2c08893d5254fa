#include "nn/alphabet.h"

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr bool Continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Characters outside printable ASCII.
std::uint64_t CountOthers(std::string_view text) {
  std::uint32_t others = 0;
  for (const char byte : text)
    others += static_cast<std::uint32_t>(!Continues(byte) && !IsPrintableAscii(static_cast<unsigned char>(byte)));
  return others;
}

}  // namespace

char32_t TakeCharacter(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  bool is_whole = length != 0 && length <= text.size();
  for (std::size_t i = 1; is_whole && i < length; ++i) {
    is_whole = Continues(text[i]);
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  is_whole = is_whole && code >= kLeast[length] && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
  text.remove_prefix(is_whole ? length : 1);
  return is_whole ? code : kNoCharacter;
}

std::size_t CharacterCount(std::string_view alphabet) {
  return kAsciiCharacters +
         static_cast<std::size_t>(std::count_if(alphabet.begin(), alphabet.end(), [](char byte) { return !Continues(byte); }));
}

void CheckAlphabet(std::string_view alphabet) {
  std::vector<char32_t> codes;
  for (std::string_view rest = alphabet; !rest.empty();) codes.push_back(TakeCharacter(rest));
  std::sort(codes.begin(), codes.end());
  const bool is_sound =
      std::none_of(codes.begin(), codes.end(), [](char32_t code) { return code == kNoCharacter || IsPrintableAscii(code); });
  if (!is_sound || codes.size() > kMaxSigns || std::adjacent_find(codes.begin(), codes.end()) != codes.end()) {
    throw Error(
        fmt::format("the alphabet {} is not a text of at most {} different signs outside ASCII", Shown(alphabet), kMaxSigns));
  }
}

void AlphabetBuilder::Add(std::string_view text) {
  if (CountOthers(text) == 0) return;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t code = TakeCharacter(text);
    if (IsPrintableAscii(code) || code == kNoCharacter) continue;
    const auto place = std::lower_bound(signs_.begin(), signs_.end(), code,
                                        [](const auto& sign, char32_t other) { return sign.first < other; });
    if (place != signs_.end() && place->first == code) continue;
    if (signs_.size() == kMaxSigns) {
      ++left_out_;
    } else {
      signs_.emplace(place, code, before.substr(0, before.size() - text.size()));
    }
  }
}

std::string AlphabetBuilder::Alphabet() const {
  std::string alphabet;
  for (const auto& [code, sign] : signs_) alphabet += sign;
  return alphabet;
}

TextReader::TextReader(const Architecture& architecture)
    : skips_spaces_(architecture.skips_spaces), has_alphabet_(!architecture.alphabet.empty()) {
  std::size_t index = kAsciiCharacters;
  for (std::string_view rest = architecture.alphabet; !rest.empty(); ++index) {
    signs_.emplace_back(TakeCharacter(rest), static_cast<char>(static_cast<unsigned char>(index + ' ')));
  }
  std::sort(signs_.begin(), signs_.end());
}

char TextReader::ByteOf(char32_t code) const {
  const auto place =
      std::lower_bound(signs_.begin(), signs_.end(), code, [](const auto& sign, char32_t other) { return sign.first < other; });
  return place != signs_.end() && place->first == code ? place->second : kUnknownByte;
}

std::span<const std::string_view> TextReader::Read(std::span<const std::string_view> texts, ReadTexts& memory) const {
  std::uint64_t unknown = 0;
  if (!has_alphabet_) {
    for (const std::string_view text : texts) unknown += CountOthers(text);
  }
  if (has_alphabet_ || skips_spaces_) {
    std::size_t size = 0;
    for (const std::string_view text : texts) size += text.size();
    memory.bytes.resize(size);
    memory.texts.clear();
    memory.texts.reserve(texts.size());
    char* end = memory.bytes.data();
    for (std::string_view text : texts) {
      char* const begin = end;
      if (!has_alphabet_) {
        for (const char byte : text) {
          *end = byte;
          end += byte == ' ' ? 0 : 1;
        }
      }
      while (has_alphabet_ && !text.empty()) {
        if (IsPrintableAscii(static_cast<unsigned char>(text.front()))) {
          *end = text.front();
          end += text.front() == ' ' && skips_spaces_ ? 0 : 1;
          text.remove_prefix(1);
        } else {
          *end = ByteOf(TakeCharacter(text));
          unknown += *end++ == kUnknownByte ? 1U : 0U;
        }
      }
      memory.texts.emplace_back(begin, static_cast<std::size_t>(end - begin));
    }
    texts = memory.texts;
  }
  if (unknown != 0) unknown_.fetch_add(unknown, std::memory_order_relaxed);
  return texts;
}

}  // namespace conpole
