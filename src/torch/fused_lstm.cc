#include "torch/fused_lstm.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include <ATen/cuda/CUDAContext.h>

#include "conpole/error.h"
#include "torch/fused_lstm_kernels.h"

namespace conpole {
namespace {

constexpr std::int64_t kHidden = FusedLstm::kHidden;
constexpr std::int64_t kGates = FusedLstm::kGates;

}  // namespace

// Where what the kernels want lies in a vector of all weights of the layers, of each layer and direction those of the inputs,
// the recurrent ones, and both biases: one selection puts them into their order, another one takes gradients back. On one
// device.
class FusedLayers::WeightOrder {
 public:
  // The parts of the vector in the kernels' order, by layer. Gates are in tile order everywhere, those of both directions
  // together.
  struct Layer {
    std::int64_t inputs;         // columns of the weights of the inputs
    std::int64_t input_weights;  // where they begin: 2 * kGates x inputs
    std::int64_t forward;        // recurrent, as the forward kernel takes them: 2 x kGates x kHidden
    std::int64_t backward;       // and the backward kernel
    // In the vector of gradients.
    std::int64_t input_gradients;
    std::int64_t recurrent_gradients;  // 2 x kGates x kHidden
    std::int64_t bias_gradients;       // 2 * kGates
  };

  WeightOrder(std::int64_t layers, std::int64_t embedding, const torch::Device& device) {
    std::vector<std::int32_t> arranged;
    std::vector<std::int32_t> first_biases;
    std::vector<std::int32_t> second_biases;
    std::vector<std::int32_t> back;
    std::int64_t gradients = 0;
    std::int64_t begin = 0;
    for (std::int64_t l = 0; l < layers; ++l) {
      const std::int64_t inputs = l == 0 ? embedding : 2 * kHidden;
      const std::int64_t of_direction = kGates * (inputs + kHidden + 2);
      const auto input_weight = [&](std::int64_t direction, std::int64_t gate, std::int64_t column) {
        return static_cast<std::int32_t>(begin + direction * of_direction + gate * inputs + column);
      };
      const auto recurrent_weight = [&](std::int64_t direction, std::int64_t gate, std::int64_t column) {
        return static_cast<std::int32_t>(begin + direction * of_direction + kGates * inputs + gate * kHidden + column);
      };
      const auto bias = [&](std::int64_t direction, std::int64_t which, std::int64_t gate) {
        return static_cast<std::int32_t>(begin + direction * of_direction + kGates * (inputs + kHidden + which) + gate);
      };
      Layer layer{};
      layer.inputs = inputs;
      layer.input_weights = static_cast<std::int64_t>(arranged.size());
      for (std::int64_t direction = 0; direction < 2; ++direction) {
        for (const std::int64_t gate : gates_in_tile_order()) {
          for (std::int64_t column = 0; column < inputs; ++column) arranged.push_back(input_weight(direction, gate, column));
          first_biases.push_back(bias(direction, 0, gate));
          second_biases.push_back(bias(direction, 1, gate));
        }
      }
      layer.forward = static_cast<std::int64_t>(arranged.size());
      for (std::int64_t direction = 0; direction < 2; ++direction) {
        for (int row = 0; row < FusedLstm::kGates; ++row) {
          const std::int64_t gate = gates_in_tile_order()[static_cast<std::size_t>(FusedLstm::ForwardWeightRow(row))];
          for (std::int64_t column = 0; column < kHidden; ++column)
            arranged.push_back(recurrent_weight(direction, gate, column));
        }
      }
      layer.backward = static_cast<std::int64_t>(arranged.size());
      for (std::int64_t direction = 0; direction < 2; ++direction) {
        for (const std::int64_t gate : gates_in_tile_order()) {
          for (int column = 0; column < FusedLstm::kHidden; ++column) {
            arranged.push_back(recurrent_weight(direction, gate, FusedLstm::UnitOfColumn(column)));
          }
        }
      }
      layer.input_gradients = gradients;
      layer.recurrent_gradients = layer.input_gradients + 2 * kGates * inputs;
      layer.bias_gradients = layer.recurrent_gradients + 2 * kGates * kHidden;
      gradients = layer.bias_gradients + 2 * kGates;
      back.resize(static_cast<std::size_t>(begin + 2 * of_direction));
      for (std::int64_t direction = 0; direction < 2; ++direction) {
        for (std::int64_t place = 0; place < kGates; ++place) {
          const std::int64_t gate = gates_in_tile_order()[static_cast<std::size_t>(place)];
          const std::int64_t row = direction * kGates + place;
          const auto put = [&](std::int32_t to, std::int64_t from) {
            back[static_cast<std::size_t>(to)] = static_cast<std::int32_t>(from);
          };
          for (std::int64_t column = 0; column < inputs; ++column) {
            put(input_weight(direction, gate, column), layer.input_gradients + row * inputs + column);
          }
          for (std::int64_t column = 0; column < kHidden; ++column) {
            put(recurrent_weight(direction, gate, column), layer.recurrent_gradients + row * kHidden + column);
          }
          for (const std::int64_t which : {0, 1}) put(bias(direction, which, gate), layer.bias_gradients + row);
        }
      }
      begin += 2 * of_direction;
      layers_.push_back(layer);
    }
    biases_ = static_cast<std::int64_t>(arranged.size());
    arranged.insert(arranged.end(), first_biases.begin(), first_biases.end());
    arranged.insert(arranged.end(), second_biases.begin(), second_biases.end());
    gradients_ = gradients;
    to_kernels_ = torch::tensor(arranged, torch::kInt32).to(device);
    from_kernels_ = torch::tensor(back, torch::kInt32).to(device);
  }

