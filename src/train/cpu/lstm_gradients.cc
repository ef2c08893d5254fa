#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "nn/alphabet.h"
#include "nn/prefix_tree.h"
#include "train/cpu/encoder_gradients.h"

namespace conpole {
namespace {

// What a direction of a layer takes from below: rows, and for each of its nodes which of them.
struct Input {
  const WeightMatrix* weights = nullptr;
  Rows products;     // of the rows with the weights
  Rows of_products;  // their gradients
  std::vector<std::uint32_t> row_of_node;
};

// One direction of one layer: its weights, and what it keeps of a batch for the way back. Rows are nodes of the tree.
struct Direction {
  std::vector<Input> inputs;
  const WeightMatrix* recurrent = nullptr;
  std::size_t biases[2] = {0, 0};
  PrefixTree tree;
  Rows gates;
  Rows cells;
  Rows tanh_cells;
  Rows hidden;
  Rows of_hidden;
  Rows of_cells;
  Rows of_gates;
  std::vector<const float*> of_later;  // the gradients of the gates of all that come after a node, added up; null if none does
  Rows sums;                           // those of several
};

class LstmGradients final : public EncoderGradients {
 public:
  explicit LstmGradients(NetworkWeights& weights)
      : weights_(weights),
        hidden_(static_cast<std::size_t>(weights.architecture().size("hidden"))),
        embedding_size_(static_cast<std::size_t>(weights.architecture().size("embedding"))),
        characters_(CharacterCount(weights.architecture().alphabet)),
        embedding_at_(weights.PlaceOf("embedding.weight")) {
    for (int layer = 0; layer < weights.architecture().size("layers"); ++layer) {
      for (const bool reverse : {false, true}) {
        Direction& direction = layers_.emplace_back();
        const std::string suffix = fmt::format("_l{}{}", layer, reverse ? "_reverse" : "");
        direction.inputs.resize(layer == 0 ? 1 : 2);
        for (std::size_t i = 0; i < direction.inputs.size(); ++i) {
          direction.inputs[i].weights = &weights.Matrix("lstm.weight_ih" + suffix, i, direction.inputs.size());
        }
        direction.recurrent = &weights.Matrix("lstm.weight_hh" + suffix);
        direction.biases[0] = weights.PlaceOf("lstm.bias_ih" + suffix);
        direction.biases[1] = weights.PlaceOf("lstm.bias_hh" + suffix);
      }
    }
  }

  void Forward(std::span<const std::string_view> texts, Rows& out) override {
    texts_ = texts.size();
    bytes_.clear();
    for (const std::string_view text : texts) bytes_ += text;
    embedding_.Resize(characters_, embedding_size_);
    for (std::size_t i = 0; i < characters_; ++i) {
      std::copy_n(weights_[embedding_at_] + i * embedding_size_, embedding_size_, embedding_[i]);
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      // Above the first layer a character is seen with all of its text.
      layers_[i].tree.Build(texts, {.from_the_end = i % 2 != 0, .shares = i < 2});
      RunForward(i);
    }
    out.Clear(texts.size(), 2 * hidden_);
    ForEachLast([&](std::size_t text, std::size_t side, Direction& direction, std::size_t node) {
      std::copy_n(direction.hidden[node], hidden_, out[text] + side * hidden_);
    });
  }

  void Backward(const Rows& of_out, float* gradients) override {
    for (Direction& direction : layers_) direction.of_hidden.Clear(direction.tree.nodes(), hidden_);
    of_embedding_.Clear(characters_, embedding_size_);
    ForEachLast([&](std::size_t text, std::size_t side, Direction& direction, std::size_t node) {
      products_.Add(hidden_, of_out[text] + side * hidden_, direction.of_hidden[node]);
    });
    for (std::size_t i = layers_.size(); i-- > 0;) RunBackward(i, gradients);
    for (std::size_t i = 0; i < characters_; ++i) {
      products_.Add(embedding_size_, of_embedding_[i], gradients + embedding_at_ + i * embedding_size_);
    }
  }

