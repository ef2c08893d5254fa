// The kind "lstm", and its engine on the CPU, which reads a model once and is immutable from then on.
//
// The network: characters -> embedding -> stacked bidirectional LSTM layers -> the last hidden state of each direction of the
// last layer, concatenated -> two linear layers with ReLU between them = the vector of a text.
//
// Tensors, with E = embedding, H = hidden, D = 2 * H, L = layers and V = characters (nn/alphabet.h; LSTM gates in the order
// input, forget, cell, output, each of H rows, as PyTorch has them):
//   embedding.weight                                    V x E
//   lstm.weight_ih_lK, lstm.weight_ih_lK_reverse        4H x (K == 0 ? E : D)     for K in 0..L-1
//   lstm.weight_hh_lK, lstm.weight_hh_lK_reverse        4H x H
//   lstm.bias_ih_lK, lstm.bias_hh_lK (and _reverse)     4H
//   mlp.0.weight, mlp.2.weight                          D x D
//   mlp.0.bias, mlp.2.bias                              D
//
// Work is done in tiles of some tens of strings, sorted by length, so that at every character the strings that are still
// running stand at the front and nothing is computed for those that have ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "nn/architecture.h"
#include "nn/encoder.h"
#include "nn/kernels.h"
#include "nn/mlp.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "util/thread_pool.h"

namespace conpole {

const NetworkKind& LstmKind();

// The sizes of the paper's network, unless others are given.
struct LstmSizes {
  int embedding = 64;
  int hidden = 256;
  int layers = 2;
};
Architecture Lstm(const LstmSizes& sizes = {}, Head head = Head::kBilinear);

// What of the network the vectors of an engine are: what it ends with, or the last hidden states of its last LSTM layer.
enum class LstmOutput : std::uint8_t { kVector, kHiddenStates };

class LstmEncoder final : public Encoder {
 public:
  // Throws Error if the model is of another kind or its tensors are not those of its architecture.
  explicit LstmEncoder(const Model& model, const Kernels& kernels = Kernels::Best(), LstmOutput output = LstmOutput::kVector);

  std::size_t vector_size() const override { return 2 * hidden_; }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const override;

  // Multiplications and additions that encoding a string of this length takes.
  double OperationsPerString(std::size_t characters) const;

 private:
  // One direction of one LSTM layer. The first layer sees only characters: what a character adds to the gates is looked up.
  struct Direction {
    std::vector<std::vector<float>> start_of_character;  // first layer
    std::vector<float> start;                            // other layers: the biases
    PackedMatrix input;                                  // other layers
    PackedMatrix recurrent;
  };
  class Tile;

  Direction MakeDirection(const Model& model, int layer, bool reverse) const;

  const Kernels& kernels_;
  std::size_t hidden_;
  std::size_t characters_;
  LstmOutput output_;
  std::vector<Direction> forward_;   // per layer
  std::vector<Direction> backward_;  // per layer
  Mlp mlp_;
};

}  // namespace conpole
