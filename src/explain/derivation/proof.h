// A chain of states of a domain, each one a successor of the one before. Nothing can get into it that the domain does not
// offer, whatever asks for it. One thread at a time per proof.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conpole/domain.h"
#include "explain/derivation.h"

namespace conpole::axioms {

// What does not succeed ends the whole proof: thrown wherever that turns out, and caught by OpenAlgebraSteps.
struct NoProof {};

class Proof {
 public:
  // The domain must outlive it.
  Proof(const Domain& domain, std::string start) : domain_(domain), state_(std::move(start)) {}

  const std::string& state() const { return state_; }

  // Longer proofs help nobody, and take long to make.
  static constexpr std::size_t kMostLines = 1'000;

  // Goes on to a successor that this axiom leads to. Where that is the state itself, nothing is to be done. Throws NoProof if
  // the domain offers none.
  void Go(std::string_view axiom, const std::string& next);
  // Another part of the step.
  void StartAnew(std::string start) { state_ = std::move(start); }

  std::vector<Derivation::Line> TakeLines() { return std::move(lines_); }

 private:
  const Domain& domain_;
  std::string state_;
  std::vector<Derivation::Line> lines_;
  Successors successors_;
};

}  // namespace conpole::axioms
