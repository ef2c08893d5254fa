#include "nn/mlp.h"

#include <algorithm>

namespace conpole {

std::vector<TensorShape> MlpTensorShapes(std::size_t size) {
  return {{"mlp.0.weight", {size, size}}, {"mlp.2.weight", {size, size}}, {"mlp.0.bias", {size}}, {"mlp.2.bias", {size}}};
}

Mlp::Mlp(const Model& model, std::size_t size, const Kernels& kernels)
    : kernels_(kernels), size_(size), first_(MakeLinear(model, "mlp.0")), second_(MakeLinear(model, "mlp.2")) {}

Mlp::Linear Mlp::MakeLinear(const Model& model, const std::string& name) const {
  Linear linear{PackedMatrix(model.tensors.at(name + ".weight").values.data(), size_, size_), {}};
  linear.bias = model.tensors.at(name + ".bias").values;
  linear.bias.resize(linear.matrix.padded_width(), 0.0F);
  return linear;
}

void Mlp::Run(const float* rows, const std::vector<float*>& vectors) const {
  const std::size_t count = vectors.size();
  const std::size_t width = first_.matrix.padded_width();
  std::vector<float> middle(count * width);
  std::vector<float> result(count * width);
  std::vector<const float*> start(count);
  std::vector<const float*> in(count);
  std::vector<float*> out(count);
  const auto multiply = [&](const Linear& linear, const float* from, std::size_t stride, std::vector<float>& to) {
    for (std::size_t r = 0; r < count; ++r) {
      start[r] = linear.bias.data();
      in[r] = from + r * stride;
      out[r] = to.data() + r * width;
    }
    const Factor factor{in.data(), &linear.matrix};
    kernels_.multiply(count, start.data(), &factor, 1, out.data());
  };
  multiply(first_, rows, size_, middle);
  for (float& value : middle) value = std::max(value, 0.0F);
  multiply(second_, middle.data(), width, result);
  for (std::size_t r = 0; r < count; ++r) std::copy_n(result.data() + r * width, size_, vectors[r]);
}

}  // namespace conpole
