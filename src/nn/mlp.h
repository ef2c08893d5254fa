// Linear layers on the CPU, and two of them with ReLU between them, with which encoders end: the tensors mlp.0 and mlp.2 of a
// model. Immutable; any thread may use them.
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

struct LinearLayer {
  // `weights` has a row per entry of `biases`.
  LinearLayer(const std::vector<float>& weights, std::vector<float> biases);
  // From the tensors NAME.weight and NAME.bias.
  LinearLayer(const Model& model, const std::string& name);

  // Rows of the input begin `in_stride` values after each other, those of the result matrix.padded_width().
  void Run(const Kernels& kernels, const float* in, std::size_t in_stride, std::size_t rows, float* out) const;
  // The same in bytes, which must be there, and the kernels must have them. Values of the input must not be negative, and rows
  // of it must be padded to whole panels, with zeros.
  void RunInBytes(const Kernels& kernels, const float* in, std::size_t in_stride, std::size_t rows, float* out) const;

  PackedMatrix matrix;
  std::vector<float> bias;  // padded
  ByteMatrix bytes;         // the matrix again, rounded; empty unless somebody needs it
};

class Mlp {
 public:
  Mlp(const Model& model, const Kernels& kernels);

  // `rows` has a row of as many values as the matrices have rows for each of `vectors`, where its result is written to.
  void Run(const float* rows, const std::vector<float*>& vectors) const;

 private:
  const Kernels& kernels_;
  LinearLayer first_;
  LinearLayer second_;
};

}  // namespace conpole
