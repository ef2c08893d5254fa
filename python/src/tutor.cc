// What people need besides a search: the tutor, notation, verification.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "notation/notation.h"
#include "python/src/bindings.h"
#include "python/src/guide.h"
#include "python/src/python_domain.h"
#include "session/reading.h"
#include "session/session.h"
#include "subjects/free_notation.h"
#include "subjects/markup.h"
#include "subjects/verify.h"
#include "tutor/check_step.h"
#include "tutor/practice_skills.h"
#include "tutor/tutor.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

py::tuple Read(const Domain& domain, const std::string& text, const std::string& language, bool to_check) {
  NotationResult result = (to_check ? ReadToCheck : ReadNotation)(domain, text, language);
  if (result.error) {
    throw MalformedText(text, "problem", domain, {result.error->position, std::move(result.error->message)});
  }
  return py::make_tuple(result.state, result.reading);
}

// In words, where the JSON of the command line has one word.
std::string InWords(std::string_view word) {
  std::string name(word);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::optional<std::string> OrNone(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

std::string Verify(const Domain& domain, const std::vector<std::string>& path) {
  return InWords(NameOf(VerifyPath(domain, path)));
}

// All that a check is, and the check that it is.
py::tuple StateOf(const StepCheck& check) {
  py::object error = py::none();
  if (check.error) {
    error = py::make_tuple(static_cast<int>(check.error->kind), check.error->position, check.error->message.english());
  }
  return py::make_tuple(static_cast<int>(check.kind), check.state, check.reading, check.message, check.changes_solutions,
                        static_cast<int>(check.side), error, check.mistake, check.step, check.after_mistake, check.also,
                        check.reminder, check.is_true, check.is_step, static_cast<int>(check.help), check.operation,
                        check.operand, check.detour);
}

StepCheck CheckOf(const py::tuple& state) {
  StepCheck check;
  check.kind = static_cast<StepCheck::Kind>(py::cast<int>(state[0]));
  check.state = py::cast<std::string>(state[1]);
  check.reading = py::cast<std::string>(state[2]);
  check.message = py::cast<std::string>(state[3]);
  check.changes_solutions = py::cast<bool>(state[4]);
  check.side = static_cast<StepCheck::Side>(py::cast<int>(state[5]));
  if (const py::object error = state[6]; !error.is_none()) {
    check.error = {static_cast<NotationError::Kind>(py::cast<int>(error[py::int_(0)])),
                   py::cast<std::size_t>(error[py::int_(1)]), py::cast<std::string>(error[py::int_(2)])};
  }
  check.mistake = py::cast<std::string>(state[7]);
  check.step = py::cast<std::string>(state[8]);
  check.after_mistake = py::cast<bool>(state[9]);
  check.also = py::cast<std::string>(state[10]);
  check.reminder = py::cast<std::string>(state[11]);
  check.is_true = py::cast<std::optional<bool>>(state[12]);
  check.is_step = py::cast<std::optional<bool>>(state[13]);
  check.help = static_cast<StepCheck::Help>(py::cast<int>(state[14]));
  check.operation = py::cast<std::string>(state[15]);
  check.operand = py::cast<std::string>(state[16]);
  check.detour = py::cast<std::string>(state[17]);
  return check;
}

// A tutor as Python holds it. The session that answers is made for each call: it must not be shared by threads, and its own
// would not survive a fork.
class PythonTutor {
 public:
  PythonTutor(std::shared_ptr<Domain> domain, py::object scorer, const std::string& meaning, std::uint64_t seed,
              std::string language, const std::string& detail, std::string abstractions, std::uint64_t milliseconds,
              std::uint64_t expansions, std::size_t threads)
      : guide_(std::move(scorer), meaning, seed) {
    options_.language = std::move(language);
    options_.detail = DetailOf(detail);
    options_.abstractions = std::move(abstractions);
    options_.budget.milliseconds = milliseconds;
    options_.budget.expansions = expansions;
    options_.threads = IsPython(*domain) ? 1 : threads;
    options_.given_domain = std::move(domain);
  }

  TutorSolution Solve(const std::string& problem, const std::optional<SearchOptions>& search) const {
    return Ask(
        [&](Tutor& tutor, const TutorBudget& budget) { return tutor.Solve(problem, budget, search ? &*search : nullptr); });
  }
  TutorHint Hint(const std::string& state, int level, const std::string& tried) const {
    return Ask([&](Tutor& tutor, const TutorBudget& budget) { return tutor.HintAfter(state, tried, level, budget); });
  }
  std::vector<NextStep> NextSteps(const std::string& state) const {
    return Ask([&](Tutor& tutor, const TutorBudget&) { return tutor.NextSteps(state); });
  }
  StepCheck Check(const std::string& current, const std::string& line) const {
    return Ask([&](Tutor& tutor, const TutorBudget& budget) { return tutor.Check(current, line, budget); });
  }
  std::vector<StepCheck> CheckLines(const std::string& problem, const std::vector<std::string>& lines) const {
    return Ask([&](Tutor& tutor, const TutorBudget& budget) { return tutor.CheckLines(problem, lines, budget); });
  }
  std::string Exercise(std::uint64_t level, std::uint64_t seed) const {
    return Ask([&](Tutor& tutor, const TutorBudget&) { return tutor.Exercise(level, seed); });
  }

 private:
  template <class Question>
  std::invoke_result_t<Question, Tutor&, const TutorBudget&> Ask(const Question& question) const {
    std::atomic<bool> stop = false;
    SessionOptions options = options_;
    options.budget.stop = &stop;
    options.choose_policy = [this](const Domain&) { return guide_.policy(); };
    Session session(std::move(options));
    std::invoke_result_t<Question, Tutor&, const TutorBudget&> answer;
    RunUnlocked(guide_.is_function() || IsPython(*options_.given_domain), stop,
                [&] { answer = question(session.tutor(), session.budget()); });
    return answer;
  }

  Guide guide_;
  SessionOptions options_;
};

void BindMarkup(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> unlocked;
  py::class_<Markup>(module, "Markup", "A line for browsers and for ears.")
      .def_readonly("notation", &Markup::notation, "The line as people write it, in the words of the language.")
      .def_readonly("mathml", &Markup::mathml, "A <math> element.")
      .def_readonly("speech", &Markup::speech, "The line in words.");
  py::class_<StepMarkup, Markup>(module, "StepMarkup", "A line with the parts marked that a step changed.")
      .def_readonly("before_mathml", &StepMarkup::before_mathml, "The line before, with what will change marked.");
  module.def("markup", &MarkupOf, py::arg("domain"), py::arg("state"), py::arg("language") = "en", unlocked,
             "A state for browsers and for ears.");
  module.def("markup_step", &MarkupOfStep, py::arg("domain"), py::arg("before"), py::arg("after"), py::arg("language") = "en",
             unlocked, "The state after a step for browsers and for ears, with the changed parts marked.");
  module.def("draw_lines", &DrawLines, py::arg("domain"), py::arg("states"), py::arg("as_balance"), unlocked,
             "A solution as a picture, in SVG; None if there is none.");
}

void BindAnswers(py::module_& module) {
  py::class_<TutorStep>(module, "TutorStep")
      .def_readonly("label", &TutorStep::label)
      .def_readonly("before", &TutorStep::before)
      .def_readonly("after", &TutorStep::after)
      .def_readonly("text", &TutorStep::text)
      .def_readonly("axioms", &TutorStep::axioms)
      .def_readonly("axioms_domain", &TutorStep::axioms_domain)
      .def_readonly("axioms_note", &TutorStep::axioms_note)
      .def_readonly("why", &TutorStep::why);
  py::class_<TutorSolution>(module, "TutorSolution")
      .def_property_readonly("status", [](const TutorSolution& solution) { return NameOf(solution.status); })
      .def_readonly("problem", &TutorSolution::problem)
      .def_readonly("answer", &TutorSolution::answer)
      .def_readonly("answer_notation", &TutorSolution::answer_notation)
      .def_property_readonly("verified",
                             [](const TutorSolution& solution) -> std::optional<bool> {
                               if (solution.solved() && solution.verdict == Verdict::kCannotTell) return std::nullopt;
                               return solution.verified();
                             })
      .def_readonly("exceptions", &TutorSolution::exceptions)
      .def_readonly("irrational_exceptions", &TutorSolution::irrational_exceptions)
      .def_readonly("message", &TutorSolution::message)
      .def_readonly("steps", &TutorSolution::steps)
      .def_property_readonly("outcome", [](const TutorSolution& solution) { return OutcomeName(solution.outcome); })
      .def_readonly("expanded", &TutorSolution::expanded);
  py::class_<TutorHint>(module, "TutorHint")
      .def_property_readonly("status", [](const TutorHint& hint) { return NameOf(hint.status); })
      .def_readonly("text", &TutorHint::text)
      .def_readonly("step", &TutorHint::step)
      .def_property_readonly("mistake", [](const TutorHint& hint) { return OrNone(hint.mistake); });
  py::class_<NextStep>(module, "TutorNextStep")
      .def_readonly("step", &NextStep::step)
      .def_readonly("probability", &NextStep::probability);
}

}  // namespace

void BindTutor(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> unlocked;
  module.def("read_notation", &Read, py::arg("domain"), py::arg("text"), py::arg("language") = "en",
             py::arg("to_check") = false, "The state that people mean, and how it was read.");
  module.def("write_notation", &WriteNotation, py::arg("domain"), py::arg("state"), unlocked, "A state as people write it.");
  module.def("write_latex", &WriteLatex, py::arg("domain"), py::arg("state"), unlocked, "A state in LaTeX.");
  module.def("guess_domain", &GuessDomain, py::arg("text"), py::arg("language") = "en",
             "The name of the domain that a text seems to be a problem of.");
  module.def(
      "lines_of",
      [](const Domain& domain, const std::vector<std::string>& texts) {
        const Subject& subject = SubjectOf(domain);
        std::vector<std::string> lines = LinesOf(subject, texts);
        if (lines.empty()) return texts;
        lines.front() = ProblemOfLine(subject, lines.front());
        return lines;
      },
      py::arg("domain"), py::arg("texts"), "The problem and the lines after it, of texts that may have several lines each.");
  module.def("guess_domain_of_lines", &ChooseDomainOfLines, py::arg("text"), py::arg("language") = "en",
             "The name of the domain that the first line of a text seems to be a problem of.");
  module.def(
      "skills",
      [] {
        std::map<std::string, std::size_t> levels;
        for (const Skill& skill : Skills()) levels.emplace(skill.name, skill.levels.size());
        return levels;
      },
      "The skills that can be practised, each with its number of levels.");
  module.def(
      "skill_exercise",
      [](std::string_view name, std::size_t level, std::uint64_t seed) {
        const Skill& skill = FindSkill(name);
        return WriteNotation(*MakeDomain(skill.domain), MakeExercise(skill, level, seed));
      },
      py::arg("skill"), py::arg("level"), py::arg("seed"), unlocked, "An exercise of a skill, as people write it.");
  module.def("verify_path", &Verify, py::arg("domain"), py::arg("path"), unlocked,
             "Whether the end of a path is the answer to its beginning: right, wrong or cannot tell.");

  py::class_<StepCheck>(module, "StepCheck", "How a line of a learner follows from the one before it.")
      .def_property_readonly(
          "kind", [](const StepCheck& check) { return InWords(NameOf(check.kind)); },
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
      .def_property_readonly(
          "mistake", [](const StepCheck& check) { return OrNone(check.mistake); },
          "The name of the typical error that makes this line, if one is known: sign_moved, first_term_only and others.")
      .def_property_readonly(
          "also", [](const StepCheck& check) { return OrNone(check.also); }, "A second error in the same line.")
      .def_property_readonly(
          "reminder", [](const StepCheck& check) { return OrNone(check.reminder); },
          "What to keep in mind after the error, in a sentence.")
      .def_readonly("is_true", &StepCheck::is_true, "Whether it has the same solutions or value; None if not known.")
      .def_readonly("is_step", &StepCheck::is_step, "Whether it follows, side by side; None if not known.")
      .def_property_readonly(
          "helps", [](const StepCheck& check) { return OrNone(std::string(NameOf(check.help))); },
          "closer, no_nearer or away; None if not known.")
      .def_property_readonly(
          "operation", [](const StepCheck& check) { return OrNone(check.operation); },
          "What was done to both sides: added, subtracted, multiplied, divided or rewritten.")
      .def_property_readonly(
          "operand", [](const StepCheck& check) { return OrNone(check.operand); }, "What was added, and so on.")
      .def_property_readonly(
          "detour", [](const StepCheck& check) { return OrNone(check.detour); }, "Why a true line does not help.")
      .def_readonly("after_mistake", &StepCheck::after_mistake, "It follows from the line before, which is wrong itself.")
      .def("__repr__",
           [](const StepCheck& check) { return fmt::format("StepCheck({}: {})", InWords(NameOf(check.kind)), check.message); })
      .def(
          "__eq__",
          [](const StepCheck& check, const py::object& other) -> py::object {
            if (!py::isinstance<StepCheck>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
            return py::bool_(StateOf(check).equal(StateOf(py::cast<const StepCheck&>(other))));
          },
          py::arg("other"))
      .def("__hash__", [](const StepCheck& check) { return py::hash(StateOf(check)); })
      .def(py::pickle([](const StepCheck& check) { return StateOf(check); }, &CheckOf));

  BindMarkup(module);
  BindAnswers(module);
  py::class_<PythonTutor>(module, "Tutor", "The tutor of a domain. All states that it is given are canonical text.")
      .def(py::init<std::shared_ptr<Domain>, py::object, const std::string&, std::uint64_t, std::string, const std::string&,
                    std::string, std::uint64_t, std::uint64_t, std::size_t>(),
           py::arg("domain"), py::arg("scorer"), py::kw_only(), py::arg("meaning"), py::arg("seed"), py::arg("language"),
           py::arg("detail"), py::arg("abstractions"), py::arg("milliseconds"), py::arg("expansions"), py::arg("threads"))
      .def("solve", &PythonTutor::Solve, py::arg("problem"), py::arg("search"))
      .def("hint", &PythonTutor::Hint, py::arg("state"), py::arg("level"), py::arg("tried") = "")
      .def("next_steps", &PythonTutor::NextSteps, py::arg("state"))
      .def("check", &PythonTutor::Check, py::arg("current"), py::arg("line"))
      .def("check_lines", &PythonTutor::CheckLines, py::arg("problem"), py::arg("lines"))
      .def("exercise", &PythonTutor::Exercise, py::arg("level"), py::arg("seed"));
}

}  // namespace conpole::python
