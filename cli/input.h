// Lines of standard input, for the commands that answer line by line. For the main thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "conpole/domain.h"

namespace conpole::cli {

// Far more than any state has. No more of a line is kept in memory.
inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

struct InputLine {
  std::string text;                // without its end; of a line that is too long, its beginning
  std::optional<Malformed> error;  // set if it is too long
};

// Waits for input. False if the program is asked to end first (util/interrupt.h).
bool WaitForInput();

// The next line; nothing at the end. Throws Error if standard input cannot be read.
std::optional<InputLine> ReadInputLine();

}  // namespace conpole::cli
