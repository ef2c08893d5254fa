#include "python/src/python_subject.h"

namespace conpole::python {

std::string PythonSubject::Write(Script script, const Line& line) const {
  std::optional<std::string> own;
  if (script == Script::kLatex) ask_([&](const PythonMethods& methods) { own = methods.Latex(line.state); });
  return own ? *std::move(own) : Subject::Write(script, line);
}

Verdict PythonSubject::Verify(const Problem& problem, const Line& answer) const {
  std::optional<bool> is_right;
  ask_([&](const PythonMethods& methods) { is_right = methods.Verify(problem.line.state, answer.state); });
  if (!is_right) return Verdict::kCannotTell;
  return *is_right ? Verdict::kRight : Verdict::kWrong;
}

std::optional<std::string> PythonSubject::OwnSentence(const Action& action, const Line& before, const Line& after,
                                                      std::string_view language, bool results) const {
  std::optional<std::string> own;
  ask_([&](const PythonMethods& methods) { own = methods.Explain(action.label, before.state, after.state, language); });
  if (own || results) return own ? *std::move(own) : action.label;
  // Of a hint: a label is no sentence.
  return Catalogue::Find(language).Sentence("hint.axiom", {{"axiom", action.label}});
}

std::optional<std::string> PythonSubject::OwnHint(const Action& action, std::string_view language) const {
  for (const Axiom& axiom : type()->axioms) {
    if (axiom.name == action.axiom && !axiom.meaning.empty()) return axiom.meaning;
  }
  return Catalogue::Find(language).Sentence("hint.axiom", {{"axiom", action.axiom}});
}

}  // namespace conpole::python
