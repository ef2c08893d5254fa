#include "service/tutor_call.h"

#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "search/scorers.h"
#include "service/reading.h"
#include "tutor/catalogue.h"
#include "tutor/format.h"
#include "tutor/markup_json.h"
#include "tutor/notation.h"
#include "tutor/subject.h"
#include "util/text.h"

namespace conpole {
namespace {

// The model that a call uses, as the program's commands choose it: none where a heuristic suffices, unless it is asked for.
std::shared_ptr<SharedModel> ChooseModel(CallContext& context, const Domain& domain, bool policy) {
  if (!policy && HeuristicSuffices(domain.type())) return nullptr;
  if (context.models.FileFor(domain.type())) return context.models.For(domain);
  if (!policy) return nullptr;
  throw RequestProblem(404, fmt::format("no model comes with conpole for {}", domain.type().name), "policy");
}

std::unique_ptr<Scorer> MakeCallScorer(SharedModel* model, const Domain& domain, ThreadPool& pool) {
  if (model != nullptr) return model->MakeScorer(domain, pool);
  return MakeScorer(DefaultScorer(domain.type()), domain.type(), 0);
}

// The domain with what its model knows.
std::unique_ptr<Domain> DomainOf(const SharedModel* model, const std::string& spec) {
  std::unique_ptr<Domain> domain = MakeDomainOfField(spec);
  return model == nullptr ? std::move(domain) : model->WithAbstractions(std::move(domain));
}

}  // namespace

CommonFields::CommonFields(CallContext& context, RequestFields& fields) : domain(fields.OptionalText("domain")) {
  const ServiceLimits& limits = context.options.limits;
  const std::vector<std::string> languages = Catalogue::Languages();
  language = fields.OptionalText("language").value_or("en");
  if (!Catalogue::Has(language)) {
    throw RequestProblem(
        400, fmt::format("there is no language {}; there are: {}", Shown(language), fmt::join(languages, ", ")), "language");
  }
  context.language = language;
  given_milliseconds = fields.Number("milliseconds", 0, limits.max_milliseconds);
  milliseconds = given_milliseconds.value_or(limits.milliseconds);
  expansions = fields.Number("expansions", 0, limits.max_expansions).value_or(limits.max_expansions);
  policy = fields.Flag("policy").value_or(false);
  markup = fields.Flag("markup").value_or(false);
}

std::string DomainFor(const CommonFields& common, const std::string& text, Detail detail) {
  return common.domain ? *common.domain : ChooseDomain(text, common.language, detail, common.policy);
}

std::unique_ptr<Domain> MakeDomainOfField(const std::string& spec) {
  try {
    return MakeDomain(spec);
  } catch (const Error& error) {
    throw RequestProblem(NamesDomain(spec) ? 400 : 404, error.what(), "domain");
  }
}

NotationResult ReadField(const Domain& domain, const std::string& text, std::string_view field, const std::string& language) {
  NotationResult read = ReadNotation(domain, text, language);
  if (!read.error) return read;
  RequestProblem problem(422, read.error->message, std::string(field));
  problem.position = read.error->position;
  problem.understood = text.substr(0, read.error->position);
  throw problem;
}

std::string WriteFor(const Domain& domain, const std::string& state, const std::string& language) {
  return SubjectOf(domain).Localise(language, Script::kPlain, WriteNotation(domain, state));
}

void AddMarkupIfAsked(ServiceJson& object, const CommonFields& common, const Domain& domain, const std::string& state,
                      const std::string& prefix) {
  if (common.markup) AddMarkup(object, MarkupOf(domain, state, common.language), prefix);
}

ProblemEncoder MakeProblemEncoder(CallContext& context, const Domain& domain) {
  if (!context.models.FileFor(domain.type())) {
    throw RequestProblem(404, fmt::format("no model comes with conpole for {}", domain.type().name), "domain");
  }
  return ProblemEncoder(domain, context.models.For(domain)->MakeEncoder(domain));
}

TutorCall::TutorCall(CallContext& context, const CommonFields& common, const std::string& domain, TutorOptions options,
                     std::uint64_t milliseconds)
    : model_(ChooseModel(context, *MakeDomainOfField(domain), common.policy)),
      domain_(DomainOf(model_.get(), domain)),
      watch_(context.call.stop, context.call.progress, milliseconds),
      pool_(context.options.threads),
      policy_(MakeWatchedScorer(MakeCallScorer(model_.get(), *domain_, pool_), watch_)),
      tutor_(*domain_, *policy_, pool_, [&] {
        options.explain.language = common.language;
        return std::move(options);
      }()) {
  budget_.milliseconds = common.milliseconds;
  budget_.expansions = common.expansions;
  budget_.stop = &watch_.stop();
  budget_.shorten = common.given_milliseconds.has_value();
}

std::string TutorCall::Read(const std::string& text, std::string_view field) {
  NotationResult read = ReadField(*domain_, text, field, tutor_.options().explain.language);
  read_as_ = read.ambiguous ? tutor_.Write(read.state) : std::string();
  return std::move(read.state);
}

std::string TutorCall::WithReadAs(const std::string& json) const { return WithReading(json, read_as_); }

}  // namespace conpole
