#include "tutor/format.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "language/signs.h"
#include "subjects/free_notation.h"
#include "subjects/markup_json.h"
#include "subjects/subject.h"

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(std::string_view text) { return text.empty() ? Json() : Json(text); }
Json OrNull(std::optional<bool> value) { return value ? Json(*value) : Json(); }

void AddReading(const FormatOptions& options, Json& object) {
  if (options.read_as) object["read_as"] = OrNull(*options.read_as);
}

// The fields of a step, with markup where it is wanted.
Json ToJson(const Domain& domain, const TutorStep& step, const FormatOptions& options) {
  Json json{{"axiom", step.axiom},   {"position", step.position ? Json(*step.position) : Json()},
            {"before", step.before}, {"after", step.after},
            {"text", step.text},     {"why", step.why}};
  if (!step.name.empty()) json["singmaster"] = step.name;
  if (options.markup) AddMarkup(json, MarkupOfStep(domain, step.before, step.after, options.language));
  return json;
}

// Unsolved problems were not verified; of an answer that cannot be verified it is not known whether it is right.
Json VerifiedOf(const TutorSolution& solution) {
  if (solution.status == SolveStatus::kUnsolved) return false;
  return solution.verdict == Verdict::kCannotTell ? Json() : Json(solution.verified());
}

// A text that people read. A domain that is a file writes as it says.
std::string ForPeople(const Domain& domain, std::string text) { return domain.type().file != nullptr ? text : WithSigns(text); }

// A sentence, and why the step was not opened.
std::string WithNote(const TutorStep& step) {
  return step.axioms_note.empty() ? step.text : step.text + ' ' + step.axioms_note;
}

// Whether a step's axioms stand for it.
bool ShownAsAxioms(const TutorStep& step, Detail detail) {
  return detail == Detail::kAxioms && step.axioms_complete && !step.axioms.empty();
}

std::string SolutionAsText(const TutorSolution& solution, Detail detail) {
  std::string text;
  std::string last_line;
  const auto add_line = [&](const std::string& indent, const std::string& line) {
    text += (text.empty() ? "" : "\n") + indent + line;
    last_line = line;
  };
  const auto add_axioms = [&](const std::string& indent, const TutorStep& step) {
    for (const TutorStep& axiom : step.axioms) {
      if (axiom.before_notation != last_line) add_line(indent, axiom.before_notation);
      text += "\n" + indent + "  " + axiom.text;
      add_line(indent, axiom.notation);
    }
  };
  const bool starts_with_axioms = !solution.steps.empty() && ShownAsAxioms(solution.steps.front(), detail);
  if (!starts_with_axioms) add_line("", solution.notation);
  for (const TutorStep& step : solution.steps) {
    if (ShownAsAxioms(step, detail)) {
      add_axioms("", step);
      continue;
    }
    text += "\n  " + WithNote(step);
    last_line.clear();
    if (detail == Detail::kWhy) {
      for (const std::string& reason : step.why) text += "\n      " + reason;
    }
    add_axioms("      ", step);
    add_line("", step.notation);
  }
  if (solution.turns) text += "\n" + solution.turns->singmaster;
  return text + "\n-- " + solution.message;
}

Json AxiomsToJson(const TutorStep& step, const FormatOptions& options) {
  if (step.axioms_domain.empty()) return {};
  Json axioms = Json::array();
  const std::unique_ptr<Domain> domain = options.markup ? MakeDomain(step.axioms_domain) : nullptr;
  for (const TutorStep& axiom : step.axioms) {
    axioms.push_back({{"axiom", axiom.axiom},
                      {"position", axiom.position ? Json(*axiom.position) : Json()},
                      {"before", axiom.before},
                      {"state", axiom.after},
                      {"notation", axiom.notation},
                      {"text", axiom.text}});
    if (options.markup) AddMarkup(axioms.back(), MarkupOfStep(*domain, axiom.before, axiom.after, options.language));
  }
  return axioms;
}

void AddAnswerMarkup(const Domain& domain, const TutorSolution& solution, const FormatOptions& options, Json& object) {
  if (solution.answer.empty()) return;
  const Markup answer = MarkupOfAnswer(domain, solution.answer, options.language);
  object["answer_mathml"] = answer.mathml;
  object["answer_speech"] = answer.speech;
}

// A line of align*.
std::string AlignedLine(const Domain& domain, std::string latex) {
  const std::size_t alignment = SubjectOf(domain).AlignmentOf(latex);
  return latex.insert(alignment, "&");
}

