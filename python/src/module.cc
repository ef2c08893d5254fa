// The module conpole._native.
#include <cstddef>

#include "python/src/bindings.h"
#include "python/src/version.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

void* RefuseToAllocate(std::size_t) { throw py::type_error("this object was made without its constructor"); }

// `Domain.__new__(Domain)` gives an object with nothing in it. Whoever uses one is told so: pybind11 would give it memory then,
// in which no constructor has been. It asks this function for the memory, and nobody else does.
void RefuseObjectsWithoutConstructor(const py::module_& module) {
  for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(module.attr("__dict__"))) {
    if (!PyType_Check(value.ptr())) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(value.ptr());
    if (PyType_IsSubtype(Py_TYPE(type), py::detail::get_internals().default_metaclass) == 0) continue;
    py::detail::get_type_info(type)->operator_new = &RefuseToAllocate;
  }
}

}  // namespace
}  // namespace conpole::python

PYBIND11_MODULE(_native, module) {
  module.doc() = "The part of conpole that is written in C++.";
  module.attr("__version__") = conpole::python::kVersion;
  module.attr("commit") = conpole::python::kCommit;
  conpole::python::BindErrors(module);
  conpole::python::BindColumns(module);
  conpole::python::BindDomains(module);
  conpole::python::BindEnvironments(module);
  conpole::python::BindModels(module);
  conpole::python::BindSearch(module);
  conpole::python::BindReplay(module);
  conpole::python::BindTraining(module);
  conpole::python::BindTutor(module);
  conpole::python::BindSimilarity(module);
  conpole::python::BindTraces(module);
  conpole::python::RefuseObjectsWithoutConstructor(module);
}
