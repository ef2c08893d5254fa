// What domains written in Python have in common, whoever owns their objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>

#include "conpole/domain.h"

namespace conpole::python {

// What such a domain does, by the methods of its object, which is a conpole.PyDomain. All of this requires the interpreter's
// lock. What they raise goes on as pybind11::error_already_set; a wrong value is a TypeError or an Error.
class PythonMethods {
 public:
  PythonMethods(pybind11::handle self, std::string_view name) : self_(self), name_(name) {}

  std::string Generate(std::uint64_t seed) const;
  Status Expand(std::string_view state, Labels labels, Successors& out) const;
  // The successors of many states by one call, up to the first that is malformed. Appends of each its status, and where its
  // successors end in `out`.
  void ExpandAll(std::span<const std::string_view> states, Labels labels, Successors& out, std::vector<Status>& status,
                 std::vector<std::size_t>& ends) const;
  bool Solved(std::string_view state) const;
  // The same of many states by one call, appended.
  void SolvedAll(std::span<const std::string_view> states, std::vector<bool>& solved) const;
  Parsed Parse(std::string_view text) const;

  // What the object says for the tutor; nothing if that is None.
  std::optional<std::string> Explain(std::string_view label, std::string_view before, std::string_view after,
                                     std::string_view language) const;
  std::optional<std::string> Latex(std::string_view state) const;
  std::optional<bool> Verify(std::string_view problem, std::string_view answer) const;

 private:
  std::string_view CheckedState(pybind11::handle text, const char* what) const;
  // Appends what was listed for one state: pairs, None if it is solved, or a text that says why it is no state.
  Status Append(pybind11::handle listed, Labels labels, Successors& out) const;

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
