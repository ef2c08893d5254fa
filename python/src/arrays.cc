#include "python/src/arrays.h"

#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

constexpr int kDlpackCpu = 1;

py::array FromDlpack(const py::object& tensor) {
  const py::object from_dlpack = py::module_::import("numpy").attr("from_dlpack");
  const bool on_cpu = py::cast<int>(py::tuple(tensor.attr("__dlpack_device__")())[0]) == kDlpackCpu;
  return on_cpu ? from_dlpack(tensor) : from_dlpack(tensor, py::arg("device") = "cpu");
}

}  // namespace

py::array HostArray(py::object object) {
  if (!py::isinstance<py::array>(object) && py::hasattr(object, "__dlpack__") && py::hasattr(object, "__dlpack_device__")) {
    // PyTorch gives away neither what has a gradient nor, in most versions, what is on another device.
    if (py::hasattr(object, "detach")) object = object.attr("detach")();
    if (py::hasattr(object, "cpu")) object = object.attr("cpu")();
    try {
      return FromDlpack(object);
    } catch (py::error_already_set& error) {
      // NumPy has no bfloat16.
      const bool is_type = error.matches(PyExc_BufferError) || error.matches(PyExc_RuntimeError);
      if (!is_type || !py::hasattr(object, "float")) throw;
    }
    return FromDlpack(object.attr("float")());
  }
  const py::object made = py::module_::import("numpy").attr("asarray")(object);
  return py::reinterpret_borrow<py::array>(made);
}

py::array_t<float> FloatsOf(py::object object, std::size_t count, const std::string& message) {
  py::array_t<float, py::array::c_style | py::array::forcecast> array(HostArray(std::move(object)));
  if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != count) throw Error(message);
  return array;
}

std::vector<std::size_t> PlacesOf(py::object indices, std::size_t size) {
  const py::array given = HostArray(std::move(indices));
  if (given.ndim() != 1) throw py::index_error(fmt::format("indices have one dimension, not {}", given.ndim()));
  const char kind = given.dtype().kind();
  std::vector<std::size_t> places;
  if (kind == 'b') {
    if (static_cast<std::size_t>(given.size()) != size) {
      throw py::index_error(fmt::format("a mask of {} truth values for {} texts", given.size(), size));
    }
    const py::array_t<bool, py::array::c_style | py::array::forcecast> mask(given);
    for (std::size_t i = 0; i < size; ++i) {
      if (mask.data()[i]) places.push_back(i);
    }
    return places;
  }
  if (given.size() == 0) return places;
  if (kind != 'i' && kind != 'u') throw py::type_error("indices are whole numbers or truth values");
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> numbers(given);
  places.resize(static_cast<std::size_t>(numbers.size()));
  const auto count = static_cast<std::int64_t>(size);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t place = numbers.data()[i];
    if (place < -count || place >= count) throw py::index_error(fmt::format("index {} of {} texts", place, size));
    places[i] = static_cast<std::size_t>(place < 0 ? place + count : place);
  }
  return places;
}

}  // namespace conpole::python
