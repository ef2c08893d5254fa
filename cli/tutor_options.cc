#include "cli/tutor_options.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/arguments.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "conpole/error.h"
#include "tutor/notation.h"
#include "util/interrupt.h"

namespace conpole::cli {
namespace {

constexpr std::uint64_t kMaxMilliseconds = 1'000'000'000;  // eleven days

bool NamesDomain(std::string_view text) {
  if (IsPythonSpec(text)) return true;
  const std::string_view name = text.substr(0, text.find(':'));
  return std::any_of(DomainTypes().begin(), DomainTypes().end(), [&](const DomainType* type) { return type->name == name; });
}

std::string DomainOf(const TutorArguments& arguments, std::size_t count) {
  const std::string& first = arguments.texts.front();
  const bool named = arguments.texts.size() > count;
  if (!named && NamesDomain(first)) throw Error(fmt::format("after the domain {} there must be a problem", first));
  return named ? first : std::string(GuessDomain(first));
}

TutorArguments WithoutDomain(const TutorArguments& arguments, std::size_t count) {
  TutorArguments rest = arguments;
  if (rest.texts.size() > count) rest.texts.erase(rest.texts.begin());
  return rest;
}

}  // namespace

void TutorArguments::AddTo(CLI::App& command, std::size_t count, const std::string& names) {
  AddTexts(command, "problem", texts, count, count + 1,
           "A domain, for example equations, or nothing for a guess; then " + names +
               ", as people write it (2x+3=7), as LaTeX or in the domain's notation");
  AddOptionsTo(command);
}

void TutorArguments::AddOptionsTo(CLI::App& command) {
  command.add_option("--format", format, "text, json or latex")->capture_default_str();
  command.add_flag("--json", json, "The same as --format json");
  command.add_option("--language", language, "Of the sentences: en or de")->capture_default_str();
  milliseconds = AddNumber(command, "--milliseconds", budget.milliseconds, "Time to search at the most", {0, kMaxMilliseconds});
  AddNumber(command, "--expansions", budget.expansions, "States to expand at the most");
  search.AddScorerTo(command);
}

TutorSession::TutorSession(const TutorArguments& arguments, std::size_t count)
    : TutorSession(WithoutDomain(arguments, count), DomainOf(arguments, count)) {}

TutorSession::TutorSession(const TutorArguments& arguments, const std::string& domain)
    : texts_(arguments.texts),
      format_(arguments.ChosenFormat()),
      budget_(arguments.budget),
      domain_(MakeAnyDomain(domain)),
      pool_(arguments.search.threads),
      policy_(arguments.search.MakeScorer(*domain_, pool_)),
      tutor_(*domain_, *policy_, pool_,
             {.explain = {.language = arguments.language,
                          .script = format_ == Format::kLatex ? Script::kLatex : Script::kPlain}}) {
  budget_.stop = &InterruptFlag();
  budget_.shorten = arguments.milliseconds != nullptr && arguments.milliseconds->count() != 0;
}

std::optional<std::string> TutorSession::ReadProblem() const {
  NotationResult read = ReadNotation(*domain_, texts_.front());
  if (!read.error) return std::move(read.state);
  if (format_ != Format::kJson) {
    throw Error(fmt::format("'{}' is not a problem of {}: position {}: {}", texts_.front(), domain_->type().name,
                            read.error->position, read.error->message));
  }
  PrintLine(FormatErrorAsJson(*read.error));
  return std::nullopt;
}

}  // namespace conpole::cli
