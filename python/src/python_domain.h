// A domain written in Python, as Python made it: the object in Python is this domain. Any thread may call it; each call takes
// the interpreter's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "python/src/python_methods.h"
#include "python/src/python_subject.h"
#include "search/asked_ahead.h"
#include "subjects/own_subject.h"

namespace conpole::python {

class PythonDomain final : private OwnedDomainType, public Domain, public HasOwnSubject, public AskedAhead {
 public:
  PythonDomain(std::string name, std::string summary, std::vector<Axiom> axioms);
  // For its __init__ only, before another thread knows it. Throws Error if a domain of this name comes with conpole.
  void Describe(std::string name, std::string summary, std::vector<Axiom> axioms);

  std::string Generate(std::uint64_t seed) const override;
  Status Expand(std::string_view state, Labels labels, Successors& out) const override;
  bool Solved(std::string_view state) const override;
  Parsed Parse(std::string_view text) const override;
  const Subject& subject() const override { return subject_; }
  std::unique_ptr<const Domain> Ask(std::span<const std::string_view> states, bool solved,
                                    const StopToken& stop) const override;

  // As PythonMethods::ExpandAll.
  void ExpandAll(std::span<const std::string_view> states, Labels labels, Successors& out, std::vector<Status>& status,
                 std::vector<std::size_t>& ends) const;

 private:
  PythonSubject subject_;
};

// Null for domains that are not written in Python.
inline const PythonDomain* AsPython(const Domain& domain) { return dynamic_cast<const PythonDomain*>(&domain); }

inline bool IsPython(const Domain& domain) { return AsPython(domain) != nullptr; }

}  // namespace conpole::python
