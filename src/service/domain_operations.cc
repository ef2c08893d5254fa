// What there is: domains, generated problems, the version.
#include <memory>

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

ServiceJson AnswerVersion(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  fields.RequireNoOthers();
  return {{"version", kServiceVersion}, {"engine", context.options.engine}, {"kernels", Kernels::Best().name}};
}

}  // namespace conpole
