// Texts (texts.h), apart from the rest: a program with an interpreter inside has no columns.
#include <fmt/format.h>

#include "python/src/expansion.h"
#include "python/src/text_column.h"
#include "python/src/texts.h"

namespace py = pybind11;

namespace conpole::python {

Texts::Texts(const py::object& sequence, const char* what) {
  if (py::isinstance<TextColumn>(sequence)) {
    const TextColumn& column = sequence.cast<const TextColumn&>();
    owner_ = sequence;
    views_.resize(column.size());
    for (std::size_t i = 0; i < views_.size(); ++i) views_[i] = column[i];
    return;
  }
  if (py::isinstance<Expansion>(sequence)) {
    const Expansion& expansion = sequence.cast<const Expansion&>();
    owner_ = sequence;
    views_.resize(expansion.size());
    for (std::size_t i = 0; i < views_.size(); ++i) views_[i] = expansion.successor(i);
    return;
  }
  // A str is a sequence of str too, but never what was meant.
  if (PyUnicode_Check(sequence.ptr()) || !py::isinstance<py::iterable>(sequence)) {
    throw py::type_error(fmt::format("{}: expected a list of str, not {}", what, Py_TYPE(sequence.ptr())->tp_name));
  }
  const py::tuple strings(sequence);
  owner_ = strings;
  views_.resize(strings.size());
  for (std::size_t i = 0; i < views_.size(); ++i) {
    views_[i] = ViewOf(PyTuple_GET_ITEM(strings.ptr(), static_cast<Py_ssize_t>(i)), what);
  }
}

}  // namespace conpole::python
