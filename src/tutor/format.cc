#include "tutor/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "tutor/subject.h"

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

// Bytes that are not UTF-8 (in an echoed input) are replaced.
std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json OrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json ToJson(const TutorStep& step) {
  return {{"axiom", step.axiom},
          {"position", step.position ? Json(*step.position) : Json()},
          {"before", step.before},
          {"after", step.after},
          {"text", step.text}};
}

// Unsolved problems were not verified; of an answer that cannot be verified it is not known whether it is right.
Json VerifiedOf(const TutorSolution& solution) {
  if (solution.status == SolveStatus::kUnsolved) return false;
  return solution.verdict == Verdict::kCannotTell ? Json() : Json(solution.verified());
}

std::string SolutionAsText(const TutorSolution& solution) {
  std::string text = solution.notation;
  for (const TutorStep& step : solution.steps) text += "\n  " + step.text + "\n" + step.notation;
  return text + "\n-- " + solution.message;
}

std::string SolutionAsJson(const Domain& domain, const TutorSolution& solution) {
  Json steps = Json::array();
  for (const TutorStep& step : solution.steps) steps.push_back(ToJson(step));
  Json object{{"domain", domain.Spec()},           {"problem", solution.problem},
              {"status", NameOf(solution.status)}, {"answer", OrNull(solution.answer_notation)},
              {"verified", VerifiedOf(solution)},  {"steps", steps},
              {"expanded", solution.expanded},     {"milliseconds", solution.milliseconds}};
  if (solution.status == SolveStatus::kEveryNumber) {
    object["except"] = solution.exceptions;
    object["except_irrational"] = solution.irrational_exceptions;
  }
  return Dump(object);
}

// A line of align*.
std::string AlignedLine(const Domain& domain, std::string latex) {
  const std::size_t alignment = SubjectOf(domain).AlignmentOf(latex);
  return latex.insert(alignment, "&");
}

std::string SolutionAsLatex(const Domain& domain, const TutorSolution& solution) {
  std::string text = "\\begin{align*}\n  " + AlignedLine(domain, solution.notation);
  for (const TutorStep& step : solution.steps) {
    text += " \\\\\n  " + AlignedLine(domain, step.notation) + " && \\text{" + step.text + "}";
  }
  if (!solution.solved()) text += " \\\\\n  &\\text{" + solution.message + "}";
  return text + "\n\\end{align*}";
}

Json NameOf(StepCheck::Side side) {
  if (side == StepCheck::Side::kNone) return {};
  return side == StepCheck::Side::kLeft ? "left" : "right";
}

}  // namespace

Format FormatOf(std::string_view name) {
  if (name == "text") return Format::kText;
  if (name == "json") return Format::kJson;
  if (name == "latex") return Format::kLatex;
  throw Error(fmt::format("unknown format '{}'; there are: text, json, latex", name));
}

std::string FormatSolution(const Domain& domain, const TutorSolution& solution, Format format) {
  switch (format) {
    case Format::kJson:
      return SolutionAsJson(domain, solution);
    case Format::kLatex:
      return SolutionAsLatex(domain, solution);
    case Format::kText:
      break;
  }
  return SolutionAsText(solution);
}

std::string FormatHint(const Domain& domain, const std::string& state, int level, const TutorHint& hint, Format format) {
  if (format != Format::kJson) return hint.text;
  // No level gives away what a higher one is for.
  const bool axiom = hint.step && level >= 2;
  const bool line = hint.step && level >= 3;
  return Dump({{"domain", domain.Spec()},
               {"state", state},
               {"level", level},
               {"status", NameOf(hint.status)},
               {"text", hint.text},
               {"axiom", axiom ? Json(hint.step->axiom) : Json()},
               {"position", axiom && hint.step->position ? Json(*hint.step->position) : Json()},
               {"line", line ? Json(hint.step->after) : Json()}});
}

std::string FormatCheck(const Domain& domain, const std::string& current, const StepCheck& check, Format format) {
  if (format != Format::kJson) return check.message;
  return Dump({{"domain", domain.Spec()},
               {"state", current},
               {"line", OrNull(check.state)},
               {"verdict", NameOf(check.kind)},
               {"correct", check.correct()},
               {"changes_solutions", check.changes_solutions},
               {"side", NameOf(check.side)},
               {"text", check.message},
               {"position", check.error ? Json(check.error->position) : Json()}});
}

std::string FormatNextSteps(const Domain& domain, const std::string& state, const std::string& notation,
                            const std::vector<NextStep>& steps, Format format) {
  if (format == Format::kJson) {
    Json list = Json::array();
    for (const NextStep& next : steps) {
      Json one = ToJson(next.step);
      one.erase("before");
      one["probability"] = next.probability;
      list.push_back(std::move(one));
    }
    return Dump({{"domain", domain.Spec()}, {"state", state}, {"solved", domain.Solved(state)}, {"steps", list}});
  }
  const bool latex = format == Format::kLatex;
  const Script script = latex ? Script::kLatex : Script::kPlain;
  std::string text = Math(script, notation);
  for (const NextStep& next : steps) {
    const std::string line = Math(script, next.step.notation);
    text += fmt::format("\n{:5.1f}{}  {}  {}", 100 * next.probability, latex ? "\\%" : "%", line, next.step.text);
  }
  return text;
}

std::string FormatErrorAsJson(const NotationError& error, const std::string& understood) {
  return Dump({{"error", error.message}, {"position", error.position}, {"understood", understood}});
}

std::string WithReading(const std::string& json, const std::string& read_as) {
  Json object = Json::parse(json);
  object["read_as"] = OrNull(read_as);
  return Dump(object);
}

}  // namespace conpole
