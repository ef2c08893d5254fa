// The operations of the tutor. Their answers are what the program's commands print as JSON (tutor/format.h).
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "service/operations.h"
#include "service/reading.h"
#include "tutor/format.h"
#include "tutor/notation.h"
#include "tutor/subject.h"

namespace conpole {
namespace {

TurnCount MovesOf(RequestFields& fields) { return *TurnCountOf(fields.Choice("moves", {"quarter", "half"})); }

void RequireTurns(const Domain& domain, TurnCount moves) {
  if (moves == TurnCount::kQuarter || StepsAreTurns(domain)) return;
  throw RequestProblem(400, fmt::format("the steps of {} are no turns", domain.type().name), "moves");
}

FormatOptions JsonFormat(const CommonFields& common, Detail detail = Detail::kSchool) {
  return {.format = Format::kJson, .detail = detail, .markup = common.markup, .language = common.language};
}

}  // namespace

std::string AnswerSolve(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("problem");
  TutorOptions options;
  options.detail = DetailOf(fields.Choice("detail", {"school", "axioms", "both"}));
  options.turns = MovesOf(fields);
  fields.RequireNoOthers();
  TutorCall call(context, common, DomainFor(common, text, options.detail), options, common.milliseconds);
  RequireTurns(call.domain(), options.turns);
  const std::string problem = call.Read(text, "problem");
  const TutorSolution solution = call.tutor().Solve(problem, call.budget());
  return call.WithReadAs(FormatSolution(call.domain(), solution, JsonFormat(common, options.detail)));
}

std::string AnswerHint(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("line");
  const int level = static_cast<int>(fields.Number("level", 1, Tutor::kHintLevels).value_or(1));
  TutorOptions options;
  options.turns = MovesOf(fields);
  fields.RequireNoOthers();
  TutorCall call(context, common, DomainFor(common, text), options, common.milliseconds);
  RequireTurns(call.domain(), options.turns);
  const std::string state = call.Read(text, "line");
  const TutorHint hint = call.tutor().Hint(state, level, call.budget());
  return call.WithReadAs(FormatHint(call.domain(), state, level, hint, JsonFormat(common)));
}

std::string AnswerCheck(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  std::vector<std::string> texts{fields.Text("problem")};
  const std::vector<std::string> more = fields.Texts("lines", context.options.limits.lines);
  fields.RequireNoOthers();
  texts.insert(texts.end(), more.begin(), more.end());
  const std::string spec = common.domain ? *common.domain : ChooseDomainOfLines(texts.front(), common.language);
  // Two searches, at the most, for each line share the time of two.
  TutorCall call(context, common, spec, {}, 2 * common.milliseconds);
  const Subject& subject = SubjectOf(call.domain());
  std::vector<std::string> lines = LinesOf(subject, texts);
  if (lines.size() < 2) throw RequestProblem(422, "a line and the next one are needed", "lines");
  if (lines.size() > context.options.limits.lines + 1) {
    throw RequestProblem(400, fmt::format("there are more than {} lines", context.options.limits.lines), "lines");
  }
  const std::string problem = call.Read(ProblemOfLine(subject, lines.front()), "problem");
  lines.erase(lines.begin());
  return FormatChecks(call.domain(), problem, call.tutor().CheckLines(problem, lines, call.budget()), JsonFormat(common));
}

std::string AnswerNext(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("line");
  fields.RequireNoOthers();
  TutorCall call(context, common, DomainFor(common, text), {}, common.milliseconds);
  const std::string state = call.Read(text, "line");
  const std::vector<NextStep> steps = call.tutor().NextSteps(state);
  return call.WithReadAs(FormatNextSteps(call.domain(), state, call.tutor().Write(state), steps, JsonFormat(common)));
}

std::string AnswerRead(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::string text = fields.Text("text");
  fields.RequireNoOthers();
  const std::unique_ptr<Domain> domain = MakeDomainOfField(DomainFor(common, text));
  const NotationResult read = ReadField(*domain, text, "text", common.language);
  const Subject& subject = SubjectOf(*domain);
  const std::unique_ptr<Problem> problem = subject.Analyse(*domain, subject.Understand(read.state));
  const std::string notation = WriteFor(*domain, read.state, common.language);
  // What is known before any step is taken.
  const SolveStatus status = problem->analysis.status;
  ServiceJson answer{{"domain", domain->Spec()},
                     {"state", read.state},
                     {"notation", notation},
                     {"read_as", read.ambiguous ? ServiceJson(notation) : ServiceJson()},
                     {"solved", domain->Solved(read.state)},
                     {"status", status == SolveStatus::kUnsolved ? ServiceJson() : ServiceJson(NameOf(status))}};
  AddMarkupIfAsked(answer, common, *domain, read.state);
  return DumpJson(answer);
}

}  // namespace conpole
