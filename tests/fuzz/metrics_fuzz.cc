// Any file of metrics: lines whose numbers make sense, or an Error that names the file and the line. An input is tried as it
// is, and, as the end of a last line is rare in it, with one added. What has no end of a line in it is never an error.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/error.h"
#include "train/run/metrics.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

// In memory, as a fuzzer should not write to the disk.
void TryFile(std::string_view text) {
  static const int file = memfd_create("metrics", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  Require(ftruncate(file, static_cast<off_t>(text.size())) == 0);
  Require(pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  try {
    const std::vector<conpole::MetricsLine> lines = conpole::ReadMetrics(path);
    Require(lines.size() == ends);
    for (const conpole::MetricsLine& line : lines) {
      Require(std::isfinite(line.seconds) && line.seconds >= 0);
      for (const auto& [name, value] : line.values) {
        Require(!std::isinf(value));
        Require(line.Find(name).has_value());
      }
    }
  } catch (const conpole::Error& error) {
    Require(ends > 0 && std::string_view(error.what()).starts_with(path + ": line "));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  TryFile(input);
  TryFile(std::string(input) + "\n");
  return 0;
}
