#include "http/gzip.h"

#ifdef CONPOLE_ZLIB
#include <zlib.h>
#endif

namespace conpole {

#ifdef CONPOLE_ZLIB

std::optional<std::string> Gzip(std::string_view text) {
  constexpr int kLevel = 5;
  constexpr int kGzipWindow = 15 + 16;
  constexpr int kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) return std::nullopt;
  std::string packed(text.size(), '\0');
  std::string input(text);  // zlib's pointer is not const
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return std::nullopt;
  return packed;
}

#else

std::optional<std::string> Gzip(std::string_view) { return std::nullopt; }

#endif

}  // namespace conpole
