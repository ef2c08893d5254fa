// The part of a domain that does not depend on its rules, for domains whose states are terms. As every domain it is immutable
// once made, and any thread may use it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "conpole/domain.h"
#include "domains/axioms/places.h"
#include "domains/axioms/rewrite.h"
#include "domains/axioms/term.h"

namespace conpole {

template <class Notation>
class TermDomain : public Domain, public WithPlaces {
 public:
  Status Expand(std::string_view state, Labels labels, Successors& out) const final {
    thread_local Term<Notation> term;
    Malformed error;
    if (!term.Read(state, error)) {
      out.SetError(std::move(error));
      return Status::kMalformed;
    }
    if (Solved(term.text())) return Status::kSolved;
    const std::size_t before = out.size();
    if (WithinCap(term)) AppendSuccessors(term, labels, out);
    return out.size() == before ? Status::kDeadEnd : Status::kOpen;
  }

  Parsed Parse(std::string_view text) const final {
    Term<Notation> term;
    Malformed error;
    if (!term.Read(text, error) || !Meaningful(term, error)) return {{}, std::move(error)};
    return {std::string(term.text()), std::nullopt};
  }

  std::unique_ptr<Places> MakePlaces() const final { return std::make_unique<TermPlaces<Notation>>(); }

  bool AppendAt(const Places& places, std::uint32_t position, Successors& out) const final {
    const Term<Notation>& term = static_cast<const TermPlaces<Notation>&>(places).term();
    if (Solved(term.text()) || !WithinCap(term)) return true;
    return AppendSuccessorsAt(term, position, out);
  }

 protected:
  using Domain::Domain;

  // Whether the term is small enough to have successors.
  virtual bool WithinCap(const Term<Notation>& term) const = 0;
  virtual void AppendSuccessors(const Term<Notation>& term, Labels labels, Successors& out) const = 0;
  // What WithPlaces::AppendAt promises, of a term that has successors.
  virtual bool AppendSuccessorsAt(const Term<Notation>&, std::uint32_t /*position*/, Successors&) const { return false; }
  // Whether a term that reads well also means something; if not, says why.
  virtual bool Meaningful(const Term<Notation>&, Malformed&) const { return true; }
};

}  // namespace conpole
