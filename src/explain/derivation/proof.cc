#include "explain/derivation/proof.h"

namespace conpole::axioms {

void Proof::Go(std::string_view axiom, const std::string& next) {
  if (failed_ || next == state_) return;
  failed_ = lines_.size() == kMostLines;
  if (failed_) return;
  successors_.Clear();
  domain_.Expand(state_, Labels::kOn, successors_);
  for (std::size_t i = 0; i < successors_.size(); ++i) {
    if (successors_.state(i) != next || AxiomOf(successors_.label(i)) != axiom) continue;
    lines_.push_back({std::string(successors_.label(i)), std::move(state_), next});
    state_ = next;
    return;
  }
  failed_ = true;
}

}  // namespace conpole::axioms
