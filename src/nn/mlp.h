// Two linear layers with ReLU between them, with which encoders on the CPU end: the tensors mlp.0 and mlp.2 of a model.
// Immutable; any thread may use it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nn/architecture.h"
#include "nn/kernels.h"
#include "nn/model.h"

namespace conpole {

// mlp.0.weight, mlp.2.weight (size x size) and their biases.
std::vector<TensorShape> MlpTensorShapes(std::size_t size);

class Mlp {
 public:
  Mlp(const Model& model, std::size_t size, const Kernels& kernels);

  // `rows` has vectors.size() rows of `size` values; the result of each is written to its place.
  void Run(const float* rows, const std::vector<float*>& vectors) const;

 private:
  struct Linear {
    PackedMatrix matrix;
    std::vector<float> bias;
  };
  Linear MakeLinear(const Model& model, const std::string& name) const;

  const Kernels& kernels_;
  std::size_t size_;
  Linear first_;
  Linear second_;
};

}  // namespace conpole
