#include "nn/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "nn/half.h"
#include "util/text.h"

namespace conpole {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied to and from files as they are");

constexpr std::string_view kMetadataKey = "__metadata__";
constexpr std::size_t kMaxDimensions = 8;

constexpr std::array kDtypes = {Dtype::kFloat32, Dtype::kFloat16, Dtype::kBfloat16};

// An entry as the header has it, complete or not.
struct RawEntry {
  std::string name;
  std::optional<Dtype> dtype;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> offsets;
  bool has_shape = false;
  bool has_offsets = false;
};

// Follows the JSON text event by event, and stops at the first one that has no place in a header. So nothing is built from
// nested or repeated JSON, and a name that is given twice is seen, which a parsed object would not show.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::vector<RawEntry>& entries() { return entries_; }
  std::map<std::string, std::string>& metadata() { return metadata_; }

  bool null() override { Unexpected("null"); }
  bool boolean(bool /*value*/) override { Unexpected("a truth value"); }
  bool number_integer(number_integer_t /*value*/) override { Unexpected("a negative number"); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
    Unexpected("a number that is not an integer of 64 bits");
  }
  bool binary(binary_t& /*value*/) override { Unexpected("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ != Place::kNumbers) Unexpected("a number");
    if (numbers_->size() == kMaxDimensions) {
      throw Error(fmt::format("{} has more than {} numbers", Where(), kMaxDimensions));
    }
    numbers_->push_back(value);
    return true;
  }

  bool string(string_t& value) override {
    if (place_ == Place::kMetadata) {
      if (!metadata_.emplace(key_, std::move(value)).second) throw Error(fmt::format("{} is given twice", Where()));
      return true;
    }
    if (place_ != Place::kEntry || key_ != "dtype") Unexpected("text");
    RawEntry& entry = entries_.back();
    for (const Dtype dtype : kDtypes) {
      if (value == DtypeName(dtype)) entry.dtype = dtype;
    }
    if (!entry.dtype) {
      throw Error(fmt::format("tensor {} has the dtype {}; supported are F32, F16 and BF16", Shown(entry.name), Shown(value)));
    }
    return true;
  }

  bool start_object(std::size_t /*count*/) override {
    if (place_ == Place::kStart) {
      place_ = Place::kHeader;
    } else if (place_ == Place::kHeader && key_ == kMetadataKey) {
      place_ = Place::kMetadata;
    } else if (place_ == Place::kHeader) {
      place_ = Place::kEntry;
      entries_.emplace_back().name = key_;
    } else {
      Unexpected("an object");
    }
    return true;
  }
  bool end_object() override {
    place_ = place_ == Place::kHeader ? Place::kEnd : Place::kHeader;
    return true;
  }

  bool start_array(std::size_t /*count*/) override {
    if (place_ != Place::kEntry || (key_ != "shape" && key_ != "data_offsets")) Unexpected("an array");
    RawEntry& entry = entries_.back();
    (key_ == "shape" ? entry.has_shape : entry.has_offsets) = true;
    numbers_ = key_ == "shape" ? &entry.shape : &entry.offsets;
    place_ = Place::kNumbers;
    return true;
  }
  bool end_array() override {
    place_ = Place::kEntry;
    return true;
  }

  bool key(string_t& value) override {
    key_ = std::move(value);
    if (place_ == Place::kHeader && key_ == kMetadataKey) {
      if (std::exchange(metadata_seen_, true)) throw Error("the header has __metadata__ twice");
    } else if (place_ == Place::kEntry) {
      const RawEntry& entry = entries_.back();
      const bool twice = (key_ == "dtype" && entry.dtype) || (key_ == "shape" && entry.has_shape) ||
                         (key_ == "data_offsets" && entry.has_offsets);
      if (twice) throw Error(fmt::format("{} is given twice", Where()));
      if (key_ != "dtype" && key_ != "shape" && key_ != "data_offsets") throw Error(fmt::format("{} is unknown", Where()));
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::json::exception& /*exception*/) override {
    throw Error(fmt::format("the header is not valid JSON at byte {} of it", position));
  }

 private:
  enum class Place : std::uint8_t { kStart, kHeader, kMetadata, kEntry, kNumbers, kEnd };

  std::string Where() const {
    switch (place_) {
      case Place::kHeader:
        return key_ == kMetadataKey ? "__metadata__" : fmt::format("tensor {}", Shown(key_));
      case Place::kMetadata:
        return fmt::format("metadata {}", Shown(key_));
      case Place::kEntry:
      case Place::kNumbers:
        return fmt::format("tensor {}: {}", Shown(entries_.back().name), Shown(key_));
      case Place::kStart:
      case Place::kEnd:
        break;
    }
    return "the header";
  }
  [[noreturn]] void Unexpected(std::string_view what) const {
    std::string_view expected = "an object";
    if (place_ == Place::kMetadata || (place_ == Place::kEntry && key_ == "dtype")) expected = "text";
    if (place_ == Place::kEntry && key_ != "dtype") expected = "an array";
    if (place_ == Place::kNumbers) expected = "unsigned integers";
    throw Error(fmt::format("{} must be {}, not {}", Where(), expected, what));
  }

  std::vector<RawEntry> entries_;
  std::map<std::string, std::string> metadata_;
  bool metadata_seen_ = false;
  Place place_ = Place::kStart;
  std::string key_;
  std::vector<std::uint64_t>* numbers_ = nullptr;
};

// Checks one entry by itself; afterwards its shape and offsets agree with each other and with the size of the data.
void CheckEntry(const RawEntry& entry, std::uint64_t data_bytes) {
  const auto fail = [&](const std::string& what) { throw Error(fmt::format("tensor {} {}", Shown(entry.name), what)); };
  if (!entry.dtype) fail("has no dtype");
  if (!entry.has_shape) fail("has no shape");
  if (!entry.has_offsets) fail("has no data_offsets");
  if (entry.offsets.size() != 2) fail("has data_offsets that are not two numbers");
  const std::uint64_t begin = entry.offsets[0];
  const std::uint64_t end = entry.offsets[1];
  if (begin > end) fail(fmt::format("ends at byte {}, before it begins, at byte {}", end, begin));
  if (end > data_bytes) {
    fail(fmt::format("ends at byte {} of the data, of which the file has {}: it is truncated", end, data_bytes));
  }

  const bool empty = std::find(entry.shape.begin(), entry.shape.end(), 0U) != entry.shape.end();
  std::uint64_t bytes = empty ? 0 : DtypeBytes(*entry.dtype);
  for (const std::uint64_t size : entry.shape) {
    if (!empty && bytes > data_bytes / size) fail("has a shape that is larger than the file");
    if (!std::in_range<std::size_t>(size)) fail("has a shape that is larger than any memory");
    bytes *= size;
  }
  if (end - begin != bytes) {
    fail(fmt::format("has {} bytes, but its shape and {} need {}", end - begin, DtypeName(*entry.dtype), bytes));
  }
}

}  // namespace

std::string_view DtypeName(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat32:
      return "F32";
    case Dtype::kFloat16:
      return "F16";
    case Dtype::kBfloat16:
      return "BF16";
  }
  throw Error("there is no such dtype");
}

