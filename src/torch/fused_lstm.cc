#include "torch/fused_lstm.h"

#include <array>
#include <string>
#include <vector>

#include <ATen/cuda/CUDAContext.h>

#include "conpole/error.h"
#include "torch/fused_lstm_kernels.h"

namespace conpole {
namespace {

constexpr std::int64_t kHidden = FusedLstm::kHidden;
constexpr std::int64_t kGates = FusedLstm::kGates;

// Orders of rows and columns, as index tensors on one device.
struct Orders {
  torch::Tensor to_tile_order;  // of the gates of both directions
  torch::Tensor forward_rows;   // of the recurrent weights in tile order
  torch::Tensor backward_columns;

  explicit Orders(const torch::Device& device) {
    std::vector<std::int64_t> gates(2 * kGates);
    for (int direction = 0; direction < 2; ++direction) {
      for (int gate = 0; gate < 4; ++gate) {
        for (int unit = 0; unit < FusedLstm::kHidden; ++unit) {
          gates[static_cast<std::size_t>(direction * kGates + FusedLstm::GateColumn(gate, unit))] =
              direction * kGates + gate * kHidden + unit;
        }
      }
    }
    std::vector<std::int64_t> rows;
    for (int row = 0; row < FusedLstm::kGates; ++row) rows.push_back(FusedLstm::ForwardWeightRow(row));
    std::vector<std::int64_t> columns;
    for (int column = 0; column < FusedLstm::kHidden; ++column) columns.push_back(FusedLstm::UnitOfColumn(column));
    to_tile_order = torch::tensor(gates, torch::kInt64).to(device);
    forward_rows = torch::tensor(rows, torch::kInt64).to(device);
    backward_columns = torch::tensor(columns, torch::kInt64).to(device);
  }

  static const Orders& On(const torch::Device& device) {
    static const Orders orders(device);
    if (orders.forward_rows.device() != device) throw Error("one process can use one GPU only");
    return orders;
  }
};

// Which rows of the packed characters belong to which strings, on the device.
class PackedRows {
 public:
  PackedRows(torch::Tensor characters, const torch::Tensor& batch_sizes) : characters_(std::move(characters)) {
    const torch::Device device = characters_.device();
    const auto* const sizes = batch_sizes.data_ptr<std::int64_t>();
    const std::int64_t steps = batch_sizes.numel();
    const int tile = FusedLstm::BestTile(sizes[0]);
    strings_.tile = tile;
    strings_.tiles = static_cast<int>((sizes[0] + tile - 1) / tile);
    const torch::Tensor host =
        torch::empty({2 * steps + strings_.tiles}, torch::TensorOptions().dtype(torch::kInt32).pinned_memory(true));
    auto* const batch_size = host.data_ptr<std::int32_t>();
    std::int32_t* const first_row = batch_size + steps;
    std::int32_t* const tile_steps = first_row + steps;
    const torch::Tensor last = torch::empty({sizes[0]}, torch::TensorOptions().dtype(torch::kInt64).pinned_memory(true));
    auto* const last_row = last.data_ptr<std::int64_t>();
    std::int64_t row = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
      batch_size[step] = static_cast<std::int32_t>(sizes[step]);
      first_row[step] = static_cast<std::int32_t>(row);
      for (std::int64_t i = step + 1 < steps ? sizes[step + 1] : 0; i < sizes[step]; ++i) {
        last_row[i] = row + i;
        if (i % tile == 0) tile_steps[i / tile] = static_cast<std::int32_t>(step + 1);
      }
      row += sizes[step];
    }
    numbers_ = host.to(device, /*non_blocking=*/true);
    last_rows_ = last.to(device, /*non_blocking=*/true);
    strings_.batch_sizes = numbers_.data_ptr<std::int32_t>();
    strings_.first_rows = strings_.batch_sizes + steps;
    strings_.tile_steps = strings_.first_rows + steps;
  }

  // Valid while this lives.
  const FusedLstm::Strings& strings() const { return strings_; }
  std::int64_t rows() const { return characters_.numel(); }
  const torch::Tensor& characters() const { return characters_; }
  const torch::Tensor& last_rows() const { return last_rows_; }  // of each string

