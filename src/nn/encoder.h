// The seam between texts and vectors: an encoder gives every text a vector. A text's vector depends on the text alone, to the
// bit, not on its batch. What vectors mean is up to a head (nn/head.h). A cache is an encoder around an encoder
// (nn/caching_encoder.h); which engines there are is in nn/network_kind.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/kernels.h"
#include "util/thread_pool.h"

namespace conpole {

struct Model;

class Encoder {
 public:
  virtual ~Encoder() = default;

  virtual std::size_t vector_size() const = 0;
  // Writes the vectors of all texts, one after the other: vector_size() floats each. Any number of threads may call it at the
  // same time, each with a pool of its own.
  virtual void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const = 0;
  // How many characters its network did not know so far, in all texts.
  virtual std::uint64_t unknown_characters() const { return 0; }
};

// The engine on the CPU for a model of any kind. Throws Error if the model's tensors are not those of its architecture.
std::unique_ptr<Encoder> MakeEncoder(const Model& model, const Kernels& kernels = Kernels::Best());

// What a network computes on its way to its vector: an encoder whose vectors are the values of one layer.
struct NetworkLayer {
  std::string name;
  std::unique_ptr<Encoder> encoder;
};
// The layers of a model, the lowest first; the vector itself is not among them. None for kinds that have no such layers. Throws
// Error if the model's tensors are not those of its architecture.
std::vector<NetworkLayer> MakeLayerEncoders(const Model& model, const Kernels& kernels = Kernels::Best());

}  // namespace conpole
