// The metadata of a model file (all safetensors metadata are text):
//
//   conpole.format_version   "1"; a reader refuses others
//   conpole.embedding, conpole.hidden, conpole.layers   the sizes, in decimal
//   conpole.head             "bilinear" or "value"
//
// Everything else is Model::metadata, as it is.
#include "nn/model.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/half.h"
#include "nn/safetensors.h"
#include "nn/vocabulary.h"
#include "util/atomic_file.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::string_view kFormatVersionKey = "conpole.format_version";
constexpr std::string_view kHeadKey = "conpole.head";
constexpr std::string_view kFormatVersion = "1";

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 30;

// One of the sizes of an architecture: where it is, what it is called in a file, and what is allowed. The bounds are far above
// any network that is of use here; they keep a file's claims from becoming allocations.
struct Size {
  int Architecture::*member;
  std::string_view name;
  int max;

  std::string key() const { return fmt::format("conpole.{}", name); }
};
constexpr std::array kSizes = {Size{&Architecture::embedding, "embedding", 1024}, Size{&Architecture::hidden, "hidden", 4096},
                               Size{&Architecture::layers, "layers", 8}};

std::string_view HeadName(Head head) { return head == Head::kBilinear ? "bilinear" : "value"; }

[[noreturn]] void FailSize(const Size& size) {
  throw Error(fmt::format("the architecture's {} must be an integer from 1 to {}", size.name, size.max));
}

// Takes the architecture out of the metadata.
Architecture TakeArchitecture(std::map<std::string, std::string>& metadata) {
  const auto take = [&](std::string_view key) {
    const auto node = metadata.extract(std::string(key));
    if (node.empty()) throw Error(fmt::format("has no metadata '{}': not a model of this program", key));
    return node.mapped();
  };
  if (const std::string version = take(kFormatVersionKey); version != kFormatVersion) {
    throw Error(fmt::format("is a model file of version {}; this program reads version {}", Shown(version), kFormatVersion));
  }
  Architecture architecture;
  for (const Size& size : kSizes) {
    const std::string text = take(size.key());
    int& value = architecture.*size.member;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > size.max) FailSize(size);
  }
  const std::string head = take(kHeadKey);
  if (head != "bilinear" && head != "value") {
    throw Error(fmt::format("the architecture's head must be bilinear or value, not {}", Shown(head)));
  }
  architecture.head = head == "value" ? Head::kValue : Head::kBilinear;
  return architecture;
}

std::string ShapeText(const std::vector<std::size_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

// Throws Error unless there is exactly one of each of the architecture's tensors, in its shape. `entries` are sorted by name.
template <class Entries, class NameOf, class ShapeOf>
void CheckTensors(const Architecture& architecture, const Entries& entries, NameOf name_of, ShapeOf shape_of) {
  std::vector<TensorShape> expected = TensorShapes(architecture);
  std::sort(expected.begin(), expected.end(), [](const TensorShape& a, const TensorShape& b) { return a.name < b.name; });
  auto wanted = expected.begin();
  for (const auto& entry : entries) {
    const std::string& name = name_of(entry);
    if (wanted == expected.end() || name < wanted->name) {
      throw Error(fmt::format("has a tensor {} that its architecture does not have", Shown(name)));
    }
    if (name != wanted->name) break;
    if (shape_of(entry) != wanted->shape) {
      throw Error(fmt::format("tensor '{}' has the shape {}, but the architecture needs {}", name, ShapeText(shape_of(entry)),
                              ShapeText(wanted->shape)));
    }
    ++wanted;
  }
  if (wanted != expected.end()) throw Error(fmt::format("has no tensor '{}'", wanted->name));
}

void CheckFinite(const std::string& name, const std::vector<float>& values) {
  if (!std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); })) {
    throw Error(fmt::format("tensor '{}' has values that are not finite", name));
  }
}

// A file that is read from its beginning to its end.
class InputFile {
 public:
  explicit InputFile(const std::string& path) {
    // Before it is opened: opening a pipe would wait for its other end.
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) throw Error("is not a regular file");
    errno = 0;
    file_.open(path, std::ios::binary | std::ios::ate);
    if (!file_) throw Error(fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
    const std::streamoff end = file_.tellg();
    if (end < 0 || !file_.seekg(0)) throw Error("cannot be read");
    size_ = static_cast<std::uint64_t>(end);
  }

