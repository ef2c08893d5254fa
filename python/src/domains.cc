// Domains: conpole.Domain, conpole.Expansion and the base of conpole.PyDomain.
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/expansion.h"
#include "python/src/python_domain.h"
#include "python/src/shared_pool.h"
#include "python/src/text_column.h"
#include "python/src/texts.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// Fewer states are done sooner than threads are woken up.
constexpr std::size_t kStatesWorthThreads = 64;

// Calls work(pool) without the interpreter's lock. Domains written in Python run in the calling thread.
template <class Work>
void WithThreads(const Domain& domain, std::size_t states, std::size_t threads, const Work& work) {
  const py::gil_scoped_release release;
  WithSharedPool(IsPython(domain) || states < kStatesWorthThreads ? 1 : threads, work);
}

std::string ParameterText(py::handle value) {
  if (py::isinstance<py::bool_>(value)) return py::cast<bool>(value) ? "1" : "0";
  return py::str(value);
}

std::shared_ptr<Domain> MakeFromPython(std::string spec, const py::kwargs& parameters) {
  char separator = spec.find(':') == std::string::npos ? ':' : ',';
  for (const auto& [name, value] : parameters) {
    spec += fmt::format("{}{}={}", std::exchange(separator, ','), py::cast<std::string>(name), ParameterText(value));
  }
  return MakeDomain(spec);
}

std::string Parse(const Domain& domain, std::string_view text) {
  Parsed parsed = domain.Parse(text);
  if (parsed.error) throw MalformedText(text, "problem", domain, std::move(*parsed.error));
  return std::move(parsed.state);
}

Status ExpandOne(const Domain& domain, std::string_view state, Labels labels, Successors& out) {
  const Status status = domain.Expand(state, labels, out);
  if (status == Status::kMalformed) throw MalformedText(state, "state", domain, out.error());
  return status;
}

bool IsSolved(const Domain& domain, std::string_view state) {
  Successors ignored;
  return ExpandOne(domain, state, Labels::kOff, ignored) == Status::kSolved;
}

py::list Apply(const Domain& domain, std::string_view state, std::string_view axiom) {
  Successors successors;
  if (domain.Apply(state, axiom, successors) == Status::kMalformed) {
    throw MalformedText(state, "state", domain, successors.error());
  }
  py::list pairs;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    pairs.append(py::make_tuple(ToStr(successors.label(i)), ToStr(successors.state(i))));
  }
  return pairs;
}

std::vector<std::string> GenerateBatch(const Domain& domain, const std::vector<std::uint64_t>& seeds, std::size_t threads) {
  std::vector<std::string> problems(seeds.size());
  WithThreads(domain, seeds.size(), threads, [&](ThreadPool& pool) {
    pool.For(seeds.size(), [&](std::size_t i) { problems[i] = domain.Generate(seeds[i]); });
  });
  return problems;
}

py::list Step(const Domain& domain, const py::object& states, std::size_t threads) {
  const Texts texts(states, "states");
  std::unique_ptr<ExpandedBlocks> expanded;
  WithThreads(domain, texts.size(), threads,
              [&](ThreadPool& pool) { expanded = std::make_unique<ExpandedBlocks>(domain, texts.views(), Labels::kOn, pool); });
  py::list results(texts.size());
  for (const Block& block : expanded->blocks()) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k < block.status.size(); ++k) {
      const std::size_t end = block.ends[k];
      py::list actions(end - begin);
      py::list next_states(end - begin);
      for (std::size_t i = begin; i < end; ++i) {
        actions[i - begin] = ToStr(block.successors.label(i));
        next_states[i - begin] = ToStr(block.successors.state(i));
      }
      results[block.first_state + k] = py::make_tuple(block.status[k] == Status::kSolved, actions, next_states);
      begin = end;
    }
  }
  return results;
}

// Columns, and some of what is in them, become the states without a detour through strings of Python.
std::unique_ptr<Expansion> Expand(const Domain& domain, const py::object& states, py::object indices, bool labels,
                                  std::size_t threads) {
  const Texts texts(states, "states");
  std::vector<std::string_view> expanded;
  if (indices.is_none()) {
    expanded = texts.views();
  } else {
    for (const std::size_t place : PlacesOf(std::move(indices), texts.size())) expanded.push_back(texts.views()[place]);
  }
  std::unique_ptr<Expansion> expansion;
  WithThreads(domain, expanded.size(), threads, [&](ThreadPool& pool) {
    expansion = Expansion::Make(domain, expanded, labels ? Labels::kOn : Labels::kOff, pool);
  });
  return expansion;
}

std::unique_ptr<TextColumn> TakeSuccessors(const Expansion& expansion, py::object indices) {
  std::vector<std::string_view> texts;
  for (const std::size_t place : PlacesOf(std::move(indices), expansion.size())) texts.push_back(expansion.successor(place));
  return std::make_unique<TextColumn>(texts);
}

std::unique_ptr<TextColumn> LabelsOf(const Expansion& expansion) {
  if (!expansion.has_labels()) throw Error("the successors were listed without labels; ask for them: expand(..., labels=True)");
  return std::make_unique<TextColumn>(expansion.label_text(), expansion.label_offsets());
}

