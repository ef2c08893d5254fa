#include "cli/tutor_options.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/arguments.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "conpole/error.h"
#include "service/reading.h"
#include "tutor/catalogue.h"
#include "tutor/notation.h"
#include "tutor/prose.h"
#include "tutor/subject.h"
#include "util/interrupt.h"

namespace conpole::cli {
namespace {

constexpr std::uint64_t kMaxMilliseconds = 1'000'000'000;  // eleven days

bool NamesAnyDomain(std::string_view text) { return IsPythonSpec(text) || NamesDomain(text); }

// Whether a word can only be meant as the name of a domain, if one that there is not: no problem begins so.
bool LooksLikeDomain(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  constexpr std::size_t kShortest = 3;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '_'; };
  return name.size() >= kShortest && name.front() >= 'a' && name.front() <= 'z' &&
         std::all_of(name.begin(), name.end(), fits) && !IsProse(name);
}

// Whether the first of the texts names the domain. A single text that may come in pieces follows it, or `count` texts.
bool IsDomainNamed(const TutorArguments& arguments, std::size_t count) {
  const std::string& first = arguments.texts.front();
  if (arguments.texts.size() == 1 || arguments.texts.size() < count) return false;
  return count > 1 ? arguments.texts.size() > count : NamesAnyDomain(first) || LooksLikeDomain(first);
}

TutorArguments WithoutDomain(const TutorArguments& arguments, std::size_t count) {
  TutorArguments rest = arguments;
  if (IsDomainNamed(arguments, count)) rest.texts.erase(rest.texts.begin());
  if (count == 1) rest.texts = {fmt::format("{}", fmt::join(rest.texts, " "))};
  return rest;
}

std::string DomainOf(const TutorArguments& arguments, std::size_t count) {
  const std::string& first = arguments.texts.front();
  if (IsDomainNamed(arguments, count)) return first;
  if (NamesAnyDomain(first)) throw Error(fmt::format("after the domain {} there must be a problem", first));
  const std::string text = WithoutDomain(arguments, count).texts.front();
  return ChooseDomain(text, arguments.language, DetailOf(arguments.detail), arguments.search.policy);
}

// Whether standard output gets escape sequences for colours (no-color.org).
bool IsColoured(std::string_view choice) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  if (choice != "auto") throw Error(fmt::format("--color must be auto, always or never, not '{}'", choice));
  const auto variable = [](const char* name) -> std::string_view {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  return isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

TurnCount TurnsOf(std::string_view choice, const Domain& domain) {
  const std::optional<TurnCount> turns = TurnCountOf(choice);
  if (!turns) throw Error(fmt::format("--moves must be quarter or half, not '{}'", choice));
  if (turns == TurnCount::kHalf && !StepsAreTurns(domain)) {
    throw Error(fmt::format("--moves half: the steps of {} are no turns", domain.type().name));
  }
  return *turns;
}

TutorOptions OptionsOf(const TutorArguments& arguments, const Domain& domain) {
  TutorOptions options;
  options.explain.language = arguments.language;
  if (arguments.ChosenFormat() == Format::kLatex) options.explain.script = Script::kLatex;
  options.detail = DetailOf(arguments.detail);
  options.turns = TurnsOf(arguments.moves, domain);
  return options;
}

}  // namespace

void TutorArguments::AddTo(CLI::App& command, std::size_t count, const std::string& names) {
  constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
  AddTexts(command, "problem", texts, count, count == 1 ? kAnyNumber : count + 1,
           "A domain, for example equations, or nothing for a guess; then " + names +
               ", as people write it (2x+3=7), as LaTeX or in the domain's notation");
  AddOptionsTo(command);
}

void TutorArguments::AddOptionsTo(CLI::App& command) {
  command.add_option("--format", format, "text, json or latex")->capture_default_str();
  command.add_flag("--json", json, "The same as --format json");
  AddLanguageTo(command);
  milliseconds = AddNumber(command, "--milliseconds", budget.milliseconds, "Time to search at the most", {0, kMaxMilliseconds});
  AddNumber(command, "--expansions", budget.expansions, "States to expand at the most");
  search.AddScorerTo(command);
}

void TutorArguments::AddLanguageTo(CLI::App& command) {
  command.add_option("--language,--lang", language, "Of all sentences, of words inside lines and of decimal signs: en or de")
      ->capture_default_str();
}

ProblemArgument SplitDomain(const std::vector<std::string>& texts) {
  if (texts.size() == 1 && NamesAnyDomain(texts.front())) return {texts.front(), {}};
  TutorArguments arguments;
  arguments.texts = texts;
  return {IsDomainNamed(arguments, 1) ? texts.front() : "", WithoutDomain(arguments, 1).texts.front()};
}

Error NotAProblem(const Domain& domain, const std::string& text, const NotationError& error, std::string_view language) {
  const std::string understood = text.substr(0, error.position);
  const Catalogue& catalogue = Catalogue::Find(language);
  // Where the text ends too early, it is all there is.
  const bool somewhere = understood.find_first_not_of(' ') != std::string::npos && error.position < text.size();
  const std::string reason =
      somewhere ? catalogue.Sentence("error.understood", {{"reason", error.message}, {"before", "'" + understood + "'"}})
                : error.message;
  return Error(catalogue.Sentence("error.not_a_problem", {{"text", "'" + text + "'"},
                                                          {"domain", domain.type().name},
                                                          {"position", std::to_string(error.position)},
                                                          {"reason", reason}}));
}

void TutorArguments::AddMovesTo(CLI::App& command) {
  command.add_option("--moves", moves, "Of the cube: quarter turns, or half turns as one: quarter or half")
      ->capture_default_str();
}

void TutorArguments::AddColorTo(CLI::App& command) {
  command
      .add_option("--color,--colour", color,
                  "Of pictures: always, never, or auto: in a terminal, unless NO_COLOR is set in the environment")
      ->capture_default_str();
}

TutorSession::TutorSession(const TutorArguments& arguments, std::size_t count)
    : TutorSession(WithoutDomain(arguments, count), DomainOf(arguments, count)) {}

TutorSession::TutorSession(const TutorArguments& arguments, const std::string& domain)
    : texts_(arguments.texts),
      language_(arguments.language),
      format_(arguments.ChosenFormat()),
      detail_(DetailOf(arguments.detail)),
      is_coloured_(IsColoured(arguments.color)),
      budget_(arguments.budget),
      domain_(arguments.search.WithAbstractionsOfModel(MakeAnyDomain(domain))),
      pool_(arguments.search.threads),
      policy_(arguments.search.MakeScorer(*domain_, pool_)),
      tutor_(*domain_, *policy_, pool_, OptionsOf(arguments, *domain_)) {
  budget_.stop = &InterruptFlag();
  budget_.shorten = arguments.milliseconds != nullptr && arguments.milliseconds->count() != 0;
}

std::optional<std::string> TutorSession::ReadProblem() {
  const std::string& text = texts_.front();
  NotationResult read = ReadNotation(*domain_, text, language_);
  if (!read.error) {
    if (read.ambiguous) read_as_ = tutor_.Write(read.state);
    return std::move(read.state);
  }
  const NotationError& error = *read.error;
  if (format_ == Format::kJson) {
    PrintLine(FormatErrorAsJson(error, text.substr(0, error.position)));
    return std::nullopt;
  }
  throw NotAProblem(*domain_, text, error, language_);
}

void TutorSession::PrintAnswer(const std::string& answer) const {
  if (format_ == Format::kJson) {
    PrintLine(WithReading(answer, read_as_));
    return;
  }
  if (!read_as_.empty() && format_ == Format::kText) {
    const Catalogue& catalogue = Catalogue::Find(language_);
    PrintLine(catalogue.Sentence("read_as", {{"text", texts_.front()}, {"reading", read_as_}}));
  }
  PrintLine(answer);
}

}  // namespace conpole::cli
