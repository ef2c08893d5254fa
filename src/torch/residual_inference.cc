#include "torch/residual_inference.h"

#include <string>

#include "conpole/error.h"
#include "nn/residual_network.h"

namespace conpole {
namespace {

const Model& Checked(const Model& model) {
  if (model.architecture.kind != ResidualKind().name) throw Error("the network is not of kind " + ResidualKind().name);
  CheckTensors(model);
  return model;
}

}  // namespace

std::int64_t OneHotColumns(std::int64_t cells, std::int64_t colours) {
  constexpr std::int64_t kUnit = 8;
  return (cells * colours + kUnit - 1) / kUnit * kUnit;
}

torch::Tensor OneHotCells(const torch::Tensor& states, std::int64_t colours, torch::ScalarType type) {
  const torch::Tensor each = torch::arange(colours, states.options());
  const torch::Tensor columns = states.unsqueeze(2).eq(each).flatten(1);
  const std::int64_t padding = OneHotColumns(states.size(1), colours) - columns.size(1);
  return torch::constant_pad_nd(columns, {0, padding}).to(type);
}

ResidualInference::ResidualInference(const Model& model, const torch::Device& device, torch::ScalarType type)
    : device_(device),
      type_(type),
      cells_(Checked(model).architecture.size("cells")),
      colours_(model.architecture.size("colours")),
      actions_(model.architecture.size("actions")),
      input_(MakeLinear(model, "input")),
      narrow_(MakeLinear(model, "narrow")),
      action_(MakeLinear(model, "action")) {
  if (model.architecture.head == Head::kActionsAndValue) {
    const Linear value = MakeLinear(model, "value");
    action_ = {torch::cat({action_.weight, value.weight}, 1), torch::cat({action_.bias, value.bias})};
  }
  const std::int64_t padding = OneHotColumns(cells_, colours_) - cells_ * colours_;
  input_.weight = torch::constant_pad_nd(input_.weight.t(), {0, padding}).t();
  for (int k = 0; k < model.architecture.size("blocks"); ++k) {
    for (const int layer : {0, 2}) {
      blocks_.push_back(MakeLinear(model, "block." + std::to_string(k) + "." + std::to_string(layer)));
    }
  }
}

ResidualInference::Linear ResidualInference::MakeLinear(const Model& model, const std::string& name) const {
  const auto on_device = [&](const Tensor& tensor) {
    const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
    return torch::from_blob(const_cast<float*>(tensor.values.data()), shape, torch::kFloat32).to(device_, type_, false, true);
  };
  return {on_device(model.tensors.at(name + ".weight")).t(), on_device(model.tensors.at(name + ".bias"))};
}

torch::Tensor ResidualInference::Score(const torch::Tensor& states) const {
  const torch::NoGradGuard no_gradients;
  const auto with_relu = [](const torch::Tensor& in, const Linear& linear) {
    return at::_addmm_activation(linear.bias, in, linear.weight);
  };
  torch::Tensor hidden = with_relu(with_relu(OneHotCells(states, colours_, type_), input_), narrow_);
  for (std::size_t k = 0; k < blocks_.size(); k += 2) {
    const torch::Tensor middle = with_relu(hidden, blocks_[k]);
    hidden = torch::addmm(blocks_[k + 1].bias, middle, blocks_[k + 1].weight).add_(hidden).relu_();
  }
  return torch::addmm(action_.bias, hidden, action_.weight).to(torch::kFloat32);
}

}  // namespace conpole