py::str SuccessorAt(const Expansion& expansion, std::ptrdiff_t index) {
  const auto size = static_cast<std::ptrdiff_t>(expansion.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw py::index_error(fmt::format("there are {} successors", size));
  return ToStr(expansion.successor(static_cast<std::size_t>(index)));
}

py::dict AxiomsOf(const Domain& domain) {
  py::dict axioms;
  for (const Axiom& axiom : domain.type().axioms) axioms[py::str(axiom.name)] = axiom.meaning;
  return axioms;
}

void BindExpansion(py::module_& module) {
  py::class_<Expansion>(module, "Expansion", py::buffer_protocol(),
                        "The successors of many states: one buffer of text, and arrays over it. Nothing is copied.")
      .def_buffer([](Expansion& expansion) {
        return py::buffer_info(const_cast<char*>(expansion.text().data()), sizeof(char), "B", 1, {expansion.text().size()},
                               {sizeof(char)}, /*readonly=*/true);
      })
      .def_property_readonly(
          "text", [](const py::object& self) { return py::reinterpret_steal<py::object>(PyMemoryView_FromObject(self.ptr())); },
          "All successors without separators: a memoryview of UTF-8.")
      .def_property_readonly(
          "offsets",
          [](const py::object& self) { return ViewColumn<std::int64_t>(self.cast<const Expansion&>().offsets(), self); },
          "int64[successors + 1]: successor i is text[offsets[i]:offsets[i + 1]].")
      .def_property_readonly(
          "parents",
          [](const py::object& self) { return ViewColumn<std::int32_t>(self.cast<const Expansion&>().parents(), self); },
          "int32[successors]: the index of the state that each is a successor of.")
      .def_property_readonly(
          "first", [](const py::object& self) { return ViewColumn<std::int64_t>(self.cast<const Expansion&>().first(), self); },
          "int64[states + 1]: the successors of state i are those from first[i] to first[i + 1].")
      .def_property_readonly(
          "solved",
          [](const Expansion& expansion) {
            py::array_t<bool> solved(static_cast<py::ssize_t>(expansion.states()));
            bool* const out = solved.mutable_data();
            for (std::size_t i = 0; i < expansion.states(); ++i) out[i] = expansion.status()[i] == Status::kSolved;
            return solved;
          },
          "bool[states]: which states are solved. One that is not, and has no successors, is a dead end.")
      .def_property_readonly("labels", py::cpp_function(&LabelsOf, py::keep_alive<0, 1>()),
                             "The actions that lead to the successors, in a TextColumn, if they were asked for.")
      .def("take", &TakeSuccessors, py::arg("indices"),
           "The successors at these places, or where a mask is true, in a TextColumn.")
      .def("__len__", &Expansion::size)
      .def("__getitem__", &SuccessorAt, py::arg("index"), "One successor.");
}

}  // namespace

void BindDomains(py::module_& module) {
  BindExpansion(module);

  py::class_<Domain, std::shared_ptr<Domain>>(module, "Domain",
                                              "Problems whose states and actions are text. Immutable; any thread may use it.")
      .def(py::init(&MakeFromPython), py::arg("spec"),
           "A domain by name, or by text such as 'sorting:max_length=6'. Parameters may also be given by keyword.")
      .def_property_readonly("name", [](const Domain& domain) { return domain.type().name; })
      .def_property_readonly("spec", &Domain::Spec, "The text that makes an equal domain.")
      .def_property_readonly(
          "parameters",
          [](const Domain& domain) {
            return std::map<std::string, std::string>(domain.parameters().values().begin(), domain.parameters().values().end());
          },
          "The values of all parameters.")
      .def_property_readonly("axioms", &AxiomsOf, "The names of the axioms, with their meaning.")
      .def("generate", &Domain::Generate, py::arg("seed"), "The problem with this seed.",
           py::call_guard<py::gil_scoped_release>())
      .def("generate_batch", &GenerateBatch, py::arg("seeds"), py::kw_only(), py::arg("threads") = 0,
           "The problems with these seeds. 0 threads: one per core.")
      .def("parse", &Parse, py::arg("text"), "The problem as canonical text.", py::call_guard<py::gil_scoped_release>())
      .def("solved", &IsSolved, py::arg("state"), "Whether a state is solved.", py::call_guard<py::gil_scoped_release>())
      .def("step", &Step, py::arg("states"), py::kw_only(), py::arg("threads") = 0,
           "Per state: whether it is solved, its actions, and the states they lead to.")
      .def("expand", &Expand, py::arg("states"), py::arg("indices") = py::none(), py::kw_only(), py::arg("labels") = false,
           py::arg("threads") = 0,
           "The successors of states in columns: the fast form of step. The states are strings, a TextColumn or the successors "
           "of "
           "an Expansion, all of them or those at the indices; the actions are there on request.")
      .def("apply", &Apply, py::arg("state"), py::arg("axiom"), "The pairs (action, next state) of one axiom.")
      .def("__repr__", [](const Domain& domain) { return fmt::format("Domain('{}')", domain.Spec()); })
      .def(py::pickle(
          [](const Domain& domain) { return py::make_tuple(domain.Spec()); },
          [](const py::tuple& state) -> std::shared_ptr<Domain> { return MakeDomain(py::cast<std::string>(state[0])); }));

  py::class_<PythonDomain, Domain, std::shared_ptr<PythonDomain>>(module, "PythonDomain", "The base of PyDomain.")
      .def(py::init([](std::string name, std::string summary, const std::map<std::string, std::string>& axioms) {
             std::vector<Axiom> list;
             for (const auto& [axiom, meaning] : axioms) list.push_back({axiom, meaning});
             return std::make_shared<PythonDomain>(std::move(name), std::move(summary), std::move(list));
           }),
           py::arg("name"), py::arg("summary"), py::arg("axioms"));

  module.def(
      "domain_names",
      [] {
        std::vector<std::string> names;
        for (const DomainType* type : DomainTypes()) names.push_back(type->name);
        return names;
      },
      "The names of the domains that come with conpole.");
}

}  // namespace conpole::python
