// Abstractions: sequences of axioms that are taken as one step. Each axiom of a sequence has its place relative to the one
// before it, so that the whole applies wherever the same moves fit: "subtract, regroup, cancel" in any equation. Plain data and
// its text; domains/axioms/abstract_domain.h offers them as actions, domains/axioms/abstraction_mining.h finds them in
// solutions. Any thread may call any of this.
//
// The text is made for people, one abstraction per line; what follows a # is a remark:
//   conpole abstractions 1 for equations
//   sub+assoc+sub_self: sub of LR; assoc @0:L; sub_self @0:R  # (2x + 3) = 11 -> (2x + 0) = (11 - 3)
// A step is an axiom, then, if it has a place, @UP:PATH: from the place of the step before UP levels up, then down, L to
// the left and R to the right. A step on the state as a whole has its place at the root. "of PATH" asks for the operand that
// stands there in the state; without it any operand will do. The first step may be anywhere.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"

namespace conpole {

struct AbstractStep {
  struct Place {
    std::size_t up = 0;
    std::string down;
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::string axiom;
  std::optional<Place> place;             // nothing in the first step, and where the axiom has none
  std::optional<std::string> operand_at;  // the path of a subterm of the state before; nothing for any operand
  friend bool operator==(const AbstractStep&, const AbstractStep&) = default;
};

struct Abstraction {
  std::string name;  // without blanks; no other abstraction and no axiom has it
  std::vector<AbstractStep> steps;
  std::string remark = {};
  friend bool operator==(const Abstraction&, const Abstraction&) = default;
};

struct AbstractionSet {
  std::string domain;  // the name of its type
  std::vector<Abstraction> abstractions;
  friend bool operator==(const AbstractionSet&, const AbstractionSet&) = default;
};

inline constexpr std::size_t kMostAbstractions = 1'000;
inline constexpr std::size_t kMostAbstractSteps = 32;  // of one abstraction

// "sub of LR; assoc @0:L"
std::string FormatSteps(const std::vector<AbstractStep>& steps);
std::string FormatAbstractions(const AbstractionSet& set);
// Throws Error, naming the line, if the text is not what FormatAbstractions could have written.
AbstractionSet ParseAbstractions(std::string_view text);
// Throws Error unless all are made of axioms of this kind of domain, and no two have the same name or steps.
void CheckAbstractions(const DomainType& type, const AbstractionSet& set);

}  // namespace conpole