std::string SolutionAsLatex(const Domain& domain, const TutorSolution& solution, Detail detail) {
  std::string text = "\\begin{align*}\n";
  std::string last_line;
  const auto add_row = [&](const Domain& of, const std::string& line, const std::string& sentence) {
    if (!last_line.empty()) text += " \\\\\n";
    text += "  " + AlignedLine(of, line);
    if (!sentence.empty()) text += " && \\text{" + sentence + "}";
    last_line = line;
  };
  const auto add_axioms = [&](const std::string& indent, const TutorStep& step) {
    if (step.axioms.empty()) return;
    const std::unique_ptr<Domain> axioms = MakeDomain(step.axioms_domain);
    for (const TutorStep& axiom : step.axioms) {
      if (axiom.before_notation != last_line) add_row(*axioms, axiom.before_notation, "");
      add_row(*axioms, axiom.notation, indent + axiom.text);
    }
  };
  const bool starts_with_axioms = !solution.steps.empty() && ShownAsAxioms(solution.steps.front(), detail);
  if (!starts_with_axioms) add_row(domain, solution.notation, "");
  for (const TutorStep& step : solution.steps) {
    const bool as_axioms = ShownAsAxioms(step, detail);
    add_axioms(as_axioms ? "" : "\\quad ", step);
    if (!as_axioms) add_row(domain, step.notation, WithNote(step));
  }
  if (!solution.solved()) text += " \\\\\n  &\\text{" + solution.message + "}";
  return text + "\n\\end{align*}";
}

Json NameOf(StepCheck::Side side) {
  if (side == StepCheck::Side::kNone) return {};
  return side == StepCheck::Side::kLeft ? "left" : "right";
}

Json ToJson(const Domain& domain, const std::string& current, const StepCheck& check, const FormatOptions& options) {
  Json json{{"domain", domain.Spec()},
            {"state", current},
            {"line", OrNull(check.state)},
            {"verdict", NameOf(check.kind)},
            {"correct", check.correct()},
            {"is_true", OrNull(check.is_true)},
            {"is_step", OrNull(check.is_step)},
            {"helps", OrNull(NameOf(check.help))},
            {"operation", OrNull(check.operation)},
            {"operand", OrNull(check.operand)},
            {"detour", OrNull(check.detour)},
            {"changes_solutions", check.changes_solutions},
            {"side", NameOf(check.side)},
            {"text", check.message},
            {"position", check.error ? Json(check.error->position) : Json()},
            {"mistake", OrNull(check.mistake)},
            {"also", OrNull(check.also)},
            {"reminder", OrNull(check.reminder)},
            {"after_mistake", check.after_mistake}};
  if (!check.step.empty()) json["singmaster"] = check.step;
  if (options.markup && !check.state.empty()) AddMarkup(json, MarkupOfStep(domain, current, check.state, options.language));
  return json;
}

}  // namespace

Format FormatOf(std::string_view name) {
  if (name == "text") return Format::kText;
  if (name == "json") return Format::kJson;
  if (name == "latex") return Format::kLatex;
  throw Error(Message("unknown format '{}'; there are: text, json, latex", name));
}

