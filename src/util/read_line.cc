#include "util/read_line.h"

namespace conpole {

LineRead ReadLine(std::istream& in, std::string& line, std::size_t max_bytes) {
  using Traits = std::istream::traits_type;
  line.clear();
  const std::istream::sentry ready(in, /*noskipws=*/true);
  if (!ready) return LineRead::kEnd;
  std::streambuf& buffer = *in.rdbuf();
  // One byte more than allowed is kept meanwhile: it may be the \r of the line's end.
  const std::size_t room = max_bytes + 1;
  bool cut = false;
  bool any = false;
  for (;;) {
    const Traits::int_type read = buffer.sbumpc();
    if (Traits::eq_int_type(read, Traits::eof())) {
      in.setstate(any ? std::ios::eofbit : std::ios::eofbit | std::ios::failbit);
      if (!any) return LineRead::kEnd;
      break;
    }
    any = true;
    const char c = Traits::to_char_type(read);
    if (c == '\n') break;
    if (line.size() < room) {
      line += c;
    } else {
      cut = true;
    }
  }
  if (!cut && !line.empty() && line.back() == '\r') line.pop_back();
  if (line.size() <= max_bytes) return LineRead::kLine;
  line.resize(max_bytes);
  return LineRead::kTooLong;
}

}  // namespace conpole