 private:
  // The last nodes of all texts in both directions of the last layer.
  template <class Visit>
  void ForEachLast(const Visit& visit) {
    for (std::size_t side = 0; side < 2; ++side) {
      Direction& direction = layers_[layers_.size() - 2 + side];
      for (std::size_t text = 0; text < texts_; ++text) {
        const std::uint32_t node = direction.tree.last(text);
        if (node != PrefixTree::kNone) visit(text, side, direction, node);
      }
    }
  }

  // What input `k` of a direction's nodes is rows of: the characters, or the nodes of a direction of the layer below.
  Direction& Below(std::size_t i, std::size_t k) { return layers_[i - i % 2 - 2 + k]; }
  const Rows& RowsBelow(std::size_t i, std::size_t k) { return i < 2 ? embedding_ : Below(i, k).hidden; }
  Rows& GradientsBelow(std::size_t i, std::size_t k) { return i < 2 ? of_embedding_ : Below(i, k).of_hidden; }

  // 1. What the inputs add to the gates, once for each of their rows; 2. level by level, the cells.
  void RunForward(std::size_t i) {
    Direction& direction = layers_[i];
    const PrefixTree& tree = direction.tree;
    const std::size_t gates = 4 * hidden_;
    start_.Clear(2, gates);
    for (const std::size_t bias : direction.biases) products_.Add(gates, weights_[bias], start_[0]);
    for (std::size_t k = 0; k < direction.inputs.size(); ++k) {
      Input& input = direction.inputs[k];
      input.row_of_node.resize(tree.nodes());
      for (std::size_t node = 0; node < tree.nodes(); ++node) {
        const std::size_t position = tree.position(node);
        input.row_of_node[node] = i < 2 ? CharacterIndex(bytes_[position], characters_) : Below(i, k).tree.node_of(position);
      }
      const Rows& rows = RowsBelow(i, k);
      input.products.Resize(rows.count(), gates);
      products_.Multiply(
          input.weights->there, rows.count(), [&](std::size_t /*row*/) { return start_[k]; },
          [&](std::size_t row) { return rows[row]; }, [&](std::size_t row) { return input.products[row]; });
    }
    direction.gates.Resize(tree.nodes(), gates);
    for (Rows* const rows : {&direction.cells, &direction.tanh_cells, &direction.hidden}) rows->Resize(tree.nodes(), hidden_);
    zeros_.assign(hidden_, 0.0F);
    for (std::size_t level = 0; level < tree.levels(); ++level) {
      const std::size_t first = tree.first(level);
      const std::size_t count = tree.first(level + 1) - first;
      for (std::size_t node = first; node < first + count; ++node) {
        const std::vector<Input>& inputs = direction.inputs;
        float* const sum = direction.gates[node];
        std::copy_n(inputs[0].products[inputs[0].row_of_node[node]], gates, sum);
        if (inputs.size() == 2) products_.Add(gates, inputs[1].products[inputs[1].row_of_node[node]], sum);
      }
      if (level != 0) {
        const auto of_node = [&](std::size_t row) { return direction.gates[first + row]; };
        products_.Multiply(
            direction.recurrent->there, count, of_node,
            [&](std::size_t row) { return direction.hidden[tree.before(first + row)]; }, of_node);
      }
      for (std::size_t node = first; node < first + count; ++node) {
        const float* const before = level == 0 ? zeros_.data() : direction.cells[tree.before(node)];
        products_.kernels().forward(hidden_, direction.gates[node], before, direction.cells[node], direction.tanh_cells[node],
                                    direction.hidden[node]);
      }
    }
  }

