#include "python/src/python_domain.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "python/src/texts.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

std::string CheckedName(std::string name) {
  for (const DomainType* type : DomainTypes()) {
    if (type->name == name) throw Error(fmt::format("a domain named '{}' comes with conpole; choose another name", name));
  }
  return name;
}

char* Write(char* to, std::string_view text) {
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

}  // namespace

PythonDomain::PythonDomain(std::string name, std::string summary, std::vector<Axiom> axioms)
    : OwnedDomainType{{CheckedName(std::move(name)), std::move(summary), {}, std::move(axioms), nullptr}},
      Domain(own_type, {}) {}

py::object PythonDomain::Self() const { return py::cast(this, py::return_value_policy::reference); }

std::string PythonDomain::CheckedState(py::handle text, const char* what) const {
  const std::string_view state = ViewOf(text, what);
  if (CheckLength(state)) throw Error(fmt::format("{}: {} is longer than {} bytes", type().name, what, kMaxStateBytes));
  return std::string(state);
}

std::string PythonDomain::Generate(std::uint64_t seed) const {
  const py::gil_scoped_acquire lock;
  return CheckedState(Self().attr("generate")(seed), "the problem");
}

Status PythonDomain::Expand(std::string_view state, Labels labels, Successors& out) const {
  if (std::optional<Malformed> error = Parse(state).error) {
    out.SetError(std::move(*error));
    return Status::kMalformed;
  }
  if (Solved(state)) return Status::kSolved;
  const py::gil_scoped_acquire lock;
  const std::size_t first = out.size();
  // Taken as a whole first: nothing is appended if an item is wrong, or if listing it fails.
  const py::list successors(Self().attr("successors")(ToStr(state)));
  std::vector<std::pair<std::string, std::string>> checked;
  for (const py::handle successor : successors) {
    if (!py::isinstance<py::sequence>(successor) || PyUnicode_Check(successor.ptr()) || py::len(successor) != 2) {
      throw py::type_error(fmt::format("{}: successors must be pairs (action, next state), not {}", type().name,
                                       std::string(py::repr(successor))));
    }
    const py::sequence pair = py::reinterpret_borrow<py::sequence>(successor);
    checked.emplace_back(ViewOf(py::object(pair[0]), "an action"), CheckedState(py::object(pair[1]), "a next state"));
  }
  for (const auto& [action, next] : checked) {
    out.EndState(Write(out.BeginState(next.size()), next));
    if (labels == Labels::kOn) out.EndLabel(Write(out.BeginLabel(action.size()), action));
  }
  return out.size() == first ? Status::kDeadEnd : Status::kOpen;
}

bool PythonDomain::Solved(std::string_view state) const {
  const py::gil_scoped_acquire lock;
  return py::cast<bool>(py::bool_(py::object(Self().attr("solved")(ToStr(state)))));
}

Parsed PythonDomain::Parse(std::string_view text) const {
  if (std::optional<Malformed> too_long = CheckLength(text)) return {{}, std::move(too_long)};
  const py::gil_scoped_acquire lock;
  try {
    return {CheckedState(Self().attr("parse")(ToStr(text)), "the problem"), std::nullopt};
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError)) throw;
    return {{}, Malformed{0, py::str(error.value())}};
  }
}

}  // namespace conpole::python
