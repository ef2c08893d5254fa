#include "python/src/texts.h"

#include <fmt/format.h>

namespace py = pybind11;

namespace conpole::python {

std::string_view ViewOf(py::handle text, const char* what) {
  PyObject* const object = text.ptr();
  if (!PyUnicode_Check(object)) {
    throw py::type_error(fmt::format("{} must be str, not {}", what, Py_TYPE(object)->tp_name));
  }
  // Most states: their characters are bytes in place.
  if (PyUnicode_IS_COMPACT_ASCII(object)) {
    return {static_cast<const char*>(PyUnicode_DATA(object)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object))};
  }
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(object, &size);
  if (data == nullptr) throw py::error_already_set();
  return {data, static_cast<std::size_t>(size)};
}

py::str ToStr(std::string_view text) {
  PyObject* const decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

}  // namespace conpole::python
