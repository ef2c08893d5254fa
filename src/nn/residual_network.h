// The kind "residual", for states of a fixed layout (conpole/fixed_layout.h), and its engine on the CPU, which reads a model
// once and is immutable from then on: any thread may use it.
//
// The network: every cell adds what its colour stands for, and ReLU makes that the wide layer; a linear layer and ReLU lead to
// the hidden size; each block adds two linear layers, with ReLU between them, to what it is given, and ReLU follows; a linear
// function per action gives the log-preferences, and with the head "actions+value" one more says how far the state is. Whatever
// normalises while it learns is folded into these weights when a model is written.
//
// Tensors, with N = cells, C = colours, W = wide, H = hidden, A = actions:
//   input.weight                      W x NC   column cell * C + colour
//   input.bias                        W
//   narrow.weight, narrow.bias        H x W, H
//   block.K.0.weight, block.K.2.weight  H x H  for K in 0..blocks-1
//   block.K.0.bias, block.K.2.bias    H
//   action.weight, action.bias        A x H, A
//   value.weight, value.bias          1 x H, 1  with the head "actions+value"
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conpole/fixed_layout.h"
#include "conpole/packed_policy.h"
#include "nn/architecture.h"
#include "nn/encoder.h"
#include "nn/kernels.h"
#include "nn/mlp.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "util/large_pages.h"
#include "util/thread_pool.h"

namespace conpole {

const NetworkKind& ResidualKind();

// What the products of a network are made in when it scores. In bytes, where the processor has them (nn/kernels.h), searches
// are about three times as fast, with scores that differ a little. Elsewhere there are floats in either case.
enum class Products : std::uint8_t { kFloats, kBytes };

class ResidualNetwork {
 public:
  // Throws Error if the model is of another kind or its tensors are not those of its architecture.
  explicit ResidualNetwork(const Model& model, Products products = Products::kFloats, const Kernels& kernels = Kernels::Best());

  std::size_t cells() const { return cells_; }
  std::size_t actions() const { return actions_; }
  // Multiplications of matrix products that a state takes.
  std::size_t products() const;

  bool has_values() const { return has_values_; }
  // Writes a log-preference per action for each state, and how far it is unless `values` is empty; a state's do not depend on
  // the others, to the bit. The products are in bytes only if the network was made for that.
  void Score(std::span<const std::uint8_t> states, std::span<float> preferences, ThreadPool& pool, std::span<float> values = {},
             Products products = Products::kBytes) const;
  // Writes what the last block gives for each state, in floats: vector_size() of them.
  void Encode(std::span<const std::uint8_t> states, std::span<float> vectors, ThreadPool& pool) const;
  std::size_t vector_size() const { return narrow_.matrix.width(); }

 private:
  LinearLayer MakeOutput(const Model& model) const;
  // Calls work(first state, states) for all tiles.
  void ForEachTile(std::size_t count, ThreadPool& pool, const std::function<void(std::size_t, std::size_t)>& work) const;
  // The rows that the last block gives, each padded; they stay valid until the thread's next call.
  const float* RunTile(const std::uint8_t* states, std::size_t count, Products products) const;
  void Input(const std::uint8_t* states, std::size_t count, float* out) const;

  const Kernels& kernels_;
  std::size_t cells_;
  std::size_t colours_;
  std::size_t wide_;
  std::size_t padded_wide_;
  std::size_t actions_;
  bool has_values_;
  Products products_ = Products::kFloats;  // of scores
  // What a colour of a cell adds to the wide layer, in slices of kSliceWidth columns, so that a slice stays in the cache while
  // all states of a tile go through it: per slice a row per cell and colour.
  LargeVector<float> input_;
  std::vector<float> input_bias_;
  LinearLayer narrow_;
  std::vector<LinearLayer> blocks_;  // two each
  LinearLayer action_;               // and the value, in the last column, if there is one
};

// It as an encoder of texts: those of states of a layout, which must outlive it. Throws Error for any other text.
class ResidualEncoder final : public Encoder {
 public:
  ResidualEncoder(const Model& model, const FixedLayout& layout);
  // The network must be one for states of the layout.
  ResidualEncoder(std::shared_ptr<const ResidualNetwork> network, const FixedLayout& layout)
      : network_(std::move(network)), layout_(layout) {}

  std::size_t vector_size() const override { return network_->vector_size(); }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const override;

 private:
  std::shared_ptr<const ResidualNetwork> network_;
  const FixedLayout& layout_;
};

// It as searches take it; many policies may share one network. The pool must outlive it; one thread at a time.
class ResidualPolicy final : public PackedPolicy {
 public:
  ResidualPolicy(const Model& model, ThreadPool& pool, Products products = Products::kFloats)
      : ResidualPolicy(std::make_shared<const ResidualNetwork>(model, products), pool) {}
  ResidualPolicy(std::shared_ptr<const ResidualNetwork> network, ThreadPool& pool, Products products = Products::kBytes)
      : network_(std::move(network)), pool_(pool), products_(products) {}

  std::size_t cells() const override { return network_->cells(); }
  std::size_t actions() const override { return network_->actions(); }
  void Score(std::span<const std::uint8_t> states, std::span<float> preferences) override {
    network_->Score(states, preferences, pool_, {}, products_);
  }
  bool has_values() const override { return network_->has_values(); }
  void ScoreWithValues(std::span<const std::uint8_t> states, std::span<float> preferences, std::span<float> values) override {
    network_->Score(states, preferences, pool_, values, products_);
  }
  // A tenth of a second or two.
  std::size_t StatesAtATime() const override { return 1024 * pool_.size(); }

 private:
  std::shared_ptr<const ResidualNetwork> network_;
  ThreadPool& pool_;
  Products products_;
};

}  // namespace conpole
