#include "torch/packed_lstm.h"

#include <string>
#include <utility>
#include <vector>

namespace conpole {
namespace {

struct Outputs {
  torch::Tensor all;   // a row per character
  torch::Tensor last;  // a row per string
};

// One direction of one layer. Strings are sorted by decreasing length, so those that have ended are the last rows.
Outputs RunDirection(const torch::nn::LSTM& lstm, const std::string& suffix, const torch::Tensor& input,
                     const std::vector<std::int64_t>& batch_sizes, bool backward) {
  const auto parameters = lstm->named_parameters();
  const auto parameter = [&](const std::string& name) { return parameters[name + suffix]; };
  const torch::Tensor recurrent = parameter("weight_hh_l").t();
  const std::vector<torch::Tensor> from_input =
      torch::linear(input, parameter("weight_ih_l"), parameter("bias_ih_l") + parameter("bias_hh_l"))
          .split_with_sizes(batch_sizes);
  const std::size_t steps = batch_sizes.size();
  torch::Tensor hidden = torch::zeros({batch_sizes[backward ? steps - 1 : 0], recurrent.size(0)}, input.options());
  torch::Tensor cell = torch::zeros_like(hidden);
  std::vector<torch::Tensor> outputs(steps);
  std::vector<torch::Tensor> ended;  // the longest first
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t step = backward ? steps - 1 - i : i;
    const std::int64_t running = batch_sizes[step];
    if (const std::int64_t surplus = hidden.size(0) - running; surplus > 0) {
      ended.insert(ended.begin(), hidden.narrow(0, running, surplus));
      hidden = hidden.narrow(0, 0, running);
      cell = cell.narrow(0, 0, running);
    } else if (surplus < 0) {
      const torch::Tensor start = torch::zeros({-surplus, hidden.size(1)}, hidden.options());
      hidden = torch::cat({hidden, start});
      cell = torch::cat({cell, start});
    }
    const std::vector<torch::Tensor> gates = torch::addmm(from_input[step], hidden, recurrent).chunk(4, 1);
    cell = torch::sigmoid(gates[1]) * cell + torch::sigmoid(gates[0]) * torch::tanh(gates[2]);
    hidden = torch::sigmoid(gates[3]) * torch::tanh(cell);
    outputs[step] = hidden;
  }
  ended.insert(ended.begin(), hidden);
  return {torch::cat(outputs), torch::cat(ended)};
}

}  // namespace

torch::Tensor RunPackedLstm(const torch::nn::LSTM& lstm, const torch::Tensor& embedded, const torch::Tensor& batch_sizes) {
  const auto* const sizes = batch_sizes.data_ptr<std::int64_t>();
  const std::vector<std::int64_t> size_list(sizes, sizes + batch_sizes.numel());
  torch::Tensor input = embedded;
  torch::Tensor last;
  for (std::int64_t layer = 0; layer < lstm->options.num_layers(); ++layer) {
    const std::string suffix = std::to_string(layer);
    const Outputs forward = RunDirection(lstm, suffix, input, size_list, /*backward=*/false);
    const Outputs backward = RunDirection(lstm, suffix + "_reverse", input, size_list, /*backward=*/true);
    input = torch::cat({forward.all, backward.all}, 1);
    last = torch::cat({forward.last, backward.last}, 1);
  }
  return last;
}

}  // namespace conpole
