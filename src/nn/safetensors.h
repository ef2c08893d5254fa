// The safetensors file format: 8 bytes with the length of the header, little-endian; the header, JSON; the values of all
// tensors, little-endian, without gaps:
//
//   {"__metadata__": {"key": "value", ...}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// This module reads and writes headers and converts values; files and what the tensors mean are its callers' business. The
// reader takes nothing on trust, so its input may come from anywhere: an Error says what is wrong, and memory stays within a
// small multiple of the input. All functions are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

// The element types that are read as floats; the format has more, which are refused by name.
enum class Dtype : std::uint8_t { kFloat32, kFloat16, kBfloat16 };
std::string_view DtypeName(Dtype dtype);
std::size_t DtypeBytes(Dtype dtype);

struct SafetensorsEntry {
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::size_t> shape;

  // What the shape says; it is known not to overflow for entries that were read.
  std::size_t values() const;
  std::size_t bytes() const { return values() * DtypeBytes(dtype); }
  friend bool operator==(const SafetensorsEntry&, const SafetensorsEntry&) = default;
};

struct SafetensorsHeader {
  // In the order of their values in the file.
  std::vector<SafetensorsEntry> tensors;
  std::map<std::string, std::string> metadata;
  friend bool operator==(const SafetensorsHeader&, const SafetensorsHeader&) = default;
};

inline constexpr std::size_t kSafetensorsLengthBytes = 8;
// The format allows 100 MB. A model's header has a few kB, and a hostile one costs its reader many times its size.
inline constexpr std::size_t kMaxSafetensorsHeaderBytes = std::size_t{16} << 20;

// How many bytes the header has that comes after `first`, the first kSafetensorsLengthBytes of a file (or less, if the file has
// less). No more than the file has.
std::size_t ParseSafetensorsLength(std::span<const std::byte> first, std::uint64_t file_bytes);

// The header `json` of a file with `data_bytes` bytes after the header: the tensors fill these exactly.
SafetensorsHeader ParseSafetensorsHeader(std::string_view json, std::uint64_t data_bytes);

// The length and the header, padded with spaces so that the values begin at a multiple of 8 bytes. The same for the same
// header. Throws Error if the metadata are not UTF-8 or the header gets too long.
std::string FormatSafetensorsHeader(const SafetensorsHeader& header);

// Converts values; `to.size()` of them.
void DecodeValues(std::span<const std::byte> from, Dtype dtype, std::span<float> to);
// The other way, rounded to nearest; kBfloat16 is read only.
std::vector<std::byte> EncodeValues(std::span<const float> from, Dtype dtype);

}  // namespace conpole