  // The one for layers of these sizes. Any thread may ask.
  static const WeightOrder* Of(std::int64_t layers, std::int64_t embedding, const torch::Device& device) {
    static std::mutex mutex;
    static std::map<std::tuple<std::int64_t, std::int64_t, std::string>, WeightOrder> known;
    const std::lock_guard lock(mutex);
    return &known.try_emplace({layers, embedding, device.str()}, layers, embedding, device).first->second;
  }

  const std::vector<Layer>& layers() const { return layers_; }
  std::int64_t gradients() const { return gradients_; }
  torch::Tensor ToKernels(const torch::Tensor& weights) const { return weights.index_select(0, to_kernels_); }
  torch::Tensor FromKernels(const torch::Tensor& gradients) const { return gradients.index_select(0, from_kernels_); }
  // The sums of both biases, 2 * kGates for each layer, of the weights in the kernels' order.
  torch::Tensor Biases(const torch::Tensor& arranged) const {
    const std::int64_t size = 2 * kGates * static_cast<std::int64_t>(layers_.size());
    return arranged.narrow(0, biases_, size) + arranged.narrow(0, biases_ + size, size);
  }

 private:
  static const std::vector<std::int64_t>& gates_in_tile_order() {
    static const std::vector<std::int64_t> gates = [] {
      std::vector<std::int64_t> order(kGates);
      for (int gate = 0; gate < 4; ++gate) {
        for (int unit = 0; unit < FusedLstm::kHidden; ++unit) {
          order[static_cast<std::size_t>(FusedLstm::GateColumn(gate, unit))] = gate * kHidden + unit;
        }
      }
      return order;
    }();
    return gates;
  }

