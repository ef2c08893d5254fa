// A model: the sizes of a network, its weights, and what is known about it. A model is plain data; encoders read it.
//
// The network: characters -> embedding -> stacked bidirectional LSTM layers -> the last hidden state of each direction of the
// last layer, concatenated -> two linear layers with ReLU between them = the vector phi(s) of a state. The head is either a
// bilinear form, score(s, c) = phi(c)^T W phi(s), or a linear value of one state.
//
// Tensors, with E = embedding, H = hidden, D = 2 * H, L = layers and V = kVocabularySize (LSTM gates in the order input,
// forget, cell, output, each of H rows, as PyTorch has them):
//   embedding.weight                                    V x E
//   lstm.weight_ih_lK, lstm.weight_ih_lK_reverse        4H x (K == 0 ? E : D)     for K in 0..L-1
//   lstm.weight_hh_lK, lstm.weight_hh_lK_reverse        4H x H
//   lstm.bias_ih_lK, lstm.bias_hh_lK (and _reverse)     4H
//   mlp.0.weight, mlp.2.weight                          D x D
//   mlp.0.bias, mlp.2.bias                              D
//   score.weight                                        D x D      (bilinear head)
//   value.weight, value.bias                            1 x D, 1   (value head)
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace conpole {

enum class Head : std::uint8_t { kBilinear, kValue };

struct Architecture {
  int embedding = 64;
  int hidden = 256;
  int layers = 2;
  Head head = Head::kBilinear;

  int vector_size() const { return 2 * hidden; }
  friend bool operator==(const Architecture&, const Architecture&) = default;
};

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
};

// The tensors that a network of this architecture has, with their shapes, in the order above.
struct TensorShape {
  std::string name;
  std::vector<std::size_t> shape;
};
std::vector<TensorShape> TensorShapes(const Architecture& architecture);

// A model with small random weights, the same for the same seed: for tests and benchmarks.
Model RandomModel(const Architecture& architecture, std::uint64_t seed);

enum class WeightFormat : std::uint8_t { kFloat32, kFloat16 };

// Model files are safetensors files whose metadata hold the architecture too. Reading checks everything, including that the
// tensors are those of the architecture, and throws Error, naming the file and what is wrong. Writing is atomic: the file is
// written beside its place and renamed; on failure an older file stays as it was.
Model ReadModel(const std::string& path);
void WriteModel(const Model& model, const std::string& path, WeightFormat format);

}  // namespace conpole
