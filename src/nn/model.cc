// The metadata of a model file (all safetensors metadata are text):
//
//   conpole.format_version   "1", or "2" for networks that skip spaces, or "3" for those with an alphabet, which readers of
//                            lower versions would misread; a reader refuses others
//   conpole.kind             the kind of the network; "lstm" if it is missing, as in files of version 0.1
//   conpole.SIZE             each size of the kind, in decimal: conpole.hidden and others
//   conpole.head             "bilinear", "value", "actions" or "actions+value"
//   conpole.spaces           "read" or, from version 2 on, "skipped"; "read" if it is missing
//   conpole.alphabet         in version 3: Architecture::alphabet; empty if it is missing
//   conpole.meaning          what scores mean: a name of conpole/scorer.h; the head's usual one if it is missing
//
// Everything else is Model::metadata, as it is; docs/models.md has what training records there.
#include "nn/model.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/alphabet.h"
#include "nn/half.h"
#include "nn/model_metadata.h"
#include "nn/network_kind.h"
#include "nn/safetensors.h"
#include "util/atomic_file.h"
#include "util/random.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::string_view kFormatVersionKey = "conpole.format_version";
constexpr std::string_view kKindKey = "conpole.kind";
constexpr std::string_view kHeadKey = "conpole.head";
constexpr std::string_view kMeaningKey = "conpole.meaning";
constexpr std::string_view kSpacesKey = "conpole.spaces";
constexpr std::string_view kAlphabetKey = "conpole.alphabet";
constexpr std::string_view kFormatVersion = "1";
constexpr std::string_view kFormatVersionWithSpaces = "2";  // of networks that skip spaces
constexpr std::string_view kFormatVersionWithAlphabet = "3";

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 30;

std::string SizeKey(const NetworkSize& size) { return fmt::format("conpole.{}", size.name); }

// The value of a key, taken out of the metadata.
std::optional<std::string> Extract(std::map<std::string, std::string>& metadata, std::string_view key) {
  auto node = metadata.extract(std::string(key));
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

// Takes the architecture and the meaning out of the metadata.
void TakeArchitecture(std::map<std::string, std::string>& metadata, Model& model) {
  const auto take = [&](std::string_view key) {
    std::optional<std::string> value = Extract(metadata, key);
    if (!value) throw Error(fmt::format("has no metadata '{}': not a model of this program", key));
    return *std::move(value);
  };
  if (const std::string version = take(kFormatVersionKey);
      version != kFormatVersion && version != kFormatVersionWithSpaces && version != kFormatVersionWithAlphabet) {
    throw Error(fmt::format("is a model file of version {}; this program reads versions {} to {}", Shown(version),
                            kFormatVersion, kFormatVersionWithAlphabet));
  }
  const NetworkKind& kind = NetworkKindOf(Extract(metadata, kKindKey).value_or("lstm"));
  model.architecture.kind = kind.name;
  for (const NetworkSize& size : kind.sizes) model.architecture.sizes[size.name] = size.Parse(take(SizeKey(size)));
  model.architecture.head = HeadOf(take(kHeadKey));
  const std::string spaces = Extract(metadata, kSpacesKey).value_or("read");
  if (spaces != "read" && spaces != "skipped") {
    throw Error(fmt::format("its spaces are {}; they can be: read, skipped", Shown(spaces)));
  }
  model.architecture.skips_spaces = spaces == "skipped";
  model.architecture.alphabet = Extract(metadata, kAlphabetKey).value_or("");
  if (const std::optional<std::string> name = Extract(metadata, kMeaningKey)) {
    model.stated_meaning = ScoreMeaningOf(*name);
    if (!model.stated_meaning) {
      throw Error(fmt::format("its scores mean {}; known are: {}", Shown(*name), fmt::join(kScoreMeaningNames, ", ")));
    }
  }
}

std::string ShapeText(const std::vector<std::size_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

// Throws Error unless there is exactly one of each of the architecture's tensors, in its shape. `entries` are sorted by name.
template <class Entries, class NameOf, class ShapeOf>
void CheckTensorsOf(const Architecture& architecture, const Entries& entries, NameOf name_of, ShapeOf shape_of) {
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
  explicit InputFile(const std::string& path) : file_(path) {}

  std::uint64_t size() const { return file_.size(); }

  void Read(std::span<std::byte> out) {
    if (file_.Read(out) != out.size()) throw Error("cannot be read to its end: it changed meanwhile");
  }

 private:
  RegularFile file_;
};

// The same for bytes in memory.
class InputBytes {
 public:
  explicit InputBytes(std::span<const std::byte> bytes) : rest_(bytes), size_(bytes.size()) {}

  std::uint64_t size() const { return size_; }

  // The header is known to promise no more than there is.
  void Read(std::span<std::byte> out) {
    std::copy_n(rest_.begin(), out.size(), out.begin());
    rest_ = rest_.subspan(out.size());
  }

 private:
  std::span<const std::byte> rest_;
  std::uint64_t size_;
};

template <class Input>
Tensor ReadTensor(Input& file, const SafetensorsEntry& entry) {
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
template <class Input>
SafetensorsHeader ReadHeader(Input& file) {
  if (file.size() > kMaxFileBytes) {
    throw Error(fmt::format("has {} bytes, more than the allowed {}", file.size(), kMaxFileBytes));
  }
  std::vector<std::byte> first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kSafetensorsLengthBytes)));
  file.Read(first);
  std::string json(ParseSafetensorsLength(first, file.size()), '\0');
  file.Read(std::as_writable_bytes(std::span(json)));
  return ParseSafetensorsHeader(json, file.size() - first.size() - json.size());
}

