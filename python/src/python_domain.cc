#include "python/src/python_domain.h"

#include <utility>

#include <pybind11/pybind11.h>

#include "python/src/ahead_domain.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// Returns ask(methods) of the object that Python made this domain as, with the lock.
template <class Question>
auto AskObject(const PythonDomain& domain, const Question& ask) {
  const py::gil_scoped_acquire lock;
  const py::object self = py::cast(&domain, py::return_value_policy::reference);
  return ask(PythonMethods(self, domain.type().name));
}

}  // namespace

PythonDomain::PythonDomain(std::string name, std::string summary, std::vector<Axiom> axioms)
    : OwnedDomainType(std::move(name), std::move(summary), std::move(axioms)),
      Domain(own_type, {}),
      subject_(&own_type, [this](const auto& ask) { AskObject(*this, ask); }) {}

void PythonDomain::Describe(std::string name, std::string summary, std::vector<Axiom> axioms) {
  own_type = OwnedDomainType(std::move(name), std::move(summary), std::move(axioms)).own_type;
}

std::string PythonDomain::Generate(std::uint64_t seed) const {
  return AskObject(*this, [&](const PythonMethods& methods) { return methods.Generate(seed); });
}

Status PythonDomain::Expand(std::string_view state, Labels labels, Successors& out) const {
  return AskObject(*this, [&](const PythonMethods& methods) { return methods.Expand(state, labels, out); });
}

void PythonDomain::ExpandAll(std::span<const std::string_view> states, Labels labels, Successors& out,
                             std::vector<Status>& status, std::vector<std::size_t>& ends) const {
  AskObject(*this, [&](const PythonMethods& methods) { methods.ExpandAll(states, labels, out, status, ends); });
}

bool PythonDomain::Solved(std::string_view state) const {
  return AskObject(*this, [&](const PythonMethods& methods) { return methods.Solved(state); });
}

Parsed PythonDomain::Parse(std::string_view text) const {
  return AskObject(*this, [&](const PythonMethods& methods) { return methods.Parse(text); });
}

std::unique_ptr<const Domain> PythonDomain::Ask(std::span<const std::string_view> states, bool solved,
                                                const StopToken& stop) const {
  return AskObject(*this, [&](const PythonMethods& methods) {
    return std::make_unique<const AheadDomain>(*this, methods, states, solved, stop);
  });
}

}  // namespace conpole::python
