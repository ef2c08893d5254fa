// The parts of the Python module conpole._native, one file each. The Python files of the package build the public interface on
// it. Functions that work long release the interpreter's lock.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/search.h"

namespace conpole::python {

void BindErrors(pybind11::module_& module);
void BindColumns(pybind11::module_& module);
void BindDomains(pybind11::module_& module);
void BindEnvironments(pybind11::module_& module);
void BindModels(pybind11::module_& module);
void BindSearch(pybind11::module_& module);
void BindReplay(pybind11::module_& module);
void BindTraining(pybind11::module_& module);
void BindTutor(pybind11::module_& module);
void BindSimilarity(pybind11::module_& module);
void BindTraces(pybind11::module_& module);

const char* OutcomeName(SearchOutcome outcome);

// A text that is not what it should be. Becomes conpole.MalformedError; its text is what the program prints.
class MalformedText : public Error {
 public:
  // `what` is "state" or "problem".
  MalformedText(std::string_view text, std::string_view what, const Domain& domain, Malformed malformed);

  const std::string& text() const { return text_; }
  const Malformed& malformed() const { return malformed_; }

 private:
  std::string text_;
  Malformed malformed_;
};

}  // namespace conpole::python