template <class Input>
Model ReadModelFrom(Input& file) {
  SafetensorsHeader header = ReadHeader(file);
  Model model;
  TakeArchitecture(header.metadata, model);
  model.metadata = std::move(header.metadata);

  std::vector<const SafetensorsEntry*> by_name;
  by_name.reserve(header.tensors.size());
  for (const SafetensorsEntry& entry : header.tensors) by_name.push_back(&entry);
  std::sort(by_name.begin(), by_name.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  CheckTensorsOf(
      model.architecture, by_name, [](const auto* entry) -> const auto& { return entry->name; },
      [](const auto* entry) -> const auto& { return entry->shape; });

  for (const SafetensorsEntry& entry : header.tensors) model.tensors.emplace(entry.name, ReadTensor(file, entry));
  return model;
}

Dtype DtypeOf(WeightFormat format) { return format == WeightFormat::kFloat16 ? Dtype::kFloat16 : Dtype::kFloat32; }

// What comes before the values of the tensors, which were found fit to be written.
std::string FormatHeader(const Model& model, WeightFormat format) {
  CheckTensors(model);
  const Dtype dtype = DtypeOf(format);
  SafetensorsHeader header{.tensors = {}, .metadata = model.metadata};
  const auto put = [&](std::string_view key, std::string_view value) {
    if (!header.metadata.emplace(key, value).second) throw Error(fmt::format("the metadata key '{}' is reserved", key));
  };
  const Architecture& architecture = model.architecture;
  put(kFormatVersionKey, !architecture.alphabet.empty() ? kFormatVersionWithAlphabet
                         : architecture.skips_spaces    ? kFormatVersionWithSpaces
                                                        : kFormatVersion);
  put(kKindKey, architecture.kind);
  for (const NetworkSize& size : NetworkKindOf(architecture.kind).sizes) {
    put(SizeKey(size), std::to_string(architecture.size(size.name)));
  }
  put(kHeadKey, HeadName(architecture.head));
  if (architecture.skips_spaces) put(kSpacesKey, "skipped");
  if (!architecture.alphabet.empty()) put(kAlphabetKey, architecture.alphabet);
  put(kMeaningKey, ScoreMeaningName(model.meaning()));

  std::uint64_t bytes = kSafetensorsLengthBytes + kMaxSafetensorsHeaderBytes;
  for (const auto& [name, tensor] : model.tensors) {
    header.tensors.push_back({.name = name, .dtype = dtype, .shape = tensor.shape});
    bytes += header.tensors.back().bytes();
    CheckFinite(name, tensor.values);
    if (format == WeightFormat::kFloat16 && std::any_of(tensor.values.begin(), tensor.values.end(), [](float value) {
          return !std::isfinite(HalfToFloat(FloatToHalf(value)));
        })) {
      throw Error(fmt::format("tensor '{}' has values beyond {}, the greatest that F16 has", name, kMaxHalf));
    }
  }
  if (bytes > kMaxFileBytes) throw Error(fmt::format("the model needs more than the {} bytes a file may have", kMaxFileBytes));

  return FormatSafetensorsHeader(header);
}

// An encoder that is given texts as its network reads them.
class ReadingEncoder final : public Encoder {
 public:
  ReadingEncoder(const Architecture& architecture, std::unique_ptr<Encoder> encoder)
      : reader_(architecture), encoder_(std::move(encoder)) {}

  std::size_t vector_size() const override { return encoder_->vector_size(); }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const override {
    ReadTexts memory;
    encoder_->Encode(reader_.Read(texts, memory), vectors, pool);
  }
  std::uint64_t unknown_characters() const override { return reader_.unknown_characters(); }

 private:
  TextReader reader_;
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace

std::vector<TensorShape> TensorShapes(const Architecture& architecture) {
  const NetworkKind& kind = CheckedKind(architecture);
  std::vector<TensorShape> shapes = kind.tensor_shapes(architecture);
  for (TensorShape& shape : HeadTensorShapes(architecture, kind.vector_size(architecture))) {
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

void CheckTensors(const Model& model) {
  CheckTensorsOf(
      model.architecture, model.tensors, [](const auto& item) -> const auto& { return item.first; },
      [](const auto& item) -> const auto& { return item.second.shape; });
  for (const auto& [name, tensor] : model.tensors) {
    const SafetensorsEntry entry{.name = name, .dtype = Dtype::kFloat32, .shape = tensor.shape};
    if (tensor.values.size() != entry.values()) {
      throw Error(
          fmt::format("tensor '{}' has {} values, but the shape {}", name, tensor.values.size(), ShapeText(tensor.shape)));
    }
  }
}

Model RandomModel(const Architecture& architecture, std::uint64_t seed) {
  Model model{.architecture = architecture, .tensors = {}, .metadata = {}};
  Random random(seed);
  // Every operation is exact or correctly rounded, and none can be fused with another: the same on every machine.
  const double scale = 0x1p-23 / std::sqrt(static_cast<double>(CheckedKind(architecture).fan_in(architecture)));
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

Model InitialModel(const Architecture& architecture, std::uint64_t seed) {
  Model model = RandomModel(architecture, seed);
  // Uniform within plus and minus the square root of 3 has the variance 1.
  const float scale = std::sqrt(3.0F * static_cast<float>(NetworkKindOf(architecture.kind).fan_in(architecture)));
  for (const TensorShape& shape : TensorShapes(architecture)) {
    if (!shape.starts_large) continue;
    for (float& value : model.tensors.at(shape.name).values) value *= scale;
  }
  return model;
}

std::unique_ptr<Encoder> MakeEncoder(const Model& model, const Kernels& kernels) {
  CheckTensors(model);
  const NetworkKind& kind = NetworkKindOf(model.architecture.kind);
  if (kind.make_encoder == nullptr) {
    throw Error(fmt::format("a network of kind {} reads states of a fixed layout, not texts", kind.name));
  }
  return std::make_unique<ReadingEncoder>(model.architecture, kind.make_encoder(model, kernels));
}

std::vector<NetworkLayer> MakeLayerEncoders(const Model& model, const Kernels& kernels) {
  const NetworkKind& kind = CheckedKind(model.architecture);
  CheckTensors(model);
  std::vector<NetworkLayer> layers;
  if (kind.make_layers != nullptr) layers = kind.make_layers(model, kernels);
  for (NetworkLayer& layer : layers) {
    layer.encoder = std::make_unique<ReadingEncoder>(model.architecture, std::move(layer.encoder));
  }
  return layers;
}

Model ReadModel(const std::string& path) {
  return NamingFile(path, [&] {
    InputFile file(path);
    return ReadModelFrom(file);
  });
}

std::map<std::string, std::string> ReadModelMetadata(const std::string& path) {
  return NamingFile(path, [&] {
    InputFile file(path);
    SafetensorsHeader header = ReadHeader(file);
    Model model;
    TakeArchitecture(header.metadata, model);
    return std::move(header.metadata);
  });
}

std::string KeyOfDomain(std::size_t domain, std::string_view key) { return fmt::format("{}.{}", domain, key); }

Model ParseModel(std::span<const std::byte> bytes, const std::string& name) {
  return NamingFile(name, [&] {
    InputBytes input(bytes);
    return ReadModelFrom(input);
  });
}

std::string FormatModel(const Model& model, WeightFormat format) {
  std::string bytes = FormatHeader(model, format);
  for (const auto& [name, tensor] : model.tensors) {
    const std::vector<std::byte> values = EncodeValues(tensor.values, DtypeOf(format));
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size());
  }
  return bytes;
}

void WriteModel(const Model& model, const std::string& path, WeightFormat format) {
  NamingFile(path, [&] {
    const std::string head = FormatHeader(model, format);
    AtomicFile file(path);
    file.Write(std::as_bytes(std::span(head)));
    for (const auto& [name, tensor] : model.tensors) file.Write(EncodeValues(tensor.values, DtypeOf(format)));
    file.Commit();
  });
}

}  // namespace conpole
