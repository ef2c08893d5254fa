#include "python/src/imported_domain.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/embed.h>
#include <pybind11/stl.h>

#include "conpole/error.h"
#include "python/src/ahead_domain.h"
#include "python/src/python_methods.h"
#include "python/src/python_subject.h"
#include "search/asked_ahead.h"
#include "subjects/own_subject.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// From it Python finds out where its modules are.
std::string Executable() {
  const char* const environment = std::getenv("VIRTUAL_ENV");
  if (environment == nullptr) return CONPOLE_PYTHON_EXECUTABLE;
  const std::filesystem::path folder = environment;
  std::error_code failure;
  // One of another version has nothing that could be used.
  if (!std::filesystem::exists(folder / "lib" / "python" CONPOLE_PYTHON_VERSION, failure)) return CONPOLE_PYTHON_EXECUTABLE;
  return folder / "bin" / "python3";
}

class Interpreter {
 public:
  Interpreter() {
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = 0;
    config.install_signal_handlers = 0;  // the program has its own
    const PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, Executable().c_str());
    if (PyStatus_Exception(status) != 0) throw Error(fmt::format("Python cannot be started: {}", status.err_msg));
    try {
      py::initialize_interpreter(&config, 0, nullptr, /*add_program_dir_to_path=*/false);
    } catch (const std::runtime_error& error) {
      throw Error(fmt::format("Python cannot be started: {}", error.what()));
    }
    unlocked_.emplace();
  }
  ~Interpreter() {
    unlocked_.reset();
    py::finalize_interpreter();
  }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

 private:
  // Whoever runs Python's code takes the lock.
  std::optional<py::gil_scoped_release> unlocked_;
};

// TYPE: MESSAGE (FILE, line LINE), of the innermost line. Requires the lock.
std::string Describe(const py::error_already_set& error) {
  std::string where;
  for (py::object at = error.trace(); at && !at.is_none(); at = at.attr("tb_next")) {
    where = fmt::format(" ({}, line {})", std::string(py::str(at.attr("tb_frame").attr("f_code").attr("co_filename"))),
                        py::cast<int>(at.attr("tb_lineno")));
  }
  return fmt::format("{}: {}{}", std::string(py::str(error.type().attr("__name__"))), std::string(py::str(error.value())),
                     where);
}

class ImportedDomain final : private OwnedDomainType, public Domain, public HasOwnSubject, public AskedAhead {
 public:
  ImportedDomain(std::unique_ptr<Interpreter> interpreter, py::object object, std::string path, OwnedDomainType type)
      : OwnedDomainType(std::move(type)),
        Domain(own_type, {}),
        interpreter_(std::move(interpreter)),
        object_(std::move(object)),
        path_(std::move(path)),
        subject_(&own_type, [this](const auto& ask) { AskObject(ask); }) {}
  ~ImportedDomain() override {
    const py::gil_scoped_acquire lock;
    object_ = {};
  }

  std::string Generate(std::uint64_t seed) const override {
    return AskObject([&](const PythonMethods& methods) { return methods.Generate(seed); });
  }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    return AskObject([&](const PythonMethods& methods) { return methods.Expand(state, labels, out); });
  }
  bool Solved(std::string_view state) const override {
    return AskObject([&](const PythonMethods& methods) { return methods.Solved(state); });
  }
  Parsed Parse(std::string_view text) const override {
    return AskObject([&](const PythonMethods& methods) { return methods.Parse(text); });
  }
  const Subject& subject() const override { return subject_; }
  std::unique_ptr<const Domain> Ask(std::span<const std::string_view> states, bool solved,
                                    const StopToken& stop) const override {
    return AskObject([&](const PythonMethods& methods) {
      return std::make_unique<const AheadDomain>(*this, methods, states, solved, stop);
    });
  }

 private:
  // An exception of Python must not outlive the interpreter, so none leaves.
  template <class Question>
  std::invoke_result_t<Question, const PythonMethods&> AskObject(const Question& ask) const {
    const py::gil_scoped_acquire lock;
    try {
      return ask(PythonMethods(object_, type().name));
    } catch (const py::error_already_set& error) {
      throw Error(fmt::format("{}: {}", path_, Describe(error)));
    }
  }

  std::unique_ptr<Interpreter> interpreter_;
  py::object object_;
  std::string path_;
  PythonSubject subject_;
};

struct Path {
  std::string module_name;
  std::string class_name;
  std::map<std::string, std::string> parameters;
};

Path ReadPath(std::string_view text) {
  const std::string_view names = text.substr(0, text.find(':'));
  const std::size_t dot = names.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == names.size()) {
    throw Error(fmt::format("'{}': after python: there must be MODULE.CLASS, for example python:puzzle.Puzzle", text));
  }
  Path path{std::string(names.substr(0, dot)), std::string(names.substr(dot + 1)), {}};
  std::string_view rest = text.substr(names.size());
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the separator
    const std::string_view setting = rest.substr(0, rest.find(','));
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos) throw Error(fmt::format("'{}': expected NAME=VALUE, found '{}'", text, setting));
    path.parameters[std::string(setting.substr(0, equals))] = setting.substr(equals + 1);
    rest.remove_prefix(setting.size());
  }
  return path;
}

// A number or another literal of Python is one; everything else is text.
py::object ValueOf(const std::string& text) {
  try {
    return py::module_::import("ast").attr("literal_eval")(text);
  } catch (const py::error_already_set&) {
    return py::str(text);
  }
}

py::object MakeObject(const Path& path) {
  // As `python -m` has it.
  py::module_::import("sys").attr("path").attr("insert")(0, std::filesystem::current_path().string());
  const py::object made_from = py::module_::import(path.module_name.c_str()).attr(path.class_name.c_str());
  const py::object base = py::module_::import("conpole").attr("PyDomain");
  if (PyType_Check(made_from.ptr()) == 0 || PyObject_IsSubclass(made_from.ptr(), base.ptr()) != 1) {
    throw Error(
        fmt::format("{} of the module {} is no class derived from conpole.PyDomain", path.class_name, path.module_name));
  }
  py::dict parameters;
  for (const auto& [name, value] : path.parameters) parameters[py::str(name)] = ValueOf(value);
  return made_from(**parameters);
}

OwnedDomainType TypeOf(const py::object& object) {
  std::vector<Axiom> axioms;
  for (const auto& [name, meaning] : py::cast<std::map<std::string, std::string>>(object.attr("axioms"))) {
    axioms.push_back({name, meaning});
  }
  return {py::cast<std::string>(object.attr("name")), py::str(object.attr("summary")), std::move(axioms)};
}

}  // namespace

std::unique_ptr<Domain> ImportDomain(std::string_view path) {
  const Path names = ReadPath(path);
  auto interpreter = std::make_unique<Interpreter>();
  const py::gil_scoped_acquire lock;
  try {
    py::object object = MakeObject(names);
    OwnedDomainType type = TypeOf(object);
    return std::make_unique<ImportedDomain>(std::move(interpreter), std::move(object), fmt::format("python:{}", path),
                                            std::move(type));
  } catch (const py::error_already_set& error) {
    const bool not_found = error.matches(PyExc_ModuleNotFoundError);
    throw Error(fmt::format(
        "python:{}: {}{}", path, Describe(error),
        not_found ? "; modules are looked for in the current folder, in PYTHONPATH and where pip installs them" : ""));
  }
}

}  // namespace conpole::python
