// The vectors that a model gives to problems, of length one. Two texts of one problem have one vector, since what is encoded is
// canonical text (ReadNotation makes it of what people write), and so have problems that differ in the letter of their unknown
// alone. Every kind of network gives vectors.
//
// Once made, it is immutable: any number of threads may use it, each with a pool of its own. The domain must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conpole/domain.h"
#include "nn/encoder.h"
#include "nn/model.h"
#include "util/thread_pool.h"

namespace conpole {

// The path of the model whose vectors are used: the given one or, if that is empty, the one that comes with conpole for the
// domain. Throws Error if there is none.
std::string VectorModelPath(const Domain& domain, const std::string& given = {});

class ProblemEncoder {
 public:
  // Throws Error if the model is for states of another layout than the domain's.
  ProblemEncoder(const Domain& domain, const Model& model);
  // The same for vectors of another kind, those of a layer of a network for example.
  ProblemEncoder(const Domain& domain, std::unique_ptr<Encoder> encoder);

  const Domain& domain() const { return domain_; }
  std::size_t dimension() const { return encoder_->vector_size(); }
  // The same for models that give the same vectors, and another for others: a checksum of the network and its weights.
  std::uint64_t fingerprint() const { return fingerprint_; }

  // The vectors of states, which are canonical text, one after the other: dimension() floats each, of length one.
  std::vector<float> Encode(std::span<const std::string> states, ThreadPool& pool) const;

 private:
  const Domain& domain_;
  std::unique_ptr<Encoder> encoder_;
  std::uint64_t fingerprint_;
};

}  // namespace conpole