std::size_t DtypeBytes(Dtype dtype) { return dtype == Dtype::kFloat32 ? 4 : 2; }

std::size_t SafetensorsEntry::values() const {
  std::size_t values = 1;
  for (const std::size_t size : shape) values *= size;
  return values;
}

std::size_t ParseSafetensorsLength(std::span<const std::byte> first, std::uint64_t file_bytes) {
  if (first.size() < kSafetensorsLengthBytes) {
    throw Error(fmt::format("has {} bytes: truncated, or not a safetensors file", file_bytes));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, first.data(), kSafetensorsLengthBytes);
  if (length > file_bytes - kSafetensorsLengthBytes) {
    throw Error(fmt::format("states a header of {} bytes, but has only {} after that: truncated, or not a safetensors file",
                            length, file_bytes - kSafetensorsLengthBytes));
  }
  if (length > kMaxSafetensorsHeaderBytes) {
    throw Error(fmt::format("states a header of {} bytes, more than the allowed {}", length, kMaxSafetensorsHeaderBytes));
  }
  return static_cast<std::size_t>(length);
}

SafetensorsHeader ParseSafetensorsHeader(std::string_view json, std::uint64_t data_bytes) {
  if (!json.starts_with('{')) throw Error("the header does not begin with '{': not a safetensors file");
  // The JSON library takes a zero for the end of the text.
  if (const std::size_t zero = json.find('\0'); zero != std::string_view::npos) {
    throw Error(fmt::format("the header is not valid JSON at byte {} of it", zero + 1));
  }
  HeaderReader reader;
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);

  std::vector<RawEntry>& entries = reader.entries();
  for (const RawEntry& entry : entries) CheckEntry(entry, data_bytes);
  std::sort(entries.begin(), entries.end(), [](const RawEntry& a, const RawEntry& b) { return a.name < b.name; });
  const auto twice =
      std::adjacent_find(entries.begin(), entries.end(), [](const RawEntry& a, const RawEntry& b) { return a.name == b.name; });
  if (twice != entries.end()) throw Error(fmt::format("tensor {} is given twice", Shown(twice->name)));
  std::stable_sort(entries.begin(), entries.end(), [](const RawEntry& a, const RawEntry& b) { return a.offsets < b.offsets; });

  SafetensorsHeader header{.tensors = {}, .metadata = std::move(reader.metadata())};
  header.tensors.reserve(entries.size());
  std::uint64_t end = 0;
  for (RawEntry& entry : entries) {
    const std::uint64_t begin = entry.offsets[0];
    if (begin != end) {
      throw Error(fmt::format("tensor {} begins at byte {} of the data, but the one before it ends at byte {}: there is {}",
                              Shown(entry.name), begin, end, begin < end ? "an overlap" : "a gap"));
    }
    end = entry.offsets[1];
    SafetensorsEntry& tensor = header.tensors.emplace_back();
    tensor.name = std::move(entry.name);
    tensor.dtype = *entry.dtype;
    for (const std::uint64_t size : entry.shape) tensor.shape.push_back(static_cast<std::size_t>(size));
  }
  if (end != data_bytes) throw Error(fmt::format("has {} bytes of data, but its tensors end at byte {}", data_bytes, end));
  return header;
}

