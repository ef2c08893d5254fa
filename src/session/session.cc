#include "session/session.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "domains/axioms/abstract_domain.h"
#include "domains/school/textbook.h"
#include "language/catalogue.h"
#include "nn/model_metadata.h"
#include "session/reading.h"
#include "subjects/free_notation.h"
#include "subjects/markup_json.h"
#include "tutor/abstraction_file.h"

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

// What is wrong with an option is said before anything is read for it.
SessionOptions Checked(SessionOptions options, std::string_view text) {
  RequireLanguage(options.language);
  if (!options.given_domain) {
    options.given_domain = MakeDomain(options.domain.empty() ? DomainOfText(options, text) : options.domain);
  }
  const Domain& domain = *options.given_domain;
  if (options.turns == TurnCount::kHalf && !StepsAreTurns(domain)) {
    throw OptionError("moves", Message("the steps of {} are no turns", domain.type().name));
  }
  if (!options.choose_policy) {
    options.choose_policy = [choice = options.policy](const Domain& of) { return ChoosePolicy(of, choice); };
  }
  return options;
}

TutorOptions TutorOptionsOf(const SessionOptions& options) {
  TutorOptions tutor;
  tutor.explain.language = options.language;
  tutor.explain.script = options.script;
  tutor.detail = options.detail;
  tutor.turns = options.turns;
  return tutor;
}

}  // namespace

UnreadableText::UnreadableText(std::string_view text, const NotationError& error)
    : Error(Message("position {}: {}", error.position, error.message)),
      position(error.position),
      reason(error.message),
      understood(text.substr(0, error.position)) {}

std::string DomainOfText(const SessionOptions& options, std::string_view text) {
  if (!options.policy.model.empty()) {
    if (std::string file = DomainFileOfModel(options.policy.model); !file.empty()) return file;
  }
  return ChooseDomain(text, options.language, options.detail, options.policy.learned);
}

void RequireLanguage(std::string_view language) {
  try {
    Catalogue::Find(language);
  } catch (const Error& error) {
    throw OptionError("language", error.message());
  }
}

SessionPolicy ChoosePolicy(const Domain& domain, const PolicyChoice& choice) {
  RequireOneChoice(choice);
  const std::string path = ModelPathOf(domain, choice);
  return {path, path.empty() ? std::map<std::string, std::string>() : ReadModelMetadata(path),
          [choice](const Domain& of, ThreadPool& pool) { return MakePolicy(of, pool, choice); }};
}

std::shared_ptr<const Domain> WithChosenAbstractions(std::shared_ptr<const Domain> domain, const std::string& abstractions,
                                                     const SessionPolicy& policy) {
  const auto with = [&](AbstractionSet set) -> std::shared_ptr<const Domain> {
    CheckAbstractions(domain->type(), set);
    if (set.abstractions.empty()) return domain;
    return std::make_shared<AbstractDomain>(domain, std::move(set));
  };
  if (abstractions == "none") return domain;
  if (!abstractions.empty()) return with(ReadAbstractionFile(abstractions, domain.get()));
  const std::map<std::string, std::string> metadata = MetadataFor(*domain, policy.metadata);
  const auto found = metadata.find(kAbstractionsKey);
  if (found == metadata.end() || found->second.empty()) return domain;
  // A model of another domain is refused, or taken on purpose, where its scorer is made.
  const auto trained_for = metadata.find("domain");
  if (trained_for != metadata.end() &&
      std::string_view(trained_for->second).substr(0, trained_for->second.find(':')) != domain->type().name) {
    return domain;
  }
  try {
    return with(ParseAbstractions(found->second));
  } catch (const Error& error) {
    throw Error(Message("{}: {}", policy.name, error.what()));
  }
}

Session::Session(SessionOptions options, std::string_view text)
    : options_(Checked(std::move(options), text)),
      chosen_(options_.choose_policy(*options_.given_domain)),
      pool_(options_.threads),
      domain_(WithChosenAbstractions(options_.given_domain, options_.abstractions, chosen_)),
      policy_(chosen_.make_scorer(*domain_, pool_)),
      tutor_(*domain_, *policy_, pool_, TutorOptionsOf(options_)) {}

std::string Session::Read(std::string_view text) { return Take(text, ReadNotation(*domain_, text, options_.language)); }

std::string Session::Take(std::string_view text, NotationResult read) {
  if (read.error) throw UnreadableText(text, *read.error);
  if (!options_.method.empty()) {
    if (domain_->type().name != "algebra") throw OptionError("method", "only algebra is solved by a method that is named");
    try {
      read.state = textbook::WithMethod(read.state, options_.method);
    } catch (const textbook::Refusal& refusal) {
      throw OptionError("method", refusal.message);
    }
  }
  read_as_ = read.ambiguous ? tutor_.Write(read.state) : std::string();
  return std::move(read.state);
}

std::string Session::ReadToCheck(std::string_view text) {
  return Take(text, conpole::ReadToCheck(*domain_, text, options_.language));
}

FormatOptions Session::format() const {
  return {.format = Format::kJson,
          .detail = options_.detail,
          .markup = options_.markup,
          .language = options_.language,
          .read_as = read_as_};
}

TutorSolution Session::Solve(std::string_view text) { return tutor_.Solve(Read(text), budget()); }

TutorHint Session::Hint(std::string_view text, int level, std::string_view tried) {
  return tutor_.HintAfter(Read(text), tried, level, budget());
}

std::vector<NextStep> Session::NextSteps(std::string_view text) { return tutor_.NextSteps(Read(text)); }

StepCheck Session::Check(std::string_view text, std::string_view line) {
  return tutor_.Check(ReadToCheck(text), line, budget());
}

Json Session::SolveToJson(std::string_view text) {
  const TutorSolution solution = Solve(text);
  return SolutionToJson(*domain_, solution, format());
}

Json Session::HintToJson(std::string_view text, int level, std::string_view tried) {
  const std::string state = Read(text);
  return conpole::HintToJson(*domain_, state, level, tutor_.HintAfter(state, tried, level, budget()), format());
}

Json Session::NextToJson(std::string_view text) {
  const std::string state = Read(text);
  return NextStepsToJson(*domain_, state, tutor_.NextSteps(state), format());
}

Json Session::CheckToJson(std::span<const std::string> lines) {
  if (lines.size() < 2) throw OptionError("lines", "a line and the next one are needed");
  const std::string problem = ReadToCheck(ProblemOfLine(subject(), lines.front()));
  return ChecksToJson(*domain_, problem, tutor_.CheckLines(problem, lines.subspan(1), budget()), format());
}

Json ReadToJson(const Domain& domain, std::string_view text, const std::string& language, bool markup) {
  const NotationResult read = ReadNotation(domain, text, language);
  if (read.error) throw UnreadableText(text, *read.error);
  const Subject& subject = SubjectOf(domain);
  const std::unique_ptr<Problem> problem = subject.Analyse(domain, subject.Understand(read.state));
  const std::string notation = subject.Localise(language, Script::kPlain, WriteNotation(domain, read.state));
  const SolveStatus status = problem->analysis.status;
  Json answer{{"domain", domain.Spec()},
              {"state", read.state},
              {"notation", notation},
              {"read_as", read.ambiguous ? Json(notation) : Json()},
              {"solved", domain.Solved(read.state)},
              {"status", status == SolveStatus::kUnsolved ? Json() : Json(NameOf(status))}};
  if (markup) AddMarkup(answer, MarkupOf(domain, read.state, language));
  return answer;
}

}  // namespace conpole
