#include "cli/input.h"

#include <poll.h>
#include <unistd.h>

#include <iostream>

#include "conpole/error.h"
#include "util/interrupt.h"
#include "util/read_line.h"

namespace conpole::cli {

bool WaitForInput() {
  constexpr int kMilliseconds = 100;  // a signal may come just before the waiting begins
  while (!InterruptFlag()) {
    if (std::cin.rdbuf()->in_avail() > 0) return true;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, kMilliseconds) > 0) return true;
  }
  return false;
}

std::optional<InputLine> ReadInputLine() {
  InputLine line;
  LineRead read = LineRead::kEnd;
  try {
    read = ReadLine(std::cin, line.text, kMaxLineBytes);
  } catch (const std::ios_base::failure&) {
    std::cin.setstate(std::ios_base::badbit);
  }
  if (std::cin.bad()) throw Error("cannot read standard input");
  if (read == LineRead::kEnd) return std::nullopt;
  if (read == LineRead::kTooLong) {
    constexpr std::size_t kShown = 100;
    line.text.resize(kShown);
    line.text += "...";
    line.error = Malformed{kMaxLineBytes, Message("the line is longer than {} bytes", kMaxLineBytes)};
  }
  return line;
}

}  // namespace conpole::cli
