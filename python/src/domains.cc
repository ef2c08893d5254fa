// Domains: conpole.Domain, conpole.Expansion and the base of conpole.PyDomain.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/expansion.h"
#include "python/src/interruption.h"
#include "python/src/python_domain.h"
#include "python/src/shared_pool.h"
#include "python/src/text_column.h"
#include "python/src/texts.h"
#include "subjects/subject.h"
#include "tutor/explain.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// Fewer states are done sooner than threads are woken up.
constexpr std::size_t kStatesWorthThreads = 64;

// Calls work(domain, pool) without the interpreter's lock, so that Ctrl-C ends it. Domains written in Python run in the calling
// thread, where Python looks for signals by itself.
template <class Work>
void WithThreads(const Domain& domain, std::size_t states, std::size_t threads, const Work& work) {
  const py::gil_scoped_release release;
  if (IsPython(domain) || states <= 1) return WithSharedPool(1, [&](ThreadPool& pool) { work(domain, pool); });
  const WatchedDomain watched(domain);
  WithSharedPool(states < kStatesWorthThreads ? 1 : threads, [&](ThreadPool& pool) { work(watched, pool); });
}

// For long loops with the interpreter's lock: now and then, throws what the handler of a signal raises.
void LookForSignals(std::size_t round) {
  constexpr std::size_t kBetweenLooks = 64;
  if (round % kBetweenLooks == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
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

// MakeDomain takes a text without the line "domain NAME" for the name of a domain, or of a file.
std::shared_ptr<Domain> MakeDomainOfText(const std::string& text) {
  if (!text.starts_with("domain ") && text.find("\ndomain ") == std::string::npos) {
    throw Error("the text of a domain has a line that begins with: domain NAME");
  }
  return MakeDomain(text);
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

// Without capitals and the full stop at its end.
std::string Plain(std::string_view sentence) {
  while (sentence.ends_with('.') || sentence.ends_with(' ')) sentence.remove_suffix(1);
  std::string plain(sentence);
  std::transform(plain.begin(), plain.end(), plain.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return plain;
}

// `action` is an axiom, a whole label, or the sentence of a step.
py::list Apply(const Domain& domain, std::string_view state, std::string_view action) {
  Successors successors;
  const Status status = domain.Expand(state, Labels::kOn, successors);
  if (status == Status::kMalformed) throw MalformedText(state, "state", domain, successors.error());
  const std::vector<Axiom>& axioms = domain.type().axioms;
  const bool is_axiom = std::any_of(axioms.begin(), axioms.end(), [&](const Axiom& axiom) { return axiom.name == action; });
  py::list pairs;
  const auto add_if = [&](const auto& fits) {
    for (std::size_t i = 0; i < successors.size(); ++i) {
      if (fits(i)) pairs.append(py::make_tuple(ToStr(successors.label(i)), ToStr(successors.state(i))));
    }
  };
  add_if([&](std::size_t i) { return is_axiom ? AxiomOf(successors.label(i)) == action : successors.label(i) == action; });
  if (is_axiom || !pairs.empty()) return pairs;
  const std::string sentence = Plain(action);
  const Subject& subject = SubjectOf(domain);
  const Line before = subject.Understand(std::string(state));
  add_if([&](std::size_t i) {
    const Line after = subject.Understand(std::string(successors.state(i)));
    const Action read = subject.ReadAction(successors.label(i));
    return Plain(ExplainStep(subject, read, before, after)) == sentence ||
           Plain(ExplainStep(subject, read, before, after, {.results = false})) == sentence;
  });
  // What is neither a label nor a sentence of this state may be an axiom that there is not, which is an error.
  if (pairs.empty() && action.find(' ') == std::string_view::npos) {
    successors.Clear();
    domain.Apply(state, action, successors);
  }
  return pairs;
}

// In blocks, between which Ctrl-C ends it: there may be many seeds, and what is made of them takes memory.
py::list GenerateBatch(const Domain& domain, const py::iterable& given, std::size_t threads) {
  constexpr std::size_t kBlock = 8192;
  py::list texts;
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> problems;
  const auto generate = [&] {
    problems.resize(seeds.size());
    WithThreads(domain, seeds.size(), threads, [&](const Domain& watched, ThreadPool& pool) {
      pool.For(seeds.size(), [&](std::size_t i) { problems[i] = watched.Generate(seeds[i]); });
    });
    for (const std::string& problem : problems) texts.append(ToStr(problem));
    seeds.clear();
    LookForSignals(0);
  };
  for (const py::handle seed : given) {
    seeds.push_back(seed.cast<std::uint64_t>());
    if (seeds.size() == kBlock) generate();
  }
  if (!seeds.empty()) generate();
  return texts;
}

py::list Step(const Domain& domain, const py::object& states, std::size_t threads) {
  const Texts texts(states, "states");
  std::unique_ptr<ExpandedBlocks> expanded;
  WithThreads(domain, texts.size(), threads, [&](const Domain& watched, ThreadPool& pool) {
    expanded = std::make_unique<ExpandedBlocks>(watched, texts.views(), Labels::kOn, pool);
  });
  py::list results(texts.size());
  for (const Block& block : expanded->blocks()) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k < block.status.size(); ++k) {
      LookForSignals(k);
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
  WithThreads(domain, expanded.size(), threads, [&](const Domain& watched, ThreadPool& pool) {
    expansion = Expansion::Make(watched, expanded, labels ? Labels::kOn : Labels::kOff, pool);
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

// Lists again what an expansion held, one state after the other, so that an equal one can be made from it.
class RecordedSuccessors final : private OwnedDomainType, public Domain {
 public:
  // The columns must outlive it. Throws Error if they do not fit together.
  RecordedSuccessors(std::string_view text, std::span<const std::int64_t> offsets, std::span<const std::int64_t> first,
                     std::span<const std::uint8_t> status, const TextColumn* labels)
      : OwnedDomainType("an expansion", "", {}),
        Domain(own_type, {}),
        text_(text),
        offsets_(offsets),
        first_(first),
        status_(status),
        labels_(labels) {
    const auto ascends = [](std::span<const std::int64_t> column, std::size_t end) {
      return !column.empty() && column.front() == 0 && column.back() == static_cast<std::int64_t>(end) &&
             std::is_sorted(column.begin(), column.end());
    };
    if (!ascends(offsets, text.size()) || !ascends(first, offsets.size() - 1) || first.size() != status.size() + 1 ||
        std::any_of(status.begin(), status.end(), [](std::uint8_t one) { return Status{one} >= Status::kMalformed; }) ||
        (labels != nullptr && labels->size() != offsets.size() - 1)) {
      throw Error("these are not the columns of an expansion");
    }
  }

  Status Expand(std::string_view, Labels labels, Successors& out) const override {
    const std::size_t state = next_++;
    for (auto i = static_cast<std::size_t>(first_[state]); i < static_cast<std::size_t>(first_[state + 1]); ++i) {
      const auto size = static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]);
      char* const to = out.BeginState(size);
      if (size != 0) std::memcpy(to, text_.data() + offsets_[i], size);
      out.EndState(to + size);
      if (labels == Labels::kOn) {
        const std::string_view label = (*labels_)[i];
        char* const label_to = out.BeginLabel(label.size());
        out.EndLabel(label_to + label.copy(label_to, label.size()));
      }
    }
    return Status{status_[state]};
  }
  std::string Generate(std::uint64_t) const override { return {}; }
  bool Solved(std::string_view) const override { return false; }
  Parsed Parse(std::string_view text) const override { return {std::string(text), std::nullopt}; }

 private:
  std::string_view text_;
  std::span<const std::int64_t> offsets_;
  std::span<const std::int64_t> first_;
  std::span<const std::uint8_t> status_;
  const TextColumn* labels_;  // null for none
  mutable std::size_t next_ = 0;
};

template <class Element>
py::array_t<Element> CopyOf(const auto& column) {
  py::array_t<Element> copy(static_cast<py::ssize_t>(column.size()));
  std::transform(column.begin(), column.end(), copy.mutable_data(), [](auto element) { return static_cast<Element>(element); });
  return copy;
}

py::tuple SaveExpansion(const Expansion& expansion) {
  return py::make_tuple(py::bytes(expansion.text().data(), expansion.text().size()), CopyOf<std::int64_t>(expansion.offsets()),
                        CopyOf<std::int64_t>(expansion.first()), CopyOf<std::uint8_t>(expansion.status()),
                        expansion.has_labels() ? py::cast(LabelsOf(expansion)) : py::none());
}

std::unique_ptr<Expansion> RestoreExpansion(const py::tuple& saved) {
  const auto text = py::cast<py::bytes>(saved[0]);
  const auto offsets = py::cast<py::array_t<std::int64_t, py::array::c_style>>(saved[1]);
  const auto first = py::cast<py::array_t<std::int64_t, py::array::c_style>>(saved[2]);
  const auto status = py::cast<py::array_t<std::uint8_t, py::array::c_style>>(saved[3]);
  const auto span_of = [](const auto& column) { return std::span(column.data(), static_cast<std::size_t>(column.size())); };
  const py::object labels = saved[4];
  const RecordedSuccessors recorded(std::string_view(text), span_of(offsets), span_of(first), span_of(status),
                                    labels.is_none() ? nullptr : &labels.cast<const TextColumn&>());
  ThreadPool alone(1);
  return Expansion::Make(recorded, std::vector<std::string_view>(static_cast<std::size_t>(status.size())),
                         labels.is_none() ? Labels::kOff : Labels::kOn, alone);
}

py::dict AxiomsOf(const Domain& domain) {
  py::dict axioms;
  for (const Axiom& axiom : domain.type().axioms) axioms[py::str(axiom.name)] = axiom.meaning;
  return axioms;
}

using AxiomMeanings = std::map<std::string, std::string>;

std::vector<Axiom> ListOf(const AxiomMeanings& axioms) {
  std::vector<Axiom> list;
  for (const auto& [name, meaning] : axioms) list.push_back({name, meaning});
  return list;
}

py::object AreEqualDomains(const py::object& self, const py::object& other) {
  if (!py::isinstance<Domain>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  return py::bool_(py::type::of(self).is(py::type::of(other)) && self.attr("spec").equal(other.attr("spec")));
}

// A domain by its type in Python and its text. A class derived from Domain may have an __init__ that takes something else.
py::object Restore(const py::type& made_from, const std::string& spec) {
  py::object domain = made_from.attr("__new__")(made_from);
  py::type::of<Domain>().attr("__init__")(domain, spec);
  return domain;
}

py::tuple Reduce(const py::object& self) {
  const py::object restore = py::module_::import("conpole._native").attr("_restore_domain");
  const py::tuple arguments = py::make_tuple(py::type::of(self), self.attr("spec"));
  return py::make_tuple(restore, arguments, py::getattr(self, "__dict__", py::none()));
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
          [](const py::object& self) {
            return ViewColumn<std::int32_t>(self.cast<const Expansion&>().parents(), self, Access::kWriteable);
          },
          "int32[successors]: the index of the state that each is a successor of.")
      .def_property_readonly(
          "first",
          [](const py::object& self) {
            return ViewColumn<std::int64_t>(self.cast<const Expansion&>().first(), self, Access::kWriteable);
          },
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
      .def("__getitem__", &SuccessorAt, py::arg("index"), "One successor.")
      .def("__repr__",
           [](const Expansion& expansion) {
             return fmt::format("Expansion({} successors of {} states)", expansion.size(), expansion.states());
           })
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return self; })
      .def(py::pickle(&SaveExpansion, &RestoreExpansion));
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
           "of an Expansion, all of them or those at the indices; the actions are there on request.")
      .def_static("from_text", &MakeDomainOfText, py::arg("text"),
                  "The domain that the text of a domain file defines (docs/domain-files.md).")
      .def("apply", &Apply, py::arg("state"), py::arg("axiom"),
           "The pairs (action, next state) of one axiom (\"sub\"), of one action as step lists it (\"sub 3\"), or of the steps "
           "that "
           "this sentence describes (\"subtract 3 from both sides\").")
      .def("__repr__", [](const Domain& domain) { return fmt::format("Domain('{}')", domain.Spec()); })
      .def("__eq__", &AreEqualDomains, py::arg("other"))
      .def("__hash__", [](const py::object& self) { return py::hash(py::make_tuple(py::type::of(self), self.attr("spec"))); })
      .def("__reduce__", &Reduce);
  module.def("_restore_domain", &Restore, py::arg("made_from"), py::arg("spec"));

  py::class_<PythonDomain, Domain, std::shared_ptr<PythonDomain>>(module, "PythonDomain", "The base of PyDomain.")
      .def(py::init([](std::string name, std::string summary, const AxiomMeanings& axioms) {
             return std::make_shared<PythonDomain>(std::move(name), std::move(summary), ListOf(axioms));
           }),
           py::arg("name"), py::arg("summary"), py::arg("axioms"))
      .def(
          "_describe",
          [](PythonDomain& domain, std::string name, std::string summary, const AxiomMeanings& axioms) {
            domain.Describe(std::move(name), std::move(summary), ListOf(axioms));
          },
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
