#include "tutor/clues.h"

namespace conpole {

bool Clues::HasUnknown() const {
  using Kind = Token::Kind;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != Kind::kLetter) continue;
    const Kind before = i == 0 ? Kind::kEnd : tokens_[i - 1].kind;
    const Kind after = tokens_[i + 1].kind;
    const bool between =
        (before == Kind::kNumber || before == Kind::kClose) && (after == Kind::kNumber || after == Kind::kOpen);
    if (!between || std::string_view("xXeE").find(tokens_[i].symbol) == std::string_view::npos) return true;
  }
  return Has(Kind::kWord) || Any([](const Token& token) { return token.Is(Kind::kMark, '|'); });
}

}  // namespace conpole
