// Texts and pairs of texts in columns: conpole.TextColumn and conpole.PairBatch.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "nn/alphabet.h"
#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/pair_batch.h"
#include "python/src/text_column.h"
#include "python/src/texts.h"
#include "util/hash.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

using Offsets = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

std::unique_ptr<TextColumn> FromArrays(const py::buffer& text, const Offsets& offsets) {
  const py::buffer_info bytes = text.request();
  if (bytes.ndim != 1 || bytes.itemsize != 1 || (bytes.size > 1 && bytes.strides[0] != 1)) {
    throw py::type_error("the text is bytes in one piece, for example uint8");
  }
  if (offsets.ndim() != 1) throw py::type_error("offsets have one dimension");
  std::vector<char> characters(static_cast<std::size_t>(bytes.size));
  if (!characters.empty()) std::memcpy(characters.data(), bytes.ptr, characters.size());
  return std::make_unique<TextColumn>(std::move(characters),
                                      std::vector<std::size_t>(offsets.data(), offsets.data() + offsets.size()));
}

py::str TextAt(const TextColumn& column, std::ptrdiff_t index) {
  const auto size = static_cast<std::ptrdiff_t>(column.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw py::index_error(fmt::format("there are {} texts", size));
  return ToStr(column[static_cast<std::size_t>(index)]);
}

std::unique_ptr<TextColumn> Slice(const TextColumn& column, const py::slice& slice) {
  std::size_t start = 0;
  std::size_t stop = 0;
  std::size_t step = 0;
  std::size_t count = 0;
  if (!slice.compute(column.size(), &start, &stop, &step, &count)) throw py::error_already_set();
  std::vector<std::string_view> texts(count);
  for (std::size_t i = 0; i < count; ++i, start += step) texts[i] = column[start];
  return std::make_unique<TextColumn>(texts);
}

py::list ToList(const TextColumn& column) {
  py::list texts(column.size());
  for (std::size_t i = 0; i < column.size(); ++i) texts[i] = ToStr(column[i]);
  return texts;
}

py::array_t<std::int64_t> Lengths(const TextColumn& column) {
  py::array_t<std::int64_t> lengths(static_cast<py::ssize_t>(column.size()));
  for (std::size_t i = 0; i < column.size(); ++i) lengths.mutable_data()[i] = static_cast<std::int64_t>(column[i].size());
  return lengths;
}

// As a network reads texts.
TextColumn ReadFor(const TextColumn& column, const std::string& alphabet, bool skips_spaces) {
  CheckAlphabet(alphabet);
  Architecture architecture;
  architecture.alphabet = alphabet;
  architecture.skips_spaces = skips_spaces;
  std::vector<std::string_view> texts(column.size());
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = column[i];
  ReadTexts memory;
  return TextColumn(TextReader(architecture).Read(texts, memory));
}

py::tuple Padded(const TextColumn& column, std::optional<std::size_t> width, std::uint8_t fill, const std::string& alphabet,
                 bool skips_spaces) {
  if (!alphabet.empty() || skips_spaces) return Padded(ReadFor(column, alphabet, skips_spaces), width, fill, "", false);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < column.size(); ++i) longest = std::max(longest, column[i].size());
  if (width && *width < longest)
    throw Error(fmt::format("the longest text has {} bytes, and the width is {}", longest, *width));
  const std::size_t columns = width.value_or(longest);
  py::array_t<std::uint8_t> characters({column.size(), columns});
  std::uint8_t* row = characters.mutable_data();
  for (std::size_t i = 0; i < column.size(); ++i, row += columns) {
    const std::string_view text = column[i];
    if (!text.empty()) std::memcpy(row, text.data(), text.size());
    std::fill(row + text.size(), row + columns, fill);
  }
  return py::make_tuple(characters, Lengths(column));
}

bool AreEqual(const TextColumn& a, const TextColumn& b) {
  return a.text() == b.text() && std::equal(a.offsets().begin(), a.offsets().end(), b.offsets().begin(), b.offsets().end());
}

py::object OffsetsOf(const py::object& self) {
  return ViewColumn<std::int64_t>(self.cast<const TextColumn&>().offsets(), self);
}

