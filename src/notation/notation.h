// What reading free notation gives, and the two scripts that lines are written in. Plain data; any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conpole/message.h"

namespace conpole {

struct NotationError {
  enum class Kind : std::uint8_t {
    kUnreadable,      // nothing that the domain's notation allows
    kNotExpressible,  // it can be understood, but the domain has no such problems: x^2, two unknowns, an inequality
  };
  Kind kind = Kind::kUnreadable;
  std::size_t position = 0;  // the byte in the text
  Message message;           // what was expected, or what cannot be expressed, in the language asked for
};

struct NotationResult {
  std::string state;    // canonical text
  std::string reading;  // the state as it was understood, by Subject::WriteReading
  std::optional<NotationError> error;
  bool ambiguous = false;  // others might read the text in another way, so the reading should be shown
};

enum class Script : std::uint8_t { kPlain, kLatex };

// Text that stands for itself in LaTeX.
std::string EscapeLatex(std::string_view text);

}  // namespace conpole
