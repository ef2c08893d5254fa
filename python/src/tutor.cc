// What people need besides a search: notation, verification, explanations, checks of steps.
#include <optional>
#include <utility>

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "python/src/bindings.h"
#include "tutor/check_step.h"
#include "tutor/explain.h"
#include "tutor/notation.h"
#include "tutor/verify.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

py::tuple Read(const Domain& domain, const std::string& text) {
  NotationResult result = ReadNotation(domain, text);
  if (result.error) {
    throw MalformedText(text, "problem", domain, {result.error->position, std::move(result.error->message)});
  }
  return py::make_tuple(result.state, result.reading);
}

std::string Verify(const Domain& domain, const std::vector<std::string>& path) {
  switch (VerifyPath(domain, path)) {
    case Verdict::kRight:
      return "right";
    case Verdict::kWrong:
      return "wrong";
    case Verdict::kCannotTell:
      return "cannot tell";
  }
  return "";
}

std::string Explain(const Domain& domain, const std::string& label, const std::string& before, const std::string& after,
                    const std::string& language, bool latex) {
  return ExplainStep(domain, label, before, after, {language, latex ? Script::kLatex : Script::kPlain});
}

const char* NameOf(StepCheck::Kind kind) {
  switch (kind) {
    case StepCheck::Kind::kSolved:
      return "solved";
    case StepCheck::Kind::kProgress:
      return "progress";
    case StepCheck::Kind::kNotCloser:
      return "not closer";
    case StepCheck::Kind::kCorrect:
      return "correct";
    case StepCheck::Kind::kNotEquivalent:
      return "not equivalent";
    case StepCheck::Kind::kUnreadable:
      return "unreadable";
    case StepCheck::Kind::kCannotTell:
      return "cannot tell";
  }
  return "";
}

}  // namespace

void BindTutor(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> unlocked;
  module.def("read_notation", &Read, py::arg("domain"), py::arg("text"), "The state that people mean, and how it was read.");
  module.def("write_notation", &WriteNotation, py::arg("domain"), py::arg("state"), unlocked, "A state as people write it.");
  module.def("write_latex", &WriteLatex, py::arg("domain"), py::arg("state"), unlocked, "A state in LaTeX.");
  module.def("guess_domain", &GuessDomain, py::arg("text"), "The name of the domain that a text seems to be a problem of.");
  module.def("verify_path", &Verify, py::arg("domain"), py::arg("path"), unlocked,
             "Whether the end of a path is the answer to its beginning: right, wrong or cannot tell.");
  module.def("explain", &Explain, py::arg("domain"), py::arg("action"), py::arg("before"), py::arg("after"), py::kw_only(),
             py::arg("language") = "en", py::arg("latex") = false, unlocked, "A step in words.");

  py::class_<StepCheck>(module, "StepCheck", "How a line of a learner follows from the one before it.")
      .def_property_readonly(
          "kind", [](const StepCheck& check) { return NameOf(check.kind); },
          "solved, progress, not closer, correct, not equivalent, unreadable or cannot tell.")
      .def_property_readonly("correct", &StepCheck::correct)
      .def_readonly("state", &StepCheck::state, "The line as canonical text; empty if it is unreadable.")
      .def_readonly("reading", &StepCheck::reading, "The line as it was understood.")
      .def_readonly("message", &StepCheck::message, "A sentence for the learner.")
      .def_readonly("changes_solutions", &StepCheck::changes_solutions, "Allowed, but the solutions are not the same.")
      .def_property_readonly(
          "side",
          [](const StepCheck& check) -> std::optional<std::string> {
            if (check.side == StepCheck::Side::kNone) return std::nullopt;
            return check.side == StepCheck::Side::kLeft ? "left" : "right";
          },
          "left or right: the side of an equation that is wrong, if one is.")
      .def("__repr__",
           [](const StepCheck& check) { return std::string("StepCheck(") + NameOf(check.kind) + ": " + check.message + ")"; });

  module.def(
      "check_step",
      [](const Domain& domain, const std::string& current, const std::string& line, const Distance& distance,
         const std::string& language) { return CheckStep(domain, current, line, distance, language); },
      py::arg("domain"), py::arg("current"), py::arg("line"), py::arg("distance") = Distance(), py::arg("language") = "en",
      py::call_guard<py::gil_scoped_release>(), "Judges a line after `current`, which is canonical text.");
}

}  // namespace conpole::python
