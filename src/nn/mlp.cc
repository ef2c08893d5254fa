#include "nn/mlp.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace conpole {

std::vector<TensorShape> MlpTensorShapes(std::size_t size) {
  return {{"mlp.0.weight", {size, size}}, {"mlp.2.weight", {size, size}}, {"mlp.0.bias", {size}}, {"mlp.2.bias", {size}}};
}

LinearLayer::LinearLayer(const std::vector<float>& weights, std::vector<float> biases)
    : matrix(weights.data(), biases.size(), weights.size() / biases.size()), bias(std::move(biases)) {
  bias.resize(matrix.padded_width(), 0.0F);
}

LinearLayer::LinearLayer(const Model& model, const std::string& name)
    : LinearLayer(model.tensors.at(name + ".weight").values, model.tensors.at(name + ".bias").values) {}

void LinearLayer::Run(const Kernels& kernels, const float* in, std::size_t in_stride, std::size_t rows, float* out) const {
  constexpr std::size_t kAtATime = 48;
  const float* starts[kAtATime];
  const float* ins[kAtATime];
  float* outs[kAtATime];
  std::fill_n(starts, kAtATime, bias.data());
  for (std::size_t first = 0; first < rows; first += kAtATime) {
    const std::size_t count = std::min(kAtATime, rows - first);
    for (std::size_t r = 0; r < count; ++r) {
      ins[r] = in + (first + r) * in_stride;
      outs[r] = out + (first + r) * matrix.padded_width();
    }
    const Factor factor{ins, &matrix};
    kernels.multiply(count, starts, &factor, 1, outs);
  }
}

void LinearLayer::RunInBytes(const Kernels& kernels, const float* in, std::size_t in_stride, std::size_t rows,
                             float* out) const {
  const std::size_t depth = bytes.padded_depth();
  thread_local std::vector<std::uint8_t> rounded;
  thread_local std::vector<float> scales;
  rounded.resize(rows * depth);
  scales.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) scales[r] = kernels.to_bytes(depth, in + r * in_stride, rounded.data() + r * depth);
  kernels.multiply_bytes(rows, bias.data(), rounded.data(), scales.data(), bytes, out);
}

Mlp::Mlp(const Model& model, const Kernels& kernels) : kernels_(kernels), first_(model, "mlp.0"), second_(model, "mlp.2") {}

void Mlp::Run(const float* rows, const std::vector<float*>& vectors) const {
  const std::size_t count = vectors.size();
  const std::size_t size = first_.matrix.width();
  const std::size_t width = first_.matrix.padded_width();
  std::vector<float> middle(count * width);
  std::vector<float> result(count * width);
  first_.Run(kernels_, rows, size, count, middle.data());
  for (float& value : middle) value = std::max(value, 0.0F);
  second_.Run(kernels_, middle.data(), width, count, result.data());
  for (std::size_t r = 0; r < count; ++r) std::copy_n(result.data() + r * width, size, vectors[r]);
}

}  // namespace conpole
