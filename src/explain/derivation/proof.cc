#include "explain/derivation/proof.h"

namespace conpole::axioms {

void Proof::Go(std::string_view axiom, const std::string& next) {
  if (next == state_) return;
  if (lines_.size() == kMostLines) throw NoProof();
  successors_.Clear();
  domain_.Expand(state_, Labels::kOn, successors_);
  for (std::size_t i = 0; i < successors_.size(); ++i) {
    if (successors_.state(i) != next || AxiomOf(successors_.label(i)) != axiom) continue;
    lines_.push_back({std::string(successors_.label(i)), std::move(state_), next});
    state_ = next;
    return;
  }
  throw NoProof();
}

}  // namespace conpole::axioms
