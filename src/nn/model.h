// A model: what a network is, its weights, what its scores mean, and what else is known about it. A model is plain data;
// encoders (nn/encoder.h) and heads (nn/head.h) read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conpole/scorer.h"
#include "nn/architecture.h"

namespace conpole {

// Row-major.
struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

using Tensors = std::map<std::string, Tensor>;

struct Model {
  Architecture architecture;
  Tensors tensors;
  // Anything else that belongs to the model: domain (its Spec), agent, steps, evaluation results, version...
  std::map<std::string, std::string> metadata;
  std::optional<ScoreMeaning> stated_meaning = std::nullopt;  // nothing for the head's usual one

  // What its scores mean.
  ScoreMeaning meaning() const { return stated_meaning.value_or(UsualMeaning(architecture.head)); }
};

// The tensors that a network of this architecture has, with their shapes: the encoder's, then the head's. Throws Error if there
// is no such kind of network or a size is out of its bounds.
std::vector<TensorShape> TensorShapes(const Architecture& architecture);
// Throws Error unless the model has exactly the tensors of its architecture, each in its shape.
void CheckTensors(const Model& model);

// A model with small random weights, the same for the same seed: for tests and benchmarks.
Model RandomModel(const Architecture& architecture, std::uint64_t seed);
// What training starts with: the same, but characters differ from the start.
Model InitialModel(const Architecture& architecture, std::uint64_t seed);

enum class WeightFormat : std::uint8_t { kFloat32, kFloat16 };

// Model files are safetensors files whose metadata hold the architecture too. Reading checks everything, including that the
// tensors are those of the architecture, and throws Error, naming the file and what is wrong. Writing is atomic: the file is
// written beside its place and renamed; on failure an older file stays as it was.
Model ReadModel(const std::string& path);
// The same for the content of such a file; errors call it by the name.
Model ParseModel(std::span<const std::byte> bytes, const std::string& name);
void WriteModel(const Model& model, const std::string& path, WeightFormat format);
// What WriteModel writes to the file, for ParseModel.
std::string FormatModel(const Model& model, WeightFormat format);

}  // namespace conpole
