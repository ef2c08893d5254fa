#include "python/src/python_methods.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "python/src/texts.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

char* Write(char* to, std::string_view text) {
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

}  // namespace

std::string PythonMethods::CheckedState(py::handle text, const char* what) const {
  const std::string_view state = ViewOf(text, what);
  if (CheckLength(state)) throw Error(fmt::format("{}: {} is longer than {} bytes", name_, what, kMaxStateBytes));
  return std::string(state);
}

std::string PythonMethods::Generate(std::uint64_t seed) const {
  return CheckedState(self_.attr("generate")(seed), "the problem");
}

Status PythonMethods::Expand(std::string_view state, Labels labels, Successors& out) const {
  if (std::optional<Malformed> error = Parse(state).error) {
    out.SetError(std::move(*error));
    return Status::kMalformed;
  }
  if (Solved(state)) return Status::kSolved;
  const std::size_t first = out.size();
  // Taken as a whole first: nothing is appended if an item is wrong, or if listing it fails.
  const py::list successors(self_.attr("successors")(ToStr(state)));
  std::vector<std::pair<std::string, std::string>> checked;
  for (const py::handle successor : successors) {
    if (!py::isinstance<py::sequence>(successor) || PyUnicode_Check(successor.ptr()) || py::len(successor) != 2) {
      throw py::type_error(
          fmt::format("{}: successors must be pairs (action, next state), not {}", name_, std::string(py::repr(successor))));
    }
    const auto pair = py::reinterpret_borrow<py::sequence>(successor);
    const py::object action = pair[0];
    const py::object next = pair[1];
    checked.emplace_back(ViewOf(action, "an action"), CheckedState(next, "a next state"));
  }
  for (const auto& [action, next] : checked) {
    out.EndState(Write(out.BeginState(next.size()), next));
    if (labels == Labels::kOn) out.EndLabel(Write(out.BeginLabel(action.size()), action));
  }
  return out.size() == first ? Status::kDeadEnd : Status::kOpen;
}

bool PythonMethods::Solved(std::string_view state) const {
  return py::cast<bool>(py::bool_(py::object(self_.attr("solved")(ToStr(state)))));
}

Parsed PythonMethods::Parse(std::string_view text) const {
  if (std::optional<Malformed> too_long = CheckLength(text)) return {{}, std::move(too_long)};
  try {
    return {CheckedState(self_.attr("parse")(ToStr(text)), "the problem"), std::nullopt};
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError)) throw;
    return {{}, Malformed{0, std::string(py::str(error.value()))}};
  }
}

OwnedDomainType::OwnedDomainType(std::string name, std::string summary, std::vector<Axiom> axioms)
    : own_type{std::move(name), std::move(summary), {}, std::move(axioms), nullptr} {
  for (const DomainType* type : DomainTypes()) {
    if (type->name == own_type.name) {
      throw Error(fmt::format("a domain named '{}' comes with conpole; choose another name", own_type.name));
    }
  }
}

}  // namespace conpole::python
