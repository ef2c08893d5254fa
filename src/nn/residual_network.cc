#include "nn/residual_network.h"

#include <algorithm>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::size_t kTileRows = 48;
constexpr std::size_t kSliceWidth = 256;

std::size_t SizeOf(const Architecture& architecture, const char* name) {
  return static_cast<std::size_t>(architecture.size(name));
}

std::vector<TensorShape> ResidualTensorShapes(const Architecture& architecture) {
  const std::size_t wide = SizeOf(architecture, "wide");
  const std::size_t hidden = SizeOf(architecture, "hidden");
  std::vector<TensorShape> shapes{{"input.weight", {wide, SizeOf(architecture, "cells") * SizeOf(architecture, "colours")}},
                                  {"input.bias", {wide}},
                                  {"narrow.weight", {hidden, wide}},
                                  {"narrow.bias", {hidden}}};
  for (std::size_t k = 0; k < SizeOf(architecture, "blocks"); ++k) {
    for (const int layer : {0, 2}) {
      shapes.push_back({fmt::format("block.{}.{}.weight", k, layer), {hidden, hidden}});
      shapes.push_back({fmt::format("block.{}.{}.bias", k, layer), {hidden}});
    }
  }
  return shapes;
}

const Model& CheckedResidual(const Model& model) {
  if (model.architecture.kind != ResidualKind().name) {
    throw Error(fmt::format("the network is of kind {}, not {}", model.architecture.kind, ResidualKind().name));
  }
  CheckTensors(model);
  return model;
}

std::size_t RoundedUp(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

void Relu(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = std::max(values[i], 0.0F);
}

}  // namespace

