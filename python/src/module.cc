// The module conpole._native.
#include "python/src/bindings.h"

PYBIND11_MODULE(_native, module) {
  module.doc() = "The part of conpole that is written in C++.";
  module.attr("__version__") = CONPOLE_VERSION;
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
}