void BindTextColumn(py::module_& module) {
  py::class_<TextColumn>(module, "TextColumn", py::buffer_protocol(),
                         "Texts in a column: one buffer of UTF-8, and where each begins. Immutable; any thread may use it.")
      .def(py::init([](const py::object& texts) { return std::make_unique<TextColumn>(Texts(texts, "texts").views()); }),
           py::arg("texts"), "Copies texts: strings, another column or the successors of an Expansion.")
      .def_static("from_arrays", &FromArrays, py::arg("text"), py::arg("offsets"),
                  "Copies bytes of UTF-8 and their offsets, which begin with 0 and end with the number of bytes.")
      .def_buffer([](TextColumn& column) {
        return py::buffer_info(const_cast<char*>(column.text().data()), sizeof(char), "B", 1, {column.text().size()},
                               {sizeof(char)}, /*readonly=*/true);
      })
      .def_property_readonly(
          "text", [](const py::object& self) { return py::reinterpret_steal<py::object>(PyMemoryView_FromObject(self.ptr())); },
          "All texts without separators: a memoryview of UTF-8.")
      .def_property_readonly("offsets", &OffsetsOf, "int64[texts + 1]: text i is text[offsets[i]:offsets[i + 1]].")
      .def_property_readonly("lengths", &Lengths, "int64[texts]: the bytes of each.")
      .def_property_readonly(
          "hashes",
          [](const TextColumn& column) {
            py::array_t<std::uint64_t> hashes(static_cast<py::ssize_t>(column.size()));
            for (std::size_t i = 0; i < column.size(); ++i) hashes.mutable_data()[i] = HashText(column[i]);
            return hashes;
          },
          "uint64[texts]: equal for equal texts, and different for different ones but for one chance in 2^64 per pair. Of this "
          "version of conpole: not to be kept in files.")
      .def("padded", &Padded, py::kw_only(), py::arg("width") = py::none(), py::arg("fill") = 0, py::arg("alphabet") = "",
           py::arg("skips_spaces") = false,
           "(uint8[texts, width], int64[texts]): the bytes of each text, filled up to the longest, and the lengths. With the "
           "alphabet of a network, a byte per character: 128 for its first sign, 129 for its second one, 127 for those that it "
           "does "
           "not know; with `skips_spaces`, none for spaces.")
      .def(
          "take",
          [](const TextColumn& column, py::object indices) {
            std::vector<std::string_view> texts;
            for (const std::size_t place : PlacesOf(std::move(indices), column.size())) texts.push_back(column[place]);
            return std::make_unique<TextColumn>(texts);
          },
          py::arg("indices"), "The texts at these places, or where a mask is true, in a column of their own.")
      .def("tolist", &ToList, "The texts as strings.")
      .def("__len__", &TextColumn::size)
      .def("__getitem__", &TextAt, py::arg("index"))
      .def("__getitem__", &Slice, py::arg("index"))
      .def("__iter__", [](const TextColumn& column) { return py::iter(ToList(column)); })
      .def("__eq__", &AreEqual, py::is_operator())
      .def("__repr__", [](const TextColumn& column) { return fmt::format("TextColumn({} texts)", column.size()); })
      .def(py::pickle(
          [](const py::object& self) {
            const std::string_view text = self.cast<const TextColumn&>().text();
            return py::make_tuple(py::bytes(text.data(), text.size()), OffsetsOf(self));
          },
          [](const py::tuple& state) { return FromArrays(state[0].cast<py::buffer>(), state[1].cast<Offsets>()); }));
}

template <class Number>
py::object Writeable(const std::vector<Number>& numbers, const py::object& owner) {
  return ViewColumn<Number>(std::span<const Number>(numbers), owner, Access::kWriteable);
}

py::object TargetsOf(const py::object& self) {
  const PairBatch& batch = self.cast<const PairBatch&>();
  return batch.targets ? Writeable(*batch.targets, self) : py::none();
}

void BindPairBatch(py::module_& module) {
  py::class_<PairBatch>(module, "PairBatch",
                        "Pairs of a parent and a candidate, as scorers and learners are given them: each distinct text once.")
      .def_property_readonly(
          "texts", [](const PairBatch& batch) -> const TextColumn& { return batch.texts; },
          py::return_value_policy::reference_internal, "The distinct texts, in a TextColumn.")
      .def_property_readonly(
          "parents", [](const py::object& self) { return Writeable(self.cast<const PairBatch&>().parents, self); },
          "int64[pairs]: the place of each parent among the texts.")
      .def_property_readonly(
          "candidates", [](const py::object& self) { return Writeable(self.cast<const PairBatch&>().candidates, self); },
          "int64[pairs]: the place of each candidate among the texts.")
      .def_property_readonly("targets", &TargetsOf, "float32[pairs] in a batch to learn from; None in one to be scored.")
      .def_property_readonly(
          "first", [](const py::object& self) { return Writeable(self.cast<const PairBatch&>().first, self); },
          "int64[examples + 1] in a batch to learn from: the pairs of example i are those from first[i] to first[i + 1].")
      .def("__len__", [](const PairBatch& batch) { return batch.parents.size(); })
      .def("__repr__",
           [](const PairBatch& batch) {
             return fmt::format("PairBatch({} pairs of {} texts)", batch.parents.size(), batch.texts.size());
           })
      .def(py::pickle(
          [](const py::object& self) {
            const PairBatch& batch = self.cast<const PairBatch&>();
            return py::make_tuple(self.attr("texts"), Writeable(batch.parents, self), Writeable(batch.candidates, self),
                                  TargetsOf(self), Writeable(batch.first, self));
          },
          [](const py::tuple& state) {
            auto batch = std::make_unique<PairBatch>();
            const Texts texts(state[0], "texts");
            batch->texts = TextColumn(texts.views());
            batch->parents = NumbersOf<std::int64_t>(state[1]);
            batch->candidates = NumbersOf<std::int64_t>(state[2]);
            if (!state[3].is_none()) batch->targets = NumbersOf<float>(state[3]);
            batch->first = NumbersOf<std::int64_t>(state[4]);
            return batch;
          }));
}

}  // namespace

void BindColumns(py::module_& module) {
  BindTextColumn(module);
  BindPairBatch(module);
}

}  // namespace conpole::python
