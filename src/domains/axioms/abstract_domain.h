// A domain with abstractions (domains/axioms/abstractions.h) among its actions: what the domain offers comes first, as it is,
// then every state that an abstraction leads to and no action before it. A label is the abstraction's name followed by what the
// label of its first axiom names. Nothing can be reached that the axioms do not lead to: an abstract step is found by taking
// its axioms, one after the other, and it can be opened into them.
//
// As every domain it is immutable once made and any thread may use it. It has the type, the parameters and the Spec of the
// domain that it is made of, so that subjects, models and curricula take it for the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "domains/axioms/abstractions.h"

namespace conpole {

class WithPlaces;

// An axiom's step.
struct AxiomStep {
  std::string label;
  std::string before;
  std::string after;
  friend bool operator==(const AxiomStep&, const AxiomStep&) = default;
};

class AbstractDomain final : public Domain {
 public:
  // Throws Error if the abstractions are not for this kind of domain, or if its states have a fixed layout: searches over
  // packed states know no actions but the layout's. Of one state sequences are followed for `most_followed` steps.
  AbstractDomain(std::shared_ptr<const Domain> base, AbstractionSet set, std::size_t most_followed = 20'000);
  ~AbstractDomain() override;

  const Domain& base() const { return *base_; }
  const AbstractionSet& abstractions() const { return set_; }

  std::string Generate(std::uint64_t seed) const override { return base_->Generate(seed); }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override;
  bool Solved(std::string_view state) const override { return base_->Solved(state); }
  Parsed Parse(std::string_view text) const override { return base_->Parse(text); }

  // The axioms of a step of this domain: one if it is an axiom itself. Throws Error if there is no such step.
  std::vector<AxiomStep> Open(std::string_view before, std::string_view after) const;
  // The same for all steps of a path, one after the other.
  std::vector<AxiomStep> OpenPath(std::span<const std::string> path) const;

 private:
  // Sequences that begin alike are followed together.
  struct Node {
    AbstractStep step;
    std::vector<std::uint32_t> children;
    std::uint32_t abstraction = kNone;  // that ends here
    bool children_have_places = true;
  };
  struct Scratch;
  template <class Found>
  class Finder;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void AddToTree(std::uint32_t abstraction);
  Scratch& ScratchOfThread() const;

  std::shared_ptr<const Domain> base_;
  AbstractionSet set_;
  const WithPlaces* places_;  // the base, if it knows places
  std::vector<Node> nodes_;   // the first one is the root
  std::size_t most_followed_;
  std::uint64_t id_;  // no other object of the program ever has it
};

// The domain with these abstractions; the domain itself if there are none. Throws Error as above.
std::unique_ptr<Domain> WithAbstractions(std::unique_ptr<Domain> domain, AbstractionSet set);
// Null if it has none.
const AbstractDomain* AsAbstractDomain(const Domain& domain);

}  // namespace conpole