const NetworkKind& ResidualKind() {
  static const NetworkKind kind{
      .name = "residual",
      .meaning = "residual blocks over the cells of states of a fixed layout, a log-preference per action",
      .sizes = {{"wide", "Size of the first layer", 16'384, 1664},
                {"hidden", "Size of a vector", 4096, 640},
                {"blocks", "Residual blocks of two layers each", 64, 4},
                {"cells", "Cells of a state", 256, 1, true},
                {"colours", "Colours that a cell can have", 256, 1, true},
                {"actions", "Actions of a state", 256, 1, true}},
      .vector_size = [](const Architecture& architecture) { return SizeOf(architecture, "hidden"); },
      .fan_in = [](const Architecture& architecture) { return architecture.size("hidden"); },
      .tensor_shapes = ResidualTensorShapes,
      .make_encoder = nullptr};
  return kind;
}

ResidualNetwork::ResidualNetwork(const Model& model, Products products, const Kernels& kernels)
    : kernels_(kernels),
      cells_(SizeOf(CheckedResidual(model).architecture, "cells")),
      colours_(SizeOf(model.architecture, "colours")),
      wide_(SizeOf(model.architecture, "wide")),
      padded_wide_(RoundedUp(wide_, kSliceWidth)),
      actions_(SizeOf(model.architecture, "actions")),
      has_values_(model.architecture.head == Head::kActionsAndValue),
      input_bias_(model.tensors.at("input.bias").values),
      narrow_(model, "narrow"),
      action_(MakeOutput(model)) {
  input_bias_.resize(padded_wide_, 0.0F);
  const std::size_t rows = cells_ * colours_;
  const std::vector<float>& weights = model.tensors.at("input.weight").values;
  input_.assign(rows * padded_wide_, 0.0F);
  for (std::size_t column = 0; column < wide_; ++column) {
    float* const to = input_.data() + column / kSliceWidth * rows * kSliceWidth + column % kSliceWidth;
    for (std::size_t row = 0; row < rows; ++row) to[row * kSliceWidth] = weights[column * rows + row];
  }
  for (std::size_t k = 0; k < SizeOf(model.architecture, "blocks"); ++k) {
    for (const int layer : {0, 2}) blocks_.emplace_back(model, fmt::format("block.{}.{}", k, layer));
  }
  if (products == Products::kFloats || kernels_.multiply_bytes == nullptr) return;
  narrow_.bytes = ByteMatrix(narrow_.matrix);
  for (LinearLayer& layer : blocks_) layer.bytes = ByteMatrix(layer.matrix);
  products_ = Products::kBytes;
}

LinearLayer ResidualNetwork::MakeOutput(const Model& model) const {
  if (!has_values_) return {model, "action"};
  const auto joined = [&](const char* what) {
    std::vector<float> both = model.tensors.at(fmt::format("action.{}", what)).values;
    const std::vector<float>& value = model.tensors.at(fmt::format("value.{}", what)).values;
    both.insert(both.end(), value.begin(), value.end());
    return both;
  };
  return {joined("weight"), joined("bias")};
}

std::size_t ResidualNetwork::products() const {
  std::size_t sum = cells_ * wide_;
  const auto add = [&](const LinearLayer& linear) { sum += linear.matrix.width() * linear.matrix.depth(); };
  add(narrow_);
  for (const LinearLayer& linear : blocks_) add(linear);
  add(action_);
  return sum;
}

void ResidualNetwork::ForEachTile(std::size_t count, ThreadPool& pool,
                                  const std::function<void(std::size_t, std::size_t)>& work) const {
  // All threads get as many tiles, and of about one size.
  const std::size_t tiles = RoundedUp((count + kTileRows - 1) / kTileRows, pool.size());
  const std::size_t tile_rows = std::max<std::size_t>(1, (count + tiles - 1) / std::max<std::size_t>(1, tiles));
  pool.For((count + tile_rows - 1) / tile_rows,
           [&](std::size_t tile) { work(tile * tile_rows, std::min(count - tile * tile_rows, tile_rows)); });
}

void ResidualNetwork::Score(std::span<const std::uint8_t> states, std::span<float> preferences, ThreadPool& pool,
                            std::span<float> values, Products products) const {
  if (products_ == Products::kFloats) products = Products::kFloats;
  ForEachTile(states.size() / cells_, pool, [&](std::size_t first, std::size_t count) {
    const float* const hidden = RunTile(states.data() + first * cells_, count, products);
    const std::size_t width = action_.matrix.padded_width();
    std::vector<float> result(count * width);
    action_.Run(kernels_, hidden, narrow_.matrix.padded_width(), count, result.data());
    for (std::size_t r = 0; r < count; ++r) {
      std::copy_n(result.data() + r * width, actions_, preferences.data() + (first + r) * actions_);
      if (!values.empty()) values[first + r] = result[r * width + actions_];
    }
  });
}

void ResidualNetwork::Encode(std::span<const std::uint8_t> states, std::span<float> vectors, ThreadPool& pool) const {
  ForEachTile(states.size() / cells_, pool, [&](std::size_t first, std::size_t count) {
    const float* const hidden = RunTile(states.data() + first * cells_, count, Products::kFloats);
    for (std::size_t r = 0; r < count; ++r) {
      std::copy_n(hidden + r * narrow_.matrix.padded_width(), vector_size(), vectors.data() + (first + r) * vector_size());
    }
  });
}

const float* ResidualNetwork::RunTile(const std::uint8_t* states, std::size_t count, Products products) const {
  const std::size_t width = narrow_.matrix.padded_width();
  thread_local std::vector<float> wide;
  thread_local std::vector<float> hidden;
  thread_local std::vector<float> middle;
  thread_local std::vector<float> result;
  wide.resize(count * padded_wide_);
  hidden.resize(count * width);
  middle.resize(count * width);
  result.resize(count * width);
  Input(states, count, wide.data());
  const auto run = [&](const LinearLayer& layer, const std::vector<float>& in, std::size_t in_stride, std::vector<float>& out) {
    const auto method = products == Products::kBytes ? &LinearLayer::RunInBytes : &LinearLayer::Run;
    (layer.*method)(kernels_, in.data(), in_stride, count, out.data());
  };
  run(narrow_, wide, padded_wide_, hidden);
  Relu(hidden.data(), count * width);
  for (std::size_t k = 0; k < blocks_.size(); k += 2) {
    run(blocks_[k], hidden, width, middle);
    Relu(middle.data(), count * width);
    run(blocks_[k + 1], middle, width, result);
    for (std::size_t i = 0; i < count * width; ++i) hidden[i] = std::max(hidden[i] + result[i], 0.0F);
  }
  return hidden.data();
}

void ResidualNetwork::Input(const std::uint8_t* states, std::size_t count, float* out) const {
  thread_local std::vector<const float*> rows;
  rows.resize(cells_);
  for (std::size_t slice = 0; slice * kSliceWidth < padded_wide_; ++slice) {
    const float* const table = input_.data() + slice * cells_ * colours_ * kSliceWidth;
    for (std::size_t r = 0; r < count; ++r) {
      const std::uint8_t* const state = states + r * cells_;
      for (std::size_t cell = 0; cell < cells_; ++cell) rows[cell] = table + (cell * colours_ + state[cell]) * kSliceWidth;
      float* const to = out + r * padded_wide_ + slice * kSliceWidth;
      kernels_.sum_rows(kSliceWidth, input_bias_.data() + slice * kSliceWidth, rows.data(), cells_, to);
      Relu(to, kSliceWidth);
    }
  }
}

ResidualEncoder::ResidualEncoder(const Model& model, const FixedLayout& layout)
    : ResidualEncoder(std::make_shared<const ResidualNetwork>(model), layout) {
  if (layout.cells != network_->cells() || static_cast<int>(layout.colours) != model.architecture.size("colours")) {
    throw Error("the model is for states of another layout");
  }
}

void ResidualEncoder::Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const {
  const std::size_t length = layout_.unpack(layout_.solved.data()).size();
  std::vector<std::uint8_t> states(texts.size() * layout_.cells);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::uint8_t* const cells = states.data() + i * layout_.cells;
    const auto is_known = [&](std::uint8_t colour) { return colour < layout_.colours; };
    if (texts[i].size() == length) layout_.pack(texts[i], cells);
    if (texts[i].size() != length || !std::all_of(cells, cells + layout_.cells, is_known) ||
        layout_.unpack(cells) != texts[i]) {
      throw Error(fmt::format("{} is not a state that the model reads", Shown(texts[i])));
    }
  }
  network_->Encode(states, vectors, pool);
}

}  // namespace conpole