  std::uint64_t size() const { return size_; }

  void Read(std::span<std::byte> out) {
    file_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    if (!file_) throw Error("cannot be read to its end: it changed meanwhile, or the disk failed");
  }

 private:
  std::ifstream file_;
  std::uint64_t size_ = 0;
};

Tensor ReadTensor(InputFile& file, const SafetensorsEntry& entry) {
  Tensor tensor{.shape = entry.shape, .values = std::vector<float>(entry.values())};
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  std::vector<std::byte> bytes;
  for (std::span<float> rest = tensor.values; !rest.empty();) {
    const std::span<float> part = rest.first(std::min(kChunk, rest.size()));
    rest = rest.subspan(part.size());
    bytes.resize(part.size() * DtypeBytes(entry.dtype));
    file.Read(bytes);
    DecodeValues(bytes, entry.dtype, part);
  }
  CheckFinite(entry.name, tensor.values);
  return tensor;
}

// Its errors do not name the file. In this order, so that values are read only once their sizes are known to be right:
//   1. length and header  2. architecture  3. the tensors' names and shapes  4. values
Model ReadModelFrom(const std::string& path) {
  InputFile file(path);
  if (file.size() > kMaxFileBytes) {
    throw Error(fmt::format("has {} bytes, more than the allowed {}", file.size(), kMaxFileBytes));
  }
  std::vector<std::byte> first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kSafetensorsLengthBytes)));
  file.Read(first);
  std::string json(ParseSafetensorsLength(first, file.size()), '\0');
  file.Read(std::as_writable_bytes(std::span(json)));
  SafetensorsHeader header = ParseSafetensorsHeader(json, file.size() - first.size() - json.size());

  Model model;
  model.architecture = TakeArchitecture(header.metadata);
  model.metadata = std::move(header.metadata);

  std::vector<const SafetensorsEntry*> by_name;
  by_name.reserve(header.tensors.size());
  for (const SafetensorsEntry& entry : header.tensors) by_name.push_back(&entry);
  std::sort(by_name.begin(), by_name.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  CheckTensors(
      model.architecture, by_name, [](const auto* entry) -> const auto& { return entry->name; },
      [](const auto* entry) -> const auto& { return entry->shape; });

  for (const SafetensorsEntry& entry : header.tensors) model.tensors.emplace(entry.name, ReadTensor(file, entry));
  return model;
}

void WriteModelTo(const Model& model, const std::string& path, WeightFormat format) {
  CheckTensors(
      model.architecture, model.tensors, [](const auto& item) -> const auto& { return item.first; },
      [](const auto& item) -> const auto& { return item.second.shape; });

  const Dtype dtype = format == WeightFormat::kFloat16 ? Dtype::kFloat16 : Dtype::kFloat32;
  SafetensorsHeader header{.tensors = {}, .metadata = model.metadata};
  const auto put = [&](std::string_view key, std::string_view value) {
    if (!header.metadata.emplace(key, value).second) throw Error(fmt::format("the metadata key '{}' is reserved", key));
  };
  put(kFormatVersionKey, kFormatVersion);
  for (const Size& size : kSizes) put(size.key(), std::to_string(model.architecture.*size.member));
  put(kHeadKey, HeadName(model.architecture.head));

  std::uint64_t bytes = kSafetensorsLengthBytes + kMaxSafetensorsHeaderBytes;
  for (const auto& [name, tensor] : model.tensors) {
    header.tensors.push_back({.name = name, .dtype = dtype, .shape = tensor.shape});
    if (tensor.values.size() != header.tensors.back().values()) {
      throw Error(
          fmt::format("tensor '{}' has {} values, but the shape {}", name, tensor.values.size(), ShapeText(tensor.shape)));
    }
    bytes += header.tensors.back().bytes();
    CheckFinite(name, tensor.values);
    if (format == WeightFormat::kFloat16 && std::any_of(tensor.values.begin(), tensor.values.end(), [](float value) {
          return !std::isfinite(HalfToFloat(FloatToHalf(value)));
        })) {
      throw Error(fmt::format("tensor '{}' has values beyond {}, the greatest that F16 has", name, kMaxHalf));
    }
  }
  if (bytes > kMaxFileBytes) throw Error(fmt::format("the model needs more than the {} bytes a file may have", kMaxFileBytes));

  const std::string head = FormatSafetensorsHeader(header);
  AtomicFile file(path);
  file.Write(std::as_bytes(std::span(head)));
  for (const auto& [name, tensor] : model.tensors) file.Write(EncodeValues(tensor.values, dtype));
  file.Commit();
}

}  // namespace

