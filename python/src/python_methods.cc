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

py::list ListOf(std::span<const std::string_view> texts) {
  py::list list(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) list[i] = ToStr(texts[i]);
  return list;
}

}  // namespace

std::string_view PythonMethods::CheckedState(py::handle text, const char* what) const {
  const std::string_view state = ViewOf(text, what);
  if (CheckLength(state)) throw Error(fmt::format("{}: {} is longer than {} bytes", name_, what, kMaxStateBytes));
  return state;
}

std::string PythonMethods::Generate(std::uint64_t seed) const {
  const py::object problem = self_.attr("generate")(seed);
  return std::string(CheckedState(problem, "the problem"));
}

Status PythonMethods::Expand(std::string_view state, Labels labels, Successors& out) const {
  std::vector<Status> status;
  std::vector<std::size_t> ends;
  ExpandAll({&state, 1}, labels, out, status, ends);
  return status.front();
}

void PythonMethods::ExpandAll(std::span<const std::string_view> states, Labels labels, Successors& out,
                              std::vector<Status>& status, std::vector<std::size_t>& ends) const {
  const auto add = [&](Status one) {
    status.push_back(one);
    ends.push_back(out.size());
  };
  std::optional<Malformed> too_long;
  std::size_t count = 0;
  while (count < states.size() && !(too_long = CheckLength(states[count]))) ++count;
  const py::list listed(self_.attr("_expand")(ListOf(states.first(count))));
  for (const py::handle one : listed) {
    add(Append(one, labels, out));
    if (status.back() == Status::kMalformed) return;
  }
  if (listed.size() != count) {
    throw Error(fmt::format("{}: successors_batch lists the successors of {} states, and was asked for {}", name_,
                            listed.size(), count));
  }
  if (!too_long) return;
  out.SetError(std::move(*too_long));
  add(Status::kMalformed);
}

Status PythonMethods::Append(py::handle listed, Labels labels, Successors& out) const {
  if (listed.is_none()) return Status::kSolved;
  if (PyUnicode_Check(listed.ptr())) {
    out.SetError(Malformed{0, std::string(ViewOf(listed, "a message"))});
    return Status::kMalformed;
  }
  const std::size_t first = out.size();
  // Taken as a whole first: nothing is appended if an item is wrong, or if listing it fails.
  const py::list successors(py::reinterpret_borrow<py::object>(listed));
  std::vector<std::pair<std::string_view, std::string_view>> checked;
  checked.reserve(successors.size());
  std::vector<py::object> kept;  // what was made here of pairs that are no tuples or lists
  for (const py::handle successor : successors) {
    const bool is_sequence = PySequence_Check(successor.ptr()) != 0 && PyUnicode_Check(successor.ptr()) == 0;
    if (!is_sequence || py::len(successor) != 2) {
      throw py::type_error(
          fmt::format("{}: successors must be pairs (action, next state), not {}", name_, std::string(py::repr(successor))));
    }
    PyObject* pair = successor.ptr();
    if (!PyTuple_Check(pair) && !PyList_Check(pair))
      pair = kept.emplace_back(py::list(py::reinterpret_borrow<py::object>(successor))).ptr();
    checked.emplace_back(ViewOf(PySequence_Fast_GET_ITEM(pair, 0), "an action"),
                         CheckedState(PySequence_Fast_GET_ITEM(pair, 1), "a next state"));
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

void PythonMethods::SolvedAll(std::span<const std::string_view> states, std::vector<bool>& solved) const {
  const py::list answers(self_.attr("solved_batch")(ListOf(states)));
  if (answers.size() != states.size()) {
    throw Error(fmt::format("{}: solved_batch says of {} states whether they are solved, and was asked for {}", name_,
                            answers.size(), states.size()));
  }
  for (const py::handle answer : answers)
    solved.push_back(py::cast<bool>(py::bool_(py::reinterpret_borrow<py::object>(answer))));
}

Parsed PythonMethods::Parse(std::string_view text) const {
  if (std::optional<Malformed> too_long = CheckLength(text)) return {{}, std::move(too_long)};
  try {
    const py::object state = self_.attr("parse")(ToStr(text));
    return {std::string(CheckedState(state, "the problem")), std::nullopt};
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError)) throw;
    return {{}, Malformed{0, std::string(py::str(error.value()))}};
  }
}

std::optional<std::string> PythonMethods::Explain(std::string_view label, std::string_view before, std::string_view after,
                                                  std::string_view language) const {
  const py::object sentence = self_.attr("explain")(ToStr(label), ToStr(before), ToStr(after), ToStr(language));
  if (sentence.is_none()) return std::nullopt;
  return std::string(ViewOf(sentence, "an explanation"));
}

std::optional<std::string> PythonMethods::Latex(std::string_view state) const {
  const py::object latex = self_.attr("latex")(ToStr(state));
  if (latex.is_none()) return std::nullopt;
  return std::string(ViewOf(latex, "LaTeX"));
}

std::optional<bool> PythonMethods::Verify(std::string_view problem, std::string_view answer) const {
  const py::object is_right = self_.attr("verify")(ToStr(problem), ToStr(answer));
  if (is_right.is_none()) return std::nullopt;
  return py::cast<bool>(py::bool_(is_right));
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
