// Arrays on their way between Python and C++. All of this requires the interpreter's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pybind11/numpy.h>

namespace conpole::python {

enum class Access : std::uint8_t { kReadOnly, kWriteable };

// An array over memory of `owner`, which it keeps alive.
template <class Element, class Stored>
pybind11::array ViewColumn(std::span<const Stored> column, const pybind11::object& owner, Access access = Access::kReadOnly) {
  static_assert(sizeof(Element) == sizeof(Stored));
  pybind11::array array(pybind11::dtype::of<Element>(), {column.size()}, {sizeof(Stored)}, column.data(), owner);
  if (access == Access::kReadOnly) array.attr("flags").attr("writeable") = false;
  return array;
}

// The numbers of an array, in one row.
template <class Number>
std::vector<Number> NumbersOf(const pybind11::handle& object) {
  const auto array = object.cast<pybind11::array_t<Number, pybind11::array::c_style | pybind11::array::forcecast>>();
  return {array.data(), array.data() + array.size()};
}

// What NumPy makes of an object: an array, a list, or a tensor on any device that gives itself away by DLPack, without its
// gradient. Raises what NumPy or the tensor raises.
pybind11::array HostArray(pybind11::object object);

// The numbers of what a function returned. Throws Error with this message unless they are `count`, in one dimension.
pybind11::array_t<float> FloatsOf(pybind11::object object, std::size_t count, const std::string& message);

// Places in something of this size: whole numbers, of which negative ones count from the end, or a mask with a truth value for
// each. Throws IndexError or TypeError for anything else.
std::vector<std::size_t> PlacesOf(pybind11::object indices, std::size_t size);

}  // namespace conpole::python