std::vector<TensorShape> TensorShapes(const Architecture& architecture) {
  for (const Size& size : kSizes) {
    if (architecture.*size.member < 1 || architecture.*size.member > size.max) FailSize(size);
  }
  const auto embedding = static_cast<std::size_t>(architecture.embedding);
  const auto hidden = static_cast<std::size_t>(architecture.hidden);
  const std::size_t vector_size = 2 * hidden;
  const std::size_t gates = 4 * hidden;

  std::vector<TensorShape> shapes = {{"embedding.weight", {kVocabularySize, embedding}}};
  for (int layer = 0; layer < architecture.layers; ++layer) {
    const std::size_t input = layer == 0 ? embedding : vector_size;
    shapes.push_back({fmt::format("lstm.weight_ih_l{}", layer), {gates, input}});
    shapes.push_back({fmt::format("lstm.weight_ih_l{}_reverse", layer), {gates, input}});
  }
  for (int layer = 0; layer < architecture.layers; ++layer) {
    shapes.push_back({fmt::format("lstm.weight_hh_l{}", layer), {gates, hidden}});
    shapes.push_back({fmt::format("lstm.weight_hh_l{}_reverse", layer), {gates, hidden}});
  }
  for (int layer = 0; layer < architecture.layers; ++layer) {
    for (const std::string_view direction : {"", "_reverse"}) {
      shapes.push_back({fmt::format("lstm.bias_ih_l{}{}", layer, direction), {gates}});
      shapes.push_back({fmt::format("lstm.bias_hh_l{}{}", layer, direction), {gates}});
    }
  }
  shapes.push_back({"mlp.0.weight", {vector_size, vector_size}});
  shapes.push_back({"mlp.2.weight", {vector_size, vector_size}});
  shapes.push_back({"mlp.0.bias", {vector_size}});
  shapes.push_back({"mlp.2.bias", {vector_size}});
  if (architecture.head == Head::kBilinear) {
    shapes.push_back({"score.weight", {vector_size, vector_size}});
  } else {
    shapes.push_back({"value.weight", {1, vector_size}});
    shapes.push_back({"value.bias", {1}});
  }
  return shapes;
}

Model RandomModel(const Architecture& architecture, std::uint64_t seed) {
  Model model{.architecture = architecture, .tensors = {}, .metadata = {}};
  Random random(seed);
  // Every operation is exact or correctly rounded, and none can be fused with another: the same on every machine.
  const double scale = 0x1p-23 / std::sqrt(static_cast<double>(architecture.hidden));
  for (const TensorShape& shape : TensorShapes(architecture)) {
    const SafetensorsEntry entry{.name = shape.name, .dtype = Dtype::kFloat32, .shape = shape.shape};
    Tensor tensor{.shape = shape.shape, .values = std::vector<float>(entry.values())};
    for (float& value : tensor.values) {
      const std::int64_t draw = static_cast<std::int64_t>(random.Next64() >> 40) - (std::int64_t{1} << 23);
      value = static_cast<float>(static_cast<double>(draw) * scale);
    }
    model.tensors.emplace(shape.name, std::move(tensor));
  }
  return model;
}

Model ReadModel(const std::string& path) {
  try {
    return ReadModelFrom(path);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

void WriteModel(const Model& model, const std::string& path, WeightFormat format) {
  try {
    WriteModelTo(model, path, format);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace conpole
