// The kind "bag", and its engine on the CPU, which reads a model once and is immutable from then on. It knows which characters
// stand next to each other, but not where: a baseline that says how much of a domain needs no more than that, and the smallest
// example of a kind.
//
// The network: what stands at each character is the ReLU of a sum over it and the characters after it, `window` in all; their
// mean over the text -> two linear layers with ReLU between them = the vector of a text. Characters past the end add nothing,
// and the mean over an empty text is zero.
//
// Tensors, with H = hidden, W = window and V = characters (nn/alphabet.h):
//   window.K.weight                V x H     for K in 0..W-1: what a character adds to the one that stands K before it
//   window.bias                    H
//   mlp.0.weight, mlp.2.weight     H x H
//   mlp.0.bias, mlp.2.bias         H
#pragma once

#include <cstddef>
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

const NetworkKind& BagKind();

class BagEncoder final : public Encoder {
 public:
  // Requires that the tensors are those of the architecture.
  BagEncoder(const Model& model, const Kernels& kernels);

  std::size_t vector_size() const override { return hidden_; }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const override;

 private:
  // The mean over the characters of a text.
  void Mean(std::string_view text, float* mean) const;

  std::size_t hidden_;
  std::size_t characters_;
  std::vector<std::vector<float>> window_;  // for each K: a row per character
  std::vector<float> bias_;
  Mlp mlp_;
};

}  // namespace conpole
