#include <exception>
#include <utility>

#include <fmt/format.h>

#include "python/src/bindings.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// Owned by the module, and never freed: an exception may be translated as long as there is an interpreter.
PyObject* error_type = nullptr;
PyObject* malformed_type = nullptr;

// A message may quote a byte of a character that has several.
py::object Decode(std::string_view text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
}

void SetMalformed(const MalformedText& error) {
  const py::object exception = py::reinterpret_borrow<py::object>(malformed_type)(Decode(error.what()));
  exception.attr("text") = Decode(error.text());
  exception.attr("message") = Decode(error.malformed().message.english());
  exception.attr("position") = error.malformed().position;
  PyErr_SetObject(malformed_type, exception.ptr());
}

void Translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const MalformedText& error) {
    SetMalformed(error);
  } catch (const Error& error) {
    PyErr_SetObject(error_type, Decode(error.what()).ptr());
  }
}

}  // namespace

MalformedText::MalformedText(std::string_view text, std::string_view what, const Domain& domain, Malformed malformed)
    : Error(fmt::format("'{}' is not a {} of {}: position {}: {}", text, what, domain.type().name, malformed.position,
                        malformed.message.english())),
      text_(text),
      malformed_(std::move(malformed)) {}

void BindErrors(py::module_& module) {
  error_type = PyErr_NewExceptionWithDoc("conpole.Error", "Something that the caller can act on; the message says how.",
                                         PyExc_ValueError, nullptr);
  malformed_type = PyErr_NewExceptionWithDoc("conpole.MalformedError",
                                             "A text that is no state or problem of its domain: `text`, and in `message` what "
                                             "was expected at the byte `position`.",
                                             error_type, nullptr);
  if (error_type == nullptr || malformed_type == nullptr) throw py::error_already_set();
  module.attr("Error") = py::handle(error_type);
  module.attr("MalformedError") = py::handle(malformed_type);
  py::register_exception_translator(&Translate);
}

}  // namespace conpole::python
