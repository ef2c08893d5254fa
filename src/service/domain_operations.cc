// What there is: domains, generated problems, what is wrong with a domain file, the version.
#include <memory>

#include "domains/files/report.h"
#include "nn/kernels.h"
#include "service/operations.h"
#include "service/version.h"
#include "subjects/subject.h"

namespace conpole {
namespace {

ServiceJson ToJson(const Parameter& parameter) {
  ServiceJson json{{"name", parameter.name}, {"meaning", parameter.meaning}, {"default", parameter.default_value}};
  if (parameter.range) {
    json["default"] = std::stoll(parameter.default_value);
    json["low"] = parameter.range->low;
    json["high"] = parameter.range->high;
  }
  return json;
}

}  // namespace

ServiceJson AnswerDomains(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  fields.RequireNoOthers();
  ServiceJson domains = ServiceJson::array();
  for (const DomainType* const type : DomainTypes()) {
    const std::unique_ptr<Domain> domain = MakeDomain(type->name);
    const Subject& subject = SubjectOf(*domain);
    ServiceJson parameters = ServiceJson::array();
    for (const Parameter& parameter : type->parameters) parameters.push_back(ToJson(parameter));
    ServiceJson axioms = ServiceJson::array();
    for (const Axiom& axiom : type->axioms) axioms.push_back({{"name", axiom.name}, {"meaning", axiom.meaning}});
    const std::optional<std::string> model = context.models.FileFor(*type);
    domains.push_back({{"name", type->name},
                       {"description", type->summary},
                       {"example", subject.Example().empty() ? WriteFor(*domain, domain->Generate(0), common.language)
                                                             : std::string(subject.Example())},
                       {"parameters", std::move(parameters)},
                       {"axioms", std::move(axioms)},
                       {"model", model ? ServiceJson(*model) : ServiceJson()},
                       {"subject", subject.type() != nullptr}});
  }
  return {{"domains", std::move(domains)}};
}

ServiceJson AnswerGenerate(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const std::uint64_t seed = fields.Number("seed", 0, UINT64_MAX).value_or(0);
  fields.RequireNoOthers();
  if (!common.domain) throw RequestProblem(400, "'domain' is missing", "domain");
  const std::unique_ptr<Domain> domain = MakeDomainOfField(*common.domain);
  const std::string problem = domain->Generate(seed);
  ServiceJson answer{{"domain", domain->Spec()},
                     {"problem", problem},
                     {"notation", WriteFor(*domain, problem, common.language)},
                     {"seed", seed}};
  AddMarkupIfAsked(answer, common, *domain, problem);
  return answer;
}

ServiceJson AnswerReport(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  fields.RequireNoOthers();
  if (!common.domain) throw RequestProblem(400, "'domain' is missing", "domain");
  // Tried less than the command does, since somebody may be typing.
  const files::Report report =
      files::MakeReport("text", *common.domain, {.problems = 30, .searched = 8, .max_successors = 4'000});
  ServiceJson findings = ServiceJson::array();
  for (const files::Finding& finding : report.findings) {
    findings.push_back({{"kind", finding.kind == files::Finding::Kind::kError ? "error" : "warning"},
                        {"line", finding.line},
                        {"column", finding.column},
                        {"message", finding.message}});
  }
  return {{"name", report.name},
          {"ok", !report.has_errors()},
          {"findings", std::move(findings)},
          {"successors_per_state", report.branching},
          {"searched", report.searched},
          {"solved_by_search", report.found},
          {"mean_length", report.mean_length},
          {"tests", report.tests},
          {"tests_passed", report.tests_passed}};
}

ServiceJson AnswerVersion(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  fields.RequireNoOthers();
  return {{"version", kServiceVersion}, {"engine", context.options.engine}, {"kernels", Kernels::Best().name}};
}

}  // namespace conpole
