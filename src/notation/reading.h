// What the readers of free notation share: results that are errors, and small numbers. Any thread may call any of this.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "notation/notation.h"
#include "notation/token.h"

namespace conpole {

// A text that cannot be read, and one that can be understood but not expressed.
NotationResult Unreadable(std::size_t position, Message message);
NotationResult NotExpressible(std::size_t position, Message message);
// "expected WHAT, found TOKEN"
NotationResult Expected(std::string_view what, const Token& token, std::string_view text);

// A whole number that is at most kMaxStateBytes; nothing otherwise.
std::optional<std::size_t> SmallNumber(const Token& token);

}  // namespace conpole