std::string DumpJson(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json SolutionToJson(const Domain& domain, const TutorSolution& solution, const FormatOptions& options) {
  Json steps = Json::array();
  for (const TutorStep& step : solution.steps) {
    steps.push_back(ToJson(domain, step, options));
    if (options.detail < Detail::kAxioms) continue;
    steps.back()["axioms"] = AxiomsToJson(step, options);
    steps.back()["axioms_domain"] = OrNull(step.axioms_domain);
    steps.back()["axioms_note"] = OrNull(step.axioms_note);
  }
  Json object{{"domain", domain.Spec()},           {"problem", solution.problem},
              {"status", NameOf(solution.status)}, {"answer", OrNull(solution.answer_notation)},
              {"verified", VerifiedOf(solution)},  {"steps", steps},
              {"expanded", solution.expanded},     {"milliseconds", solution.milliseconds}};
  if (!solution.decimals.empty()) object["decimals"] = solution.decimals;
  if (solution.turns) {
    object["singmaster"] = solution.turns->singmaster;
    object["moves"] = {{"quarter", solution.turns->quarter}, {"half", solution.turns->half}};
  }
  if (solution.status == SolveStatus::kEveryNumber) {
    object["except"] = solution.exceptions;
    object["except_irrational"] = solution.irrational_exceptions;
  }
  if (options.markup) {
    AddMarkup(object, MarkupOf(domain, solution.problem, options.language));
    AddAnswerMarkup(domain, solution, options, object);
  }
  AddReading(options, object);
  return object;
}

std::string FormatSolution(const Domain& domain, const TutorSolution& solution, const FormatOptions& options) {
  switch (options.format) {
    case Format::kJson:
      return DumpJson(SolutionToJson(domain, solution, options));
    case Format::kLatex:
      return SolutionAsLatex(domain, solution, options.detail);
    case Format::kText:
      break;
  }
  const Subject& subject = SubjectOf(domain);
  const std::string picture = subject.Draw(solution.problem, options.is_coloured);
  return picture + (picture.empty() ? "" : "\n\n") + ForPeople(domain, SolutionAsText(solution, options.detail));
}

Json HintToJson(const Domain& domain, const std::string& state, int level, const TutorHint& hint,
                const FormatOptions& options) {
  // No level gives away what a higher one is for.
  const bool axiom = hint.step && level >= 2;
  const bool line = hint.step && level >= 3;
  Json json{{"domain", domain.Spec()},
            {"state", state},
            {"level", level},
            {"status", NameOf(hint.status)},
            {"text", hint.text},
            {"axiom", axiom ? Json(hint.step->axiom) : Json()},
            {"position", axiom && hint.step->position ? Json(*hint.step->position) : Json()},
            {"line", line ? Json(hint.step->after) : Json()},
            {"mistake", OrNull(hint.mistake)}};
  if (axiom && !hint.step->name.empty()) json["singmaster"] = hint.step->name;
  if (options.markup) {
    AddMarkup(json, MarkupOf(domain, state, options.language));
    if (line) AddMarkup(json, MarkupOfStep(domain, hint.step->before, hint.step->after, options.language), "line_");
  }
  AddReading(options, json);
  return json;
}

std::string FormatHint(const Domain& domain, const std::string& state, int level, const TutorHint& hint,
                       const FormatOptions& options) {
  return options.format == Format::kJson ? DumpJson(HintToJson(domain, state, level, hint, options)) : hint.text;
}

std::string FormatCheck(const Domain& domain, const std::string& current, const StepCheck& check,
                        const FormatOptions& options) {
  return options.format == Format::kJson ? DumpJson(ToJson(domain, current, check, options)) : check.message;
}

Json ChecksToJson(const Domain& domain, const std::string& problem, const std::vector<StepCheck>& checks,
                  const FormatOptions& options) {
  Json lines = Json::array();
  std::string current = problem;
  bool correct = true;
  for (const StepCheck& check : checks) {
    lines.push_back(ToJson(domain, current, check, options));
    if (!check.state.empty()) current = check.state;
    correct = correct && check.correct();
  }
  Json object{{"domain", domain.Spec()}, {"problem", problem}, {"correct", correct}, {"lines", lines}};
  if (options.markup) AddMarkup(object, MarkupOf(domain, problem, options.language));
  return object;
}

std::string FormatChecks(const Domain& domain, const std::string& problem, const std::vector<StepCheck>& checks,
                         const FormatOptions& options) {
  if (options.format == Format::kJson) return DumpJson(ChecksToJson(domain, problem, checks, options));
  const bool latex = options.format == Format::kLatex;
  const auto shown = [&](const std::string& state) {
    return Math(latex ? Script::kLatex : Script::kPlain, latex ? WriteLatex(domain, state) : WriteNotation(domain, state));
  };
  std::string text = shown(problem);
  for (const StepCheck& check : checks) {
    text += '\n';
    if (!check.state.empty()) text += shown(check.state);
    text += "\n  " + check.message;
  }
  return latex ? text : ForPeople(domain, std::move(text));
}

Json NextStepsToJson(const Domain& domain, const std::string& state, const std::vector<NextStep>& steps,
                     const FormatOptions& options) {
  Json list = Json::array();
  for (const NextStep& next : steps) {
    Json one = ToJson(domain, next.step, options);
    one.erase("before");
    one["probability"] = next.probability;
    list.push_back(std::move(one));
  }
  Json object{{"domain", domain.Spec()}, {"state", state}, {"solved", domain.Solved(state)}, {"steps", list}};
  if (options.markup) AddMarkup(object, MarkupOf(domain, state, options.language));
  AddReading(options, object);
  return object;
}

std::string FormatNextSteps(const Domain& domain, const std::string& state, const std::string& notation,
                            const std::vector<NextStep>& steps, const FormatOptions& options) {
  if (options.format == Format::kJson) return DumpJson(NextStepsToJson(domain, state, steps, options));
  const bool latex = options.format == Format::kLatex;
  const Script script = latex ? Script::kLatex : Script::kPlain;
  std::string text = Math(script, notation);
  for (const NextStep& next : steps) {
    const std::string line = Math(script, next.step.notation);
    text += fmt::format("\n{:5.1f}{}  {}  {}", 100 * next.probability, latex ? "\\%" : "%", line, next.step.text);
  }
  return latex ? text : ForPeople(domain, std::move(text));
}

std::string FormatErrorAsJson(const NotationError& error, const std::string& understood) {
  return DumpJson({{"error", error.message.english()}, {"position", error.position}, {"understood", understood}});
}

}  // namespace conpole