 private:
  FusedLstm::Strings strings_;
  torch::Tensor characters_;
  torch::Tensor numbers_;
  torch::Tensor last_rows_;
};

FusedLstm::Type TypeOf(const torch::Tensor& tensor) {
  return tensor.scalar_type() == torch::kFloat16 ? FusedLstm::Type::kFloat16 : FusedLstm::Type::kBFloat16;
}

void Check(const char* error) {
  if (error != nullptr) throw Error(std::string("the GPU failed: ") + error);
}

// The hidden states of one layer, a row per character. `inputs` has a row per character or, if `by_character`, a row for
// each that there is; `weights` are the recurrent ones of both directions, 2 x kGates x kHidden; all in tile order.
class FusedLayer : public torch::autograd::Function<FusedLayer> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& inputs,
                               const torch::Tensor& weights, const std::shared_ptr<const PackedRows>& rows, bool by_character,
                               bool keep) {
    const auto make = [&](std::int64_t columns) { return torch::empty({rows->rows(), columns}, inputs.options()); };
    const torch::Tensor hidden = make(2 * kHidden);
    const torch::Tensor ordered = weights.index_select(1, Orders::On(inputs.device()).forward_rows);
    FusedLstm::ForwardArguments arguments;
    arguments.strings = rows->strings();
    arguments.inputs = inputs.data_ptr();
    arguments.characters = by_character ? rows->characters().data_ptr<std::uint8_t>() : nullptr;
    arguments.weights = ordered.data_ptr();
    arguments.hidden = hidden.data_ptr();
    torch::Tensor hidden_before;
    torch::Tensor cells;
    torch::Tensor gates;
    if (keep) {
      hidden_before = make(2 * kHidden);
      cells = make(2 * kHidden);
      gates = make(2 * kGates);
      arguments.hidden_before = hidden_before.data_ptr();
      arguments.cells = cells.data_ptr();
      arguments.gates = gates.data_ptr();
      context->save_for_backward({weights, hidden_before, cells, gates});
      context->saved_data["inputs"] = inputs.size(0);
      context->saved_data["by_character"] = by_character;
      context->saved_data["rows"] = torch::IValue::make_capsule(c10::make_intrusive<KeptRows>(rows));
    }
    Check(FusedLstm::Forward(TypeOf(inputs), arguments, at::cuda::getCurrentCUDAStream().stream()));
    return hidden;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const torch::autograd::variable_list saved = context->get_saved_variables();
    const torch::Tensor& weights = saved[0];
    const torch::Tensor& hidden_before = saved[1];
    const torch::Tensor& gates = saved[3];
    const auto kept = context->saved_data["rows"].toCapsule();
    const PackedRows& rows = *static_cast<const KeptRows&>(*kept).rows;
    const torch::Tensor hidden_gradients = gradients[0].contiguous();
    const torch::Tensor ordered = weights.index_select(2, Orders::On(weights.device()).backward_columns);
    const torch::Tensor gate_gradients = torch::empty_like(gates);
    FusedLstm::BackwardArguments arguments;
    arguments.strings = rows.strings();
    arguments.weights = ordered.data_ptr();
    arguments.hidden_gradients = hidden_gradients.data_ptr();
    arguments.cells = saved[2].data_ptr();
    arguments.gates = gates.data_ptr();
    arguments.input_gradients = gate_gradients.data_ptr();
    Check(FusedLstm::Backward(TypeOf(gates), arguments, at::cuda::getCurrentCUDAStream().stream()));

    std::vector<torch::Tensor> weight_gradients;
    for (std::int64_t direction = 0; direction < 2; ++direction) {
      weight_gradients.push_back(torch::mm(gate_gradients.narrow(1, direction * kGates, kGates).t(),
                                           hidden_before.narrow(1, direction * kHidden, kHidden)));
    }
    torch::Tensor input_gradients = gate_gradients;
    if (context->saved_data["by_character"].toBool()) {
      const torch::Tensor& characters = rows.characters();
      // Sums over equal characters, as a product: that is faster than adding rows up one by one.
      const torch::Tensor is_character =
          characters.unsqueeze(1) == torch::arange(context->saved_data["inputs"].toInt(), characters.options());
      input_gradients = torch::mm(is_character.to(gates.scalar_type()).t(), gate_gradients);
    }
    return {input_gradients, torch::stack(weight_gradients), {}, {}, {}};
  }

 private:
  struct KeptRows : torch::CustomClassHolder {
    explicit KeptRows(std::shared_ptr<const PackedRows> kept) : rows(std::move(kept)) {}
    std::shared_ptr<const PackedRows> rows;
  };
};

}  // namespace

bool CanFuse(const torch::nn::LSTM& lstm, const torch::Tensor& weights) {
  static const bool is_supported = FusedLstm::IsSupported();
  const bool is_half = weights.scalar_type() == torch::kFloat16 || weights.scalar_type() == torch::kBFloat16;
  return weights.is_cuda() && is_half && lstm->options.hidden_size() == kHidden && is_supported;
}

torch::Tensor RunFusedLstm(const torch::nn::LSTM& lstm, const torch::Tensor& embedding, const torch::Tensor& characters,
                           const torch::Tensor& batch_sizes) {
  const Orders& orders = Orders::On(embedding.device());
  const auto rows = std::make_shared<const PackedRows>(characters, batch_sizes);
  const auto parameters = lstm->named_parameters();
  const bool keep = torch::GradMode::is_enabled();
  torch::Tensor hidden;
  for (std::int64_t layer = 0; layer < lstm->options.num_layers(); ++layer) {
    const std::string suffix = std::to_string(layer);
    const auto both = [&](const std::string& name) {
      const std::string forward = name + suffix;
      return torch::cat({parameters[forward], parameters[forward + "_reverse"]}).index_select(0, orders.to_tile_order);
    };
    const torch::Tensor biases = both("bias_ih_l") + both("bias_hh_l");
    const torch::Tensor weights = both("weight_hh_l").view({2, kGates, kHidden});
    // What comes from below is the same for equal characters in the first layer.
    const torch::Tensor inputs = torch::linear(layer == 0 ? embedding : hidden, both("weight_ih_l"), biases);
    hidden = FusedLayer::apply(inputs, weights, rows, layer == 0, keep);
  }
  const std::int64_t strings = rows->last_rows().numel();
  return torch::cat({hidden.narrow(1, 0, kHidden).index_select(0, rows->last_rows()),
                     hidden.narrow(1, kHidden, kHidden).narrow(0, 0, strings)},
                    1);
}

}  // namespace conpole
