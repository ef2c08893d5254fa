// Reading lines that may be of any length, in bounded memory. One thread at a time per stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>

namespace conpole {

enum class LineRead : std::uint8_t {
  kLine,     // a whole line
  kTooLong,  // a line over the limit: its first bytes were kept and the rest was skipped
  kEnd,      // nothing is left; in.bad() says whether that is a failure
};

// Reads the next line without its end (\n or \r\n). `line` holds at most `max_bytes` of it. The last line may lack its end.
LineRead ReadLine(std::istream& in, std::string& line, std::size_t max_bytes);

}  // namespace conpole
