#include "notation/clues.h"

#include "util/text.h"

namespace conpole {

bool Clues::Says(std::string_view beginning) const {
  const std::size_t at = with_words_.find(beginning.substr(1));
  return at != std::string_view::npos && at > 0 && (with_words_[at - 1] | 0x20) == beginning.front() &&
         (at == 1 || !IsLetter(with_words_[at - 2]));
}

bool Clues::LettersHaveNumbers() const {
  using Kind = Token::Kind;
  bool letters = false;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != Kind::kLetter) continue;
    letters = true;
    if (tokens_[i + 1].kind != Kind::kNumber || tokens_[i + 1].after_blank) return false;
  }
  return letters;
}

bool Clues::HasExponent() const {
  using Kind = Token::Kind;
  for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
    const Token& letter = tokens_[i];
    const Token& exponent = tokens_[i + 1];
    if (tokens_[i - 1].kind == Kind::kNumber && (letter.Is(Kind::kLetter, 'e') || letter.Is(Kind::kLetter, 'E')) &&
        !letter.after_blank && exponent.kind == Kind::kNumber && !exponent.after_blank) {
      return true;
    }
  }
  return false;
}

}  // namespace conpole
