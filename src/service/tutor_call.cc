#include "service/tutor_call.h"

#include <algorithm>
#include <utility>

#include "conpole/error.h"
#include "domains/files/domain_file.h"
#include "language/catalogue.h"
#include "notation/notation.h"
#include "search/scorers.h"
#include "session/reading.h"
#include "subjects/free_notation.h"
#include "subjects/markup_json.h"
#include "subjects/subject.h"

namespace conpole {
namespace {

// The model that a call uses, as the program's commands choose it: none where a heuristic suffices, unless it is asked for.
std::shared_ptr<SharedModel> ChooseModel(CallContext& context, const Domain& domain, bool policy) {
  if (!policy && HeuristicSuffices(domain.type())) return nullptr;
  if (context.models.FileFor(domain.type())) return context.models.For(domain);
  if (!policy) return nullptr;
  throw RequestProblem(404, Message("no model comes with conpole for {}", domain.type().name), "policy");
}

// Who tries a file asks about it again and again, and to read and check it takes longer than most answers.
std::shared_ptr<const DomainFile> LastFile(const std::string& text) {
  thread_local std::shared_ptr<const DomainFile> last;
  if (!last || last->spec() != text) last = std::make_shared<const DomainFile>("text", text, text);
  return last;
}

SessionOptions Completed(SessionOptions options, CallContext& context, const CommonFields& common, CallWatch& watch) {
  if (options.domain.empty() && common.domain) options.domain = *common.domain;
  if (!options.domain.empty()) options.given_domain = MakeDomainOfField(options.domain);
  options.language = common.language;
  options.markup = common.markup;
  options.policy.learned = common.policy;
  options.budget = {common.milliseconds, common.expansions, &watch.stop(), common.given_milliseconds.has_value()};
  options.threads = context.options.threads;
  options.choose_policy = [&context, &watch, learned = common.policy](const Domain& domain) -> SessionPolicy {
    const std::shared_ptr<SharedModel> model = ChooseModel(context, domain, learned);
    const auto make_scorer = [model](const Domain& of, ThreadPool& pool) {
      return model ? model->MakeScorer(of, pool) : MakeScorer(DefaultScorer(of.type()), of.type(), 0);
    };
    const auto make_watched = [make_scorer, &watch](const Domain& of, ThreadPool& pool) {
      return MakeWatchedScorer(make_scorer(of, pool), watch);
    };
    if (!model) return {.make_scorer = make_watched};
    return {model->file(), model->metadata(), make_watched};
  };
  return options;
}

}  // namespace

CommonFields::CommonFields(CallContext& context, RequestFields& fields)
    : domain(fields.OptionalText("domain", kMaxDomainBytes)) {
  const ServiceLimits& limits = context.options.limits;
  language = fields.OptionalText("language").value_or("en");
  if (Catalogue::Has(language) && !Catalogue::IsHere(language)) {
    RequestProblem problem(424, Message("the language '{}' is needed, and it is not here", language), "language");
    problem.model = language + std::string(kLanguageExtension);
    throw problem;
  }
  RequireLanguage(language);
  context.language = language;
  given_milliseconds = fields.Number("milliseconds", 0, limits.max_milliseconds);
  milliseconds = given_milliseconds.value_or(limits.milliseconds);
  context.has_no_time = milliseconds == 0;
  const std::uint64_t waited = context.call.waited_milliseconds;
  if (waited > 0 && milliseconds > 0 && waited >= milliseconds) throw CallStopped();
  milliseconds -= std::min(waited, milliseconds);
  expansions = fields.Number("expansions", 0, limits.max_expansions).value_or(limits.max_expansions);
  policy = fields.Flag("policy").value_or(false);
  markup = fields.Flag("markup").value_or(false);
}

std::unique_ptr<Domain> DomainFor(const CommonFields& common, const std::string& text) {
  return MakeDomainOfField(common.domain ? *common.domain
                                         : ChooseDomain(text, common.language, Detail::kSchool, common.policy));
}

std::unique_ptr<Domain> MakeDomainOfField(const std::string& spec) {
  // Files of the machine that this runs on are none of a client's business.
  if (IsDomainFileSpec(spec) && spec.find('\n') == std::string::npos) {
    throw RequestProblem(400, "a request has the text of a domain file, not its path", "domain");
  }
  try {
    return IsDomainFileSpec(spec) ? MakeFileDomain(LastFile(spec)) : MakeDomain(spec);
  } catch (const Error& error) {
    throw RequestProblem(NamesDomain(spec) ? 400 : 404, error.message(), "domain");
  }
}

std::string ReadField(const Domain& domain, const std::string& text, std::string_view field, const std::string& language) {
  NotationResult read = ReadNotation(domain, text, language);
  if (read.error) throw ProblemOf(UnreadableText(text, *read.error), field);
  return std::move(read.state);
}

RequestProblem ProblemOf(const UnreadableText& error, std::string_view field) {
  RequestProblem problem(422, error.reason, std::string(field));
  problem.position = error.position;
  problem.understood = error.understood;
  return problem;
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
    throw RequestProblem(404, Message("no model comes with conpole for {}", domain.type().name), "domain");
  }
  return ProblemEncoder(domain, context.models.For(domain)->MakeEncoder(domain));
}

TutorCall::TutorCall(CallContext& context, const CommonFields& common, std::string_view text, SessionOptions options,
                     std::uint64_t milliseconds)
    : watch_(context.call.stop, context.call.progress, milliseconds),
      session_(Completed(std::move(options), context, common, watch_), text) {}

}  // namespace conpole