  std::vector<Layer> layers_;
  std::int64_t biases_ = 0;
  std::int64_t gradients_ = 0;
  torch::Tensor to_kernels_;
  torch::Tensor from_kernels_;
};

// Which rows of the packed characters belong to which strings, on the device.
class FusedLayers::PackedRows {
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

namespace {

FusedLstm::Type TypeOf(const torch::Tensor& tensor) {
  return tensor.scalar_type() == torch::kFloat16 ? FusedLstm::Type::kFloat16 : FusedLstm::Type::kBFloat16;
}

void Check(const char* error) {
  if (error != nullptr) throw Error(std::string("the GPU failed: ") + error);
}

}  // namespace

struct FusedLayers::Kept {
  torch::Tensor below;  // what the layer reads: vectors of characters, or the hidden states of the layer below
  torch::Tensor hidden_before;
  torch::Tensor cells;
  torch::Tensor gates;
};

bool FusedLayers::CanRun(std::int64_t hidden, const torch::Tensor& weights) {
  static const bool is_supported = FusedLstm::IsSupported();
  const bool is_half = weights.scalar_type() == torch::kFloat16 || weights.scalar_type() == torch::kBFloat16;
  return weights.is_cuda() && is_half && hidden == kHidden && is_supported;
}

FusedLayers::FusedLayers(std::int64_t layers, torch::Tensor embedding, const torch::Tensor& weights)
    : order_(WeightOrder::Of(layers, embedding.size(1), embedding.device())),
      embedding_(std::move(embedding)),
      arranged_(order_->ToKernels(weights)),
      biases_(order_->Biases(arranged_)) {}

FusedLayers::~FusedLayers() = default;

torch::Tensor FusedLayers::InputWeights(std::size_t layer) const {
  const WeightOrder::Layer& place = order_->layers()[layer];
  return arranged_.narrow(0, place.input_weights, 2 * kGates * place.inputs).view({2 * kGates, place.inputs});
}

torch::Tensor FusedLayers::Forward(const torch::Tensor& characters, const torch::Tensor& batch_sizes, bool keep) {
  rows_ = std::make_unique<PackedRows>(characters, batch_sizes);
  kept_.clear();
  const auto make = [&](std::int64_t columns) { return torch::empty({rows_->rows(), columns}, arranged_.options()); };
  torch::Tensor hidden;
  for (std::size_t i = 0; i < order_->layers().size(); ++i) {
    // What comes from below is the same for equal characters in the first layer.
    const torch::Tensor below = i == 0 ? embedding_ : hidden;
    const torch::Tensor inputs =
        torch::addmm(biases_.narrow(0, static_cast<std::int64_t>(i) * 2 * kGates, 2 * kGates), below, InputWeights(i).t());
    hidden = make(2 * kHidden);
    FusedLstm::ForwardArguments arguments;
    arguments.strings = rows_->strings();
    arguments.inputs = inputs.data_ptr();
    arguments.characters = i == 0 ? rows_->characters().data_ptr<std::uint8_t>() : nullptr;
    arguments.weights = arranged_.narrow(0, order_->layers()[i].forward, 1).data_ptr();
    arguments.hidden = hidden.data_ptr();
    if (keep) {
      const Kept& kept = kept_.emplace_back(Kept{below, make(2 * kHidden), make(2 * kHidden), make(2 * kGates)});
      arguments.hidden_before = kept.hidden_before.data_ptr();
      arguments.cells = kept.cells.data_ptr();
      arguments.gates = kept.gates.data_ptr();
    }
    Check(FusedLstm::Forward(TypeOf(arranged_), arguments, at::cuda::getCurrentCUDAStream().stream()));
  }
  return torch::cat({hidden.narrow(1, 0, kHidden).index_select(0, rows_->last_rows()),
                     hidden.narrow(1, kHidden, kHidden).narrow(0, 0, rows_->last_rows().numel())},
                    1);
}

FusedLayers::Gradients FusedLayers::Backward(const torch::Tensor& last) const {
  torch::Tensor hidden_gradients = torch::zeros({rows_->rows(), 2 * kHidden}, arranged_.options());
  hidden_gradients.narrow(1, 0, kHidden).index_copy_(0, rows_->last_rows(), last.narrow(1, 0, kHidden));
  hidden_gradients.narrow(1, kHidden, kHidden).narrow(0, 0, last.size(0)).copy_(last.narrow(1, kHidden, kHidden));

  const torch::Tensor all = torch::empty({order_->gradients()}, arranged_.options());
  const auto part = [&](std::int64_t begin, std::int64_t height, std::int64_t width) {
    return all.narrow(0, begin, height * width).view({height, width});
  };
  torch::Tensor embedding_gradients;
  for (std::size_t i = kept_.size(); i-- > 0;) {
    const Kept& kept = kept_[i];
    const WeightOrder::Layer& layer = order_->layers()[i];
    const torch::Tensor gate_gradients = torch::empty_like(kept.gates);
    FusedLstm::BackwardArguments arguments;
    arguments.strings = rows_->strings();
    arguments.weights = arranged_.narrow(0, layer.backward, 1).data_ptr();
    arguments.hidden_gradients = hidden_gradients.data_ptr();
    arguments.cells = kept.cells.data_ptr();
    arguments.gates = kept.gates.data_ptr();
    arguments.input_gradients = gate_gradients.data_ptr();
    Check(FusedLstm::Backward(TypeOf(arranged_), arguments, at::cuda::getCurrentCUDAStream().stream()));

    for (std::int64_t direction = 0; direction < 2; ++direction) {
      torch::Tensor recurrent = part(layer.recurrent_gradients + direction * kGates * kHidden, kGates, kHidden);
      torch::mm_out(recurrent, gate_gradients.narrow(1, direction * kGates, kGates).t(),
                    kept.hidden_before.narrow(1, direction * kHidden, kHidden));
    }
    torch::Tensor input_gradients = gate_gradients;
    if (i == 0) {
      // Sums over equal characters, as a product: that is faster than adding rows up one by one.
      const torch::Tensor& characters = rows_->characters();
      const torch::Tensor is_character = characters.unsqueeze(1) == torch::arange(embedding_.size(0), characters.options());
      input_gradients = torch::mm(is_character.to(arranged_.scalar_type()).t(), gate_gradients);
    }
    torch::Tensor input_weights = part(layer.input_gradients, 2 * kGates, layer.inputs);
    torch::mm_out(input_weights, input_gradients.t(), kept.below);
    torch::Tensor biases = all.narrow(0, layer.bias_gradients, 2 * kGates);
    torch::sum_out(biases, input_gradients, {0});
    const torch::Tensor below = torch::mm(input_gradients, InputWeights(i));
    (i == 0 ? embedding_gradients : hidden_gradients) = below;
  }
  return {embedding_gradients, order_->FromKernels(all)};
}

}  // namespace conpole
