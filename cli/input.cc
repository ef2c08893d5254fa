#include "cli/input.h"

#include <iostream>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_line.h"

namespace conpole::cli {

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
    line.error = Malformed{kMaxLineBytes, fmt::format("the line is longer than {} bytes", kMaxLineBytes)};
  }
  return line;
}

}  // namespace conpole::cli
