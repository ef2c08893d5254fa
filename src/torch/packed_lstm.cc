#include "torch/packed_lstm.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nn/kernels.h"
#include "train/cpu/training_kernels.h"

namespace conpole {
namespace {

// Which rows of the packed characters belong to which strings. Strings are sorted by decreasing length, so that at every step
// those that have ended are the last ones.
class StepRows {
 public:
  StepRows(torch::Tensor characters, const torch::Tensor& batch_sizes) : characters_(std::move(characters)) {
    const auto* const sizes = batch_sizes.data_ptr<std::int64_t>();
    std::size_t row = 0;
    for (std::int64_t step = 0; step < batch_sizes.numel(); ++step) {
      first_.push_back(row);
      row += static_cast<std::size_t>(sizes[step]);
    }
    first_.push_back(row);
  }

  std::size_t steps() const { return first_.size() - 1; }
  std::size_t rows() const { return first_.back(); }
  std::size_t strings() const { return strings_at(0); }
  // The row of the first string at a step, and how many strings are as long; past the last step none is.
  std::size_t first(std::size_t step) const { return first_[step]; }
  std::size_t strings_at(std::size_t step) const { return step < steps() ? first_[step + 1] - first_[step] : 0; }
  const std::uint8_t* characters() const { return characters_.data_ptr<std::uint8_t>(); }

 private:
  torch::Tensor characters_;
  std::vector<std::size_t> first_;
};

// One direction of one layer, as the operation that it is for LibTorch.
struct Direction {
  std::shared_ptr<const StepRows> rows;
  bool is_reverse = false;
  bool by_character = false;  // inputs have a row for each character that there is, not for each of the texts
  bool last_only = false;     // the result is the last hidden states, a row per string, not all, a row per character

