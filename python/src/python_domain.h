// A domain whose problems and steps are written in Python: the methods generate, successors, solved and parse of the object
// that Python made this domain as. Any thread may call it; each call takes the interpreter's lock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>

#include "conpole/domain.h"

namespace conpole::python {

// Constructed before the Domain, which keeps a reference to the type.
struct OwnedDomainType {
  DomainType own_type;
};

class PythonDomain final : private OwnedDomainType, public Domain {
 public:
  // Throws Error if a domain of this name comes with conpole: it would be taken for that one.
  PythonDomain(std::string name, std::string summary, std::vector<Axiom> axioms);

  std::string Generate(std::uint64_t seed) const override;
  Status Expand(std::string_view state, Labels labels, Successors& out) const override;
  bool Solved(std::string_view state) const override;
  Parsed Parse(std::string_view text) const override;

 private:
  // The object in Python. Requires the lock.
  pybind11::object Self() const;
  std::string CheckedState(pybind11::handle text, const char* what) const;
};

inline bool IsPython(const Domain& domain) { return dynamic_cast<const PythonDomain*>(&domain) != nullptr; }

}  // namespace conpole::python