std::string FormatSafetensorsHeader(const SafetensorsHeader& header) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) json[std::string(kMetadataKey)] = header.metadata;
  std::size_t end = 0;
  for (const SafetensorsEntry& entry : header.tensors) {
    const std::size_t begin = end;
    end += entry.bytes();
    json[entry.name] = {{"dtype", DtypeName(entry.dtype)}, {"shape", entry.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text;
  try {
    text = json.dump();
  } catch (const nlohmann::json::type_error&) {
    throw Error("the metadata or the name of a tensor is not valid UTF-8");
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > kMaxSafetensorsHeaderBytes) {
    throw Error(fmt::format("the header has {} bytes, more than the allowed {}", text.size(), kMaxSafetensorsHeaderBytes));
  }
  const std::uint64_t length = text.size();
  std::string bytes(kSafetensorsLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kSafetensorsLengthBytes);
  return bytes + text;
}

void DecodeValues(std::span<const std::byte> from, Dtype dtype, std::span<float> to) {
  if (from.size() != to.size() * DtypeBytes(dtype)) throw Error("the bytes of a tensor do not match its values");
  if (dtype == Dtype::kFloat32) {
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from.data() + 2 * i, 2);
    to[i] = dtype == Dtype::kFloat16 ? HalfToFloat(bits) : Bfloat16ToFloat(bits);
  }
}

std::vector<std::byte> EncodeValues(std::span<const float> from, Dtype dtype) {
  if (dtype == Dtype::kBfloat16) throw Error("BF16 is read, but not written");
  std::vector<std::byte> to(from.size() * DtypeBytes(dtype));
  if (dtype == Dtype::kFloat32) {
    if (!from.empty()) std::memcpy(to.data(), from.data(), to.size());
    return to;
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint16_t bits = FloatToHalf(from[i]);
    std::memcpy(to.data() + 2 * i, &bits, 2);
  }
  return to;
}

}  // namespace conpole
