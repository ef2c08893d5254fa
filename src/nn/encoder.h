// The runtime engine: turns states into vectors and scores on the CPU. Reads a model once, then is immutable: Encode may be
// called from several threads, each with a pool of its own.
//
// Work is done in tiles of some tens of strings, sorted by length, so that at every character the strings that are still
// running stand at the front and nothing is computed for those that have ended. The vector of a string does not depend on its
// batch.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "nn/kernels.h"
#include "nn/model.h"
#include "util/thread_pool.h"

namespace conpole {

class Encoder {
 public:
  // Throws Error if the model's tensors do not fit its architecture, or its hidden size is not a multiple of 8.
  explicit Encoder(const Model& model, const Kernels& kernels = Kernels::Best());

  const Architecture& architecture() const { return architecture_; }
  std::size_t vector_size() const { return static_cast<std::size_t>(architecture_.vector_size()); }

  // Writes the vectors of all texts, one after the other: vector_size() floats each.
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const;

  // W phi(s), with which the score of a candidate c is a dot product: score(s, c) = phi(c) . Project(phi(s)). Bilinear head
  // only.
  void Project(std::span<const float> vector, std::span<float> projected) const;
  // The value of a state from its vector. Value head only.
  float Value(std::span<const float> vector) const;

  // Multiplications and additions that encoding a string of so many characters takes.
  double OperationsPerString(std::size_t characters) const;

 private:
  // One direction of one LSTM layer. The first layer sees only characters: what a character adds to the gates is looked up.
  struct Direction {
    std::vector<std::vector<float>> start_of_character;  // first layer
    std::vector<float> start;                            // other layers: the biases
    PackedMatrix input;                                  // other layers
    PackedMatrix recurrent;
  };
  struct Linear {
    PackedMatrix matrix;
    std::vector<float> bias;
  };
  class Tile;

  Linear MakeLinear(const Model& model, const std::string& name) const;
  Direction MakeDirection(const Model& model, int layer, bool reverse) const;

  Architecture architecture_;
  const Kernels& kernels_;
  std::vector<Direction> forward_;   // per layer
  std::vector<Direction> backward_;  // per layer
  Linear first_linear_;
  Linear second_linear_;
  PackedMatrix score_;
  std::vector<float> value_;
  float value_bias_ = 0;
};

}  // namespace conpole
