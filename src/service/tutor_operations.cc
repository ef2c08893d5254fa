// The operations of the tutor. Their answers are what the program's commands print as JSON (tutor/format.h).
#include <optional>
#include <utility>

#include "notation/graph.h"
#include "service/operations.h"
#include "session/reading.h"
#include "session/session.h"

namespace conpole {
namespace {

TurnCount MovesOf(RequestFields& fields) { return *TurnCountOf(fields.Choice("moves", {"quarter", "half"})); }
std::string MethodOf(RequestFields& fields) { return fields.OptionalText("method").value_or(""); }

// The picture of a solution as SVG; null if there is nothing to draw.
ServiceJson GraphOf(const ServiceJson& solution) {
  const auto& problem = solution.at("problem").get_ref<const std::string&>();
  const ServiceJson& steps = solution.at("steps");
  const std::optional<std::string> graph =
      DrawSolution(problem, steps.empty() ? problem : steps.back().at("after").get_ref<const std::string&>());
  return graph ? ServiceJson(*graph) : ServiceJson();
}

}  // namespace

ServiceJson AnswerSolve(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("problem");
  SessionOptions options;
  options.detail = DetailOf(fields.Choice("detail", {"school", "why", "axioms", "both"}));
  options.turns = MovesOf(fields);
  options.method = MethodOf(fields);
  const bool wants_graph = fields.Flag("graph").value_or(false);
  fields.RequireNoOthers();
  TutorCall call(context, common, text, std::move(options), common.milliseconds);
  ServiceJson solution = AskAbout("problem", [&] { return call.session().SolveToJson(text); });
  if (wants_graph) solution["graph"] = GraphOf(solution);
  return solution;
}

ServiceJson AnswerHint(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("line");
  const int level = static_cast<int>(fields.Number("level", 1, Tutor::kHintLevels).value_or(1));
  const std::string tried = fields.OptionalText("tried").value_or("");
  SessionOptions options;
  options.turns = MovesOf(fields);
  options.method = MethodOf(fields);
  fields.RequireNoOthers();
  TutorCall call(context, common, text, std::move(options), common.milliseconds);
  return AskAbout("line", [&] { return call.session().HintToJson(text, level, tried); });
}

ServiceJson AnswerCheck(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  std::vector<std::string> texts{fields.Text("problem")};
  const std::vector<std::string> more = fields.Texts("lines", context.options.limits.lines);
  fields.RequireNoOthers();
  texts.insert(texts.end(), more.begin(), more.end());
  SessionOptions options;
  if (!common.domain) options.domain = ChooseDomainOfLines(texts.front(), common.language);
  // Two searches, at the most, for each line share the time of two.
  TutorCall call(context, common, texts.front(), std::move(options), 2 * common.milliseconds);
  const std::vector<std::string> lines = LinesOf(call.session().subject(), texts);
  if (lines.size() < 2) throw RequestProblem(422, "a line and the next one are needed", "lines");
  if (lines.size() > context.options.limits.lines + 1) {
    throw RequestProblem(400, Message("there are more than {} lines", context.options.limits.lines), "lines");
  }
  return AskAbout("problem", [&] { return call.session().CheckToJson(lines); });
}

ServiceJson AnswerNext(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("line");
  fields.RequireNoOthers();
  TutorCall call(context, common, text, {}, common.milliseconds);
  return AskAbout("line", [&] { return call.session().NextToJson(text); });
}

ServiceJson AnswerRead(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("text");
  fields.RequireNoOthers();
  const std::unique_ptr<Domain> domain = DomainFor(common, text);
  return AskAbout("text", [&] { return ReadToJson(*domain, text, common.language, common.markup); });
}

}  // namespace conpole
