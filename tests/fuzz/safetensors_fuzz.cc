// Any model file: a Model whose header can be written and read again, or an Error that names the file. An input is tried as a
// file as it is, and, as that rarely gets far, in the form "SIZE JSON": a header with its right length, and SIZE zeros as data.
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "conpole/error.h"
#include "nn/model.h"
#include "nn/safetensors.h"

namespace {

constexpr std::size_t kMaxData = 4096;

void Require(bool condition) {
  if (!condition) std::abort();
}

void TryHeader(std::string_view json, std::size_t data_bytes) {
  try {
    const conpole::SafetensorsHeader header = conpole::ParseSafetensorsHeader(json, data_bytes);
    std::size_t bytes = 0;
    for (const conpole::SafetensorsEntry& entry : header.tensors) bytes += entry.bytes();
    Require(bytes == data_bytes);
    const std::string written = conpole::FormatSafetensorsHeader(header).substr(conpole::kSafetensorsLengthBytes);
    Require(conpole::ParseSafetensorsHeader(written, data_bytes) == header);
  } catch (const conpole::Error& error) {
    Require(*error.what() != '\0');
  }
}

// In memory, as a fuzzer should not write to the disk.
void TryFile(std::string_view bytes) {
  static const int file = memfd_create("model", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  Require(ftruncate(file, static_cast<off_t>(bytes.size())) == 0);
  Require(pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  try {
    const conpole::Model model = conpole::ReadModel(path);
    Require(model.tensors.size() == conpole::TensorShapes(model.architecture).size());
    for (const auto& [name, tensor] : model.tensors) {
      for (const float value : tensor.values) Require(std::isfinite(value));
    }
  } catch (const conpole::Error& error) {
    Require(std::string_view(error.what()).starts_with(path + ": "));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  TryFile(input);

  std::size_t data_bytes = 0;
  const auto [end, error] = std::from_chars(input.data(), input.data() + input.size(), data_bytes);
  if (error != std::errc() || data_bytes > kMaxData || end == input.data() + input.size() || *end != ' ') return 0;
  const std::string_view json = input.substr(static_cast<std::size_t>(end - input.data()) + 1);
  TryHeader(json, data_bytes);
  const std::uint64_t length = json.size();
  std::string file(conpole::kSafetensorsLengthBytes, '\0');
  std::memcpy(file.data(), &length, file.size());
  TryFile(file + std::string(json) + std::string(data_bytes, '\0'));
  return 0;
}
