// What domains written in Python have in common, whoever owns their objects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>

#include "conpole/domain.h"

namespace conpole::python {

// What such a domain does, by the methods generate, successors, solved and parse of its object. All of this requires the
// interpreter's lock. What they raise goes on as pybind11::error_already_set; a wrong value is a TypeError or an Error.
class PythonMethods {
 public:
  PythonMethods(pybind11::handle self, std::string_view name) : self_(self), name_(name) {}

  std::string Generate(std::uint64_t seed) const;
  Status Expand(std::string_view state, Labels labels, Successors& out) const;
  bool Solved(std::string_view state) const;
  Parsed Parse(std::string_view text) const;

 private:
  std::string CheckedState(pybind11::handle text, const char* what) const;

  pybind11::handle self_;
  std::string_view name_;
};

// Constructed before the Domain, which keeps a reference to the type.
struct OwnedDomainType {
  // Throws Error if a domain of this name comes with conpole: it would be taken for that one.
  OwnedDomainType(std::string name, std::string summary, std::vector<Axiom> axioms);

  DomainType own_type;
};

}  // namespace conpole::python
