#include "notation/reading.h"

#include <charconv>
#include <utility>

#include "conpole/domain.h"

namespace conpole {
namespace {

NotationResult Failed(NotationError::Kind kind, std::size_t position, Message message) {
  NotationResult result;
  result.error = {kind, position, std::move(message)};
  return result;
}

}  // namespace

NotationResult Unreadable(std::size_t position, Message message) {
  return Failed(NotationError::Kind::kUnreadable, position, std::move(message));
}

NotationResult NotExpressible(std::size_t position, Message message) {
  return Failed(NotationError::Kind::kNotExpressible, position, std::move(message));
}

NotationResult Expected(std::string_view what, const Token& token, std::string_view text) {
  return Unreadable(token.begin, Message("expected {}, found {}", what, ShownToken(token, text)));
}

std::optional<std::size_t> SmallNumber(const Token& token) {
  if (token.kind != Token::Kind::kNumber || token.decimals != 0) return std::nullopt;
  std::size_t value = 0;
  const char* const end = token.digits.data() + token.digits.size();
  const auto [at, failure] = std::from_chars(token.digits.data(), end, value);
  if (failure != std::errc() || at != end || value > kMaxStateBytes) return std::nullopt;
  return value;
}

}  // namespace conpole
