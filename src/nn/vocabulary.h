// Characters as the network sees them: printable ASCII, and one more for everything else.
#pragma once

#include <cstdint>

namespace conpole {

inline constexpr int kVocabularySize = 96;

constexpr std::uint8_t CharacterIndex(char c) {
  const int index = static_cast<unsigned char>(c) - ' ';
  return static_cast<std::uint8_t>(index >= 0 && index < kVocabularySize - 1 ? index : kVocabularySize - 1);
}

}  // namespace conpole