  std::size_t step_of(std::size_t i) const { return is_reverse ? rows->steps() - 1 - i : i; }
  // The rows of step_of(i) whose strings have begun before it, and the first row that they had then.
  std::size_t begun(std::size_t i) const {
    return i == 0 ? 0 : std::min(rows->strings_at(step_of(i)), rows->strings_at(step_of(i - 1)));
  }
  std::size_t first_before(std::size_t i) const { return i == 0 ? 0 : rows->first(step_of(i - 1)); }
  // The strings of step_of(i) from this one on have their last state there; all go on to the next step before it.
  std::size_t first_ending(std::size_t i) const {
    return i + 1 == rows->steps() ? 0 : std::min(rows->strings_at(step_of(i)), rows->strings_at(step_of(i + 1)));
  }
};

struct KeptDirection : torch::CustomClassHolder {
  explicit KeptDirection(Direction kept) : direction(std::move(kept)) {}
  Direction direction;
};

std::int64_t Signed(std::size_t size) { return static_cast<std::int64_t>(size); }

// The values of a matrix in rows.
float* Values(const torch::Tensor& tensor) { return tensor.data_ptr<float>(); }

// `inputs` are what comes from below, with the biases: four gates of each unit, a row each; `recurrent` is the layer's
// weight_hh.
class DirectionFunction : public torch::autograd::Function<DirectionFunction> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& inputs,
                               const torch::Tensor& recurrent, const Direction& direction) {
    const StepRows& rows = *direction.rows;
    const auto hidden_size = static_cast<std::size_t>(recurrent.size(1));
    const PackedMatrix weights(Values(recurrent.contiguous()), 4 * hidden_size, hidden_size);
    const std::size_t width = weights.padded_width();
    const torch::Tensor starts = torch::constant_pad_nd(inputs, {0, Signed(width) - inputs.size(1)}).contiguous();
    const auto make = [&](std::size_t columns) { return torch::empty({Signed(rows.rows()), Signed(columns)}); };
    const torch::Tensor gates = make(width);
    const torch::Tensor cells = make(hidden_size);
    const torch::Tensor tanh_cells = make(hidden_size);
    const torch::Tensor hidden_before = make(hidden_size);
    const torch::Tensor hidden = make(hidden_size);
    const torch::Tensor last =
        direction.last_only ? torch::empty({Signed(rows.strings()), Signed(hidden_size)}) : torch::Tensor();

    const Kernels& products = Kernels::Best();
    const TrainingKernels& cell_kernels = TrainingKernels::Best();
    const float* const starts_at = Values(starts);
    float* const gates_at = Values(gates);
    float* const cells_at = Values(cells);
    float* const tanh_cells_at = Values(tanh_cells);
    float* const hidden_before_at = Values(hidden_before);
    float* const hidden_at = Values(hidden);
    const std::uint8_t* const characters = rows.characters();
    const std::vector<float> zeros(hidden_size, 0.0F);
    std::vector<const float*> start(rows.strings());
    std::vector<const float*> before(rows.strings());
    std::vector<float*> out(rows.strings());
    for (std::size_t i = 0; i < rows.steps(); ++i) {
      const std::size_t step = direction.step_of(i);
      const std::size_t running = rows.strings_at(step);
      const std::size_t begun = direction.begun(i);
      const std::size_t first = rows.first(step);
      const std::size_t first_before = direction.first_before(i);
      for (std::size_t r = 0; r < running; ++r) {
        start[r] = starts_at + (direction.by_character ? characters[first + r] : first + r) * width;
        out[r] = gates_at + (first + r) * width;
        before[r] = r < begun ? hidden_at + (first_before + r) * hidden_size : zeros.data();
        std::copy_n(before[r], hidden_size, hidden_before_at + (first + r) * hidden_size);
        if (r >= begun) std::copy_n(start[r], width, out[r]);
      }
      const Factor factor{before.data(), &weights};
      if (begun != 0) products.multiply(begun, start.data(), &factor, 1, out.data());
      for (std::size_t r = 0; r < running; ++r) {
        const std::size_t at = (first + r) * hidden_size;
        const float* const cell_before = r < begun ? cells_at + (first_before + r) * hidden_size : zeros.data();
        cell_kernels.forward(hidden_size, out[r], cell_before, cells_at + at, tanh_cells_at + at, hidden_at + at);
      }
      if (!direction.last_only) continue;
      const std::size_t ending = direction.first_ending(i);
      std::copy_n(hidden_at + (first + ending) * hidden_size, (running - ending) * hidden_size,
                  Values(last) + ending * hidden_size);
    }
    context->save_for_backward({recurrent, gates, cells, tanh_cells, hidden_before});
    context->saved_data["inputs"] = inputs.size(0);
    context->saved_data["direction"] = torch::IValue::make_capsule(c10::make_intrusive<KeptDirection>(direction));
    return direction.last_only ? last : hidden;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const torch::autograd::variable_list saved = context->get_saved_variables();
    const torch::Tensor& recurrent = saved[0];
    const torch::Tensor& gates = saved[1];
    const torch::Tensor& cells = saved[2];
    const torch::Tensor& tanh_cells = saved[3];
    const torch::Tensor& hidden_before = saved[4];
    const auto kept = context->saved_data["direction"].toCapsule();
    const Direction& direction = static_cast<const KeptDirection&>(*kept).direction;
    const StepRows& rows = *direction.rows;
    const torch::Tensor of_result = gradients[0].contiguous();
    const auto hidden_size = static_cast<std::size_t>(recurrent.size(1));
    const auto width = static_cast<std::size_t>(gates.size(1));
    const PackedMatrix weights(Values(recurrent.t().contiguous()), hidden_size, 4 * hidden_size);
    const std::size_t padded_hidden = weights.padded_width();
    const torch::Tensor of_gates = torch::empty({Signed(rows.rows()), 4 * Signed(hidden_size)});

    const Kernels& products = Kernels::Best();
    const TrainingKernels& cell_kernels = TrainingKernels::Best();
    const float* const of_result_at = Values(of_result);
    const float* const gates_at = Values(gates);
    const float* const cells_at = Values(cells);
    const float* const tanh_cells_at = Values(tanh_cells);
    float* const of_gates_at = Values(of_gates);
    const std::vector<float> zeros(hidden_size, 0.0F);
    std::vector<float> of_hidden(rows.strings() * padded_hidden, 0.0F);
    std::vector<float> of_cells(rows.strings() * hidden_size, 0.0F);
    std::vector<float*> out(rows.strings());
    for (std::size_t r = 0; r < rows.strings(); ++r) out[r] = of_hidden.data() + r * padded_hidden;
    std::vector<const float*> later(rows.strings());
    for (std::size_t i = rows.steps(); i-- > 0;) {
      const std::size_t step = direction.step_of(i);
      const std::size_t running = rows.strings_at(step);
      const std::size_t ending = direction.first_ending(i);  // what is before it goes on
      const std::size_t first = rows.first(step);
      const std::size_t first_later = ending == 0 ? 0 : rows.first(direction.step_of(i + 1));
      for (std::size_t r = 0; r < running; ++r) {
        if (!direction.last_only) {
          std::copy_n(of_result_at + (first + r) * hidden_size, hidden_size, out[r]);
        } else if (r >= ending) {
          std::copy_n(of_result_at + r * hidden_size, hidden_size, out[r]);
        } else {
          std::fill_n(out[r], hidden_size, 0.0F);
        }
        later[r] = of_gates_at + (first_later + r) * 4 * hidden_size;
        if (r >= ending) std::fill_n(of_cells.data() + r * hidden_size, hidden_size, 0.0F);
      }
      const Factor factor{later.data(), &weights};
      if (ending != 0) products.multiply(ending, out.data(), &factor, 1, out.data());
      const std::size_t begun = direction.begun(i);
      const std::size_t first_before = direction.first_before(i);
      for (std::size_t r = 0; r < running; ++r) {
        const float* const cell_before = r < begun ? cells_at + (first_before + r) * hidden_size : zeros.data();
        cell_kernels.backward(hidden_size, gates_at + (first + r) * width, cell_before,
                              tanh_cells_at + (first + r) * hidden_size, out[r], of_cells.data() + r * hidden_size,
                              of_gates_at + (first + r) * 4 * hidden_size);
      }
    }

    torch::Tensor of_inputs = of_gates;
    if (direction.by_character) {
      of_inputs = torch::zeros({context->saved_data["inputs"].toInt(), of_gates.size(1)});
      float* const of_inputs_at = Values(of_inputs);
      const std::uint8_t* const characters = rows.characters();
      for (std::size_t row = 0; row < rows.rows(); ++row) {
        cell_kernels.add(4 * hidden_size, 1, of_gates_at + row * 4 * hidden_size,
                         of_inputs_at + characters[row] * 4 * hidden_size);
      }
    }
    // One product over all characters.
    return {of_inputs, torch::mm(of_gates.t(), hidden_before), {}};
  }
};

}  // namespace

torch::Tensor RunPackedLstm(const torch::nn::LSTM& lstm, const torch::Tensor& embedding, const torch::Tensor& characters,
                            const torch::Tensor& batch_sizes) {
  const auto rows = std::make_shared<const StepRows>(characters, batch_sizes);
  const auto parameters = lstm->named_parameters();
  const std::int64_t layers = lstm->options.num_layers();
  torch::Tensor hidden;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const auto run = [&](const std::string& suffix, bool is_reverse) {
      // What comes from below is the same for equal characters in the first layer.
      const torch::Tensor inputs = torch::linear(layer == 0 ? embedding : hidden, parameters["weight_ih_l" + suffix],
                                                 parameters["bias_ih_l" + suffix] + parameters["bias_hh_l" + suffix]);
      return DirectionFunction::apply(inputs, parameters["weight_hh_l" + suffix],
                                      Direction{rows, is_reverse, layer == 0, layer + 1 == layers});
    };
    const std::string suffix = std::to_string(layer);
    const torch::Tensor forward = run(suffix, false);
    const torch::Tensor backward = run(suffix + "_reverse", true);
    hidden = torch::cat({forward, backward}, 1);
  }
  return hidden;
}

}  // namespace conpole
