#include "train/cpu/network_weights.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

std::vector<std::string> NamesInOrder(const Architecture& architecture) {
  std::vector<std::string> names;
  if (architecture.kind == "lstm") {
    names.emplace_back("embedding.weight");
    for (int layer = 0; layer < architecture.size("layers"); ++layer) {
      for (const std::string_view direction : {"", "_reverse"}) {
        for (const std::string_view part : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
          names.push_back(fmt::format("lstm.{}_l{}{}", part, layer, direction));
        }
      }
    }
  } else if (architecture.kind == "bag") {
    names.emplace_back("window.bias");
    for (int k = 0; k < architecture.size("window"); ++k) names.push_back(fmt::format("window.{}.weight", k));
  } else {
    throw Error(fmt::format("networks of kind {} do not learn on the CPU", architecture.kind));
  }
  for (const char* const name : {"mlp.0.weight", "mlp.0.bias", "mlp.2.weight", "mlp.2.bias"}) names.emplace_back(name);
  if (architecture.head == Head::kValue) {
    names.insert(names.end(), {"value.weight", "value.bias"});
  } else {
    names.emplace_back("score.weight");
  }
  return names;
}

}  // namespace

void Rows::Resize(std::size_t count, std::size_t width) {
  constexpr std::size_t kPanel = PackedMatrix::kPanel;
  count_ = count;
  width_ = width;
  stride_ = (width + kPanel - 1) / kPanel * kPanel;
  if (values_.size() < count * stride_) values_.resize(count * stride_);
}

void Rows::Clear(std::size_t count, std::size_t width) {
  Resize(count, width);
  std::fill_n(values_.begin(), count_ * stride_, 0.0F);
}

NetworkWeights::NetworkWeights(const Architecture& architecture) : architecture_(architecture) {
  for (const TensorShape& tensor : TensorShapes(architecture)) parts_[tensor.name].second = tensor.shape;
  for (const std::string& name : NamesInOrder(architecture)) {
    auto& [place, shape] = parts_.at(name);
    place = size_;
    size_ += std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  }
}

std::vector<float> NetworkWeights::VectorOf(const Tensors& tensors) const {
  std::vector<float> weights(size_);
  for (const auto& [name, part] : parts_) {
    std::copy(tensors.at(name).values.begin(), tensors.at(name).values.end(),
              weights.begin() + static_cast<std::ptrdiff_t>(part.first));
  }
  return weights;
}

Tensors NetworkWeights::TensorsOf(std::span<const float> weights) const {
  Tensors tensors;
  for (const auto& [name, part] : parts_) {
    const auto& [place, shape] = part;
    const auto values =
        weights.subspan(place, std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
    tensors[name] = {shape, {values.begin(), values.end()}};
  }
  return tensors;
}

const WeightMatrix& NetworkWeights::Matrix(const std::string& name, std::size_t part, std::size_t parts) {
  const auto& [place, shape] = parts_.at(name);
  WeightMatrix& matrix = matrices_[{name, part}];
  matrix.out = shape[0];
  matrix.stride = shape[1];
  matrix.in = shape[1] / parts;
  matrix.at = place + part * matrix.in;
  return matrix;
}

void NetworkWeights::Pack(std::span<const float> weights, ThreadPool& pool) {
  weights_ = weights;
  std::vector<WeightMatrix*> matrices;
  for (auto& [key, matrix] : matrices_) matrices.push_back(&matrix);
  pool.For(2 * matrices.size(), [&](std::size_t i) {
    WeightMatrix& matrix = *matrices[i / 2];
    const float* const values = weights.data() + matrix.at;
    if (i % 2 == 0) {
      matrix.there.Set(values, matrix.out, matrix.in, matrix.stride, 1);
    } else {
      matrix.back.Set(values, matrix.in, matrix.out, 1, matrix.stride);
    }
  });
}

}  // namespace conpole