  // The same backwards, after all that uses its hidden states.
  void RunBackward(std::size_t i, float* gradients) {
    Direction& direction = layers_[i];
    const PrefixTree& tree = direction.tree;
    const std::size_t gates = 4 * hidden_;
    direction.of_gates.Resize(tree.nodes(), gates);
    direction.of_cells.Resize(tree.nodes(), hidden_);
    direction.sums.Resize(tree.nodes() / 2, gates);  // a node that has one has two after it
    direction.of_later.assign(tree.nodes(), nullptr);
    std::size_t sums = 0;
    with_later_.clear();
    for (std::size_t level = tree.levels(); level-- > 0;) {
      const std::size_t first = tree.first(level);
      const std::size_t end = tree.first(level + 1);
      const std::size_t later_end = level + 1 == tree.levels() ? end : tree.first(level + 2);
      const std::size_t first_with_later = with_later_.size();
      std::size_t later = end;
      for (std::size_t node = first; node < end; ++node) {
        const std::size_t later_begin = later;
        while (later < later_end && tree.before(later) == node) ++later;
        float* const of_cell = direction.of_cells[node];
        if (later == later_begin) {
          std::fill_n(of_cell, hidden_, 0.0F);
          continue;
        }
        with_later_.push_back(node);
        std::copy_n(direction.of_cells[later_begin], hidden_, of_cell);
        direction.of_later[node] = direction.of_gates[later_begin];
        if (later == later_begin + 1) continue;
        float* const sum = direction.sums[sums++];
        std::copy_n(direction.of_gates[later_begin], gates, sum);
        for (std::size_t other = later_begin + 1; other < later; ++other) {
          products_.Add(hidden_, direction.of_cells[other], of_cell);
          products_.Add(gates, direction.of_gates[other], sum);
        }
        direction.of_later[node] = sum;
      }
      const auto node_at = [&](std::size_t row) { return with_later_[first_with_later + row]; };
      const auto of_hidden = [&](std::size_t row) { return direction.of_hidden[node_at(row)]; };
      products_.Multiply(
          direction.recurrent->back, with_later_.size() - first_with_later, of_hidden,
          [&](std::size_t row) { return direction.of_later[node_at(row)]; }, of_hidden);
      for (std::size_t node = first; node < end; ++node) {
        const float* const before = level == 0 ? zeros_.data() : direction.cells[tree.before(node)];
        products_.kernels().backward(hidden_, direction.gates[node], before, direction.tanh_cells[node],
                                     direction.of_hidden[node], direction.of_cells[node], direction.of_gates[node]);
      }
    }
    products_.AddGradient(
        *direction.recurrent, with_later_.size(), [&](std::size_t row) { return direction.of_later[with_later_[row]]; },
        [&](std::size_t row) { return direction.hidden[with_later_[row]]; }, gradients);
    for (std::size_t k = 0; k < direction.inputs.size(); ++k) {
      Input& input = direction.inputs[k];
      const Rows& rows = RowsBelow(i, k);
      Rows& of_rows = GradientsBelow(i, k);
      Rows& of_products = input.of_products;
      of_products.Clear(rows.count(), gates);
      for (std::size_t node = 0; node < tree.nodes(); ++node) {
        products_.Add(gates, direction.of_gates[node], of_products[input.row_of_node[node]]);
      }
      if (k == 0) {
        for (const std::size_t bias : direction.biases) {
          for (std::size_t row = 0; row < rows.count(); ++row) products_.Add(gates, of_products[row], gradients + bias);
        }
      }
      const auto of_product = [&](std::size_t row) { return of_products[row]; };
      const auto of_row = [&](std::size_t row) { return of_rows[row]; };
      products_.AddGradient(
          *input.weights, rows.count(), of_product, [&](std::size_t row) { return rows[row]; }, gradients);
      products_.Multiply(input.weights->back, rows.count(), of_row, of_product, of_row);
    }
  }

  const NetworkWeights& weights_;
  std::size_t hidden_;
  std::size_t embedding_size_;
  std::size_t characters_;
  std::size_t embedding_at_;
  std::vector<Direction> layers_;  // forwards and backwards by turns
  RowProducts products_;
  std::size_t texts_ = 0;
  std::string bytes_;  // of all texts
  Rows embedding_;
  Rows of_embedding_;
  Rows start_;
  std::vector<float> zeros_;
  std::vector<std::size_t> with_later_;  // nodes that others come after
};

}  // namespace

std::unique_ptr<EncoderGradients> MakeLstmGradients(NetworkWeights& weights) {
  return std::make_unique<LstmGradients>(weights);
}

}  // namespace conpole
