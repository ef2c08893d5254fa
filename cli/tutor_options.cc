#include "cli/tutor_options.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/output.h"
#include "conpole/error.h"
#include "language/catalogue.h"
#include "language/signs.h"
#include "notation/notation.h"
#include "notation/prose.h"
#include "session/reading.h"
#include "subjects/subject.h"
#include "tutor/policy.h"
#include "util/interrupt.h"
#include "util/text.h"

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
  if (NamesAnyDomain(first)) throw Error(Message("after the domain {} there must be a problem", first));
  if (!arguments.search.model.empty()) {
    if (std::string file = DomainFileOfModel(arguments.search.model); !file.empty()) return file;
  }
  const std::string text = WithoutDomain(arguments, count).texts.front();
  return ChooseDomain(text, arguments.language, DetailOf(arguments.detail), arguments.search.policy);
}

// Whether standard output gets escape sequences for colours (no-color.org).
bool IsColoured(std::string_view choice) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  if (choice != "auto") throw Error(Message("--color must be auto, always or never, not '{}'", choice));
  const auto variable = [](const char* name) -> std::string_view {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  return isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

TurnCount TurnsOf(std::string_view choice, const Domain& domain) {
  const std::optional<TurnCount> turns = TurnCountOf(choice);
  if (!turns) throw Error(Message("--moves must be quarter or half, not '{}'", choice));
  if (turns == TurnCount::kHalf && !StepsAreTurns(domain)) {
    throw Error(Message("--moves half: the steps of {} are no turns", domain.type().name));
  }
  return *turns;
}

SessionOptions OptionsOf(const TutorArguments& arguments, const std::string& domain) {
  SessionOptions options;
  options.given_domain = MakeAnyDomain(domain);
  options.language = arguments.language;
  if (arguments.ChosenFormat() == Format::kLatex) options.script = Script::kLatex;
  options.detail = DetailOf(arguments.detail);
  options.turns = TurnsOf(arguments.moves, *options.given_domain);
  options.method = arguments.method;
  options.abstractions = arguments.search.abstractions;
  options.budget = arguments.budget;
  options.budget.stop = &InterruptFlag();
  options.budget.shorten = arguments.milliseconds != nullptr && arguments.milliseconds->is_given;
  options.threads = arguments.search.threads;
  options.choose_policy = [search = arguments.search](const Domain& of) { return search.PolicyFor(of); };
  return options;
}

}  // namespace

void TutorArguments::AddTo(Command& command, std::size_t count, const std::string& names, bool may_be_missing) {
  constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
  command.Takes("problem", texts, may_be_missing ? 0 : count, count == 1 ? kAnyNumber : count + 1,
                "A domain, for example equations, or nothing for a guess; then " + names +
                    ", as people write it (2x+3=7), as LaTeX or in the domain's notation.");
  AddOptionsTo(command);
}

void TutorArguments::AddOptionsTo(Command& command) {
  command.Text("--format", format, "The form of the answer: text, json or latex.");
  command.Flag("--json", json, "The same as --format json.");
  AddLanguageTo(command);
  milliseconds = &command.Number("--milliseconds", budget.milliseconds, "The most time to search.", {0, kMaxMilliseconds});
  command.Number("--expansions", budget.expansions, "The most states to expand.");
  search.AddScorerTo(command);
  command.group = kUsualGroup;
}

void TutorArguments::AddLanguageTo(Command& command) {
  command.Text(
      "--language,--lang", language,
      "The language of all sentences, of words inside lines and of decimal signs: " + Join(Catalogue::Languages()) + ".");
}

ProblemArgument SplitDomain(const std::vector<std::string>& texts) {
  if (texts.size() == 1 && NamesAnyDomain(texts.front())) return {texts.front(), {}};
  TutorArguments arguments;
  arguments.texts = texts;
  return {IsDomainNamed(arguments, 1) ? texts.front() : "", WithoutDomain(arguments, 1).texts.front()};
}

Error NotAProblem(const Domain& domain, const std::string& text, const NotationError& error) {
  const std::string understood = text.substr(0, error.position);
  // Where the text ends too early, it is all there is.
  const bool somewhere = understood.find_first_not_of(' ') != std::string::npos && error.position < text.size();
  const Message reason = somewhere ? Message("{}; understood up to there: '{}'", error.message, understood) : error.message;
  return Error(Message("'{}' is not a problem of {}: position {}: {}", text, domain.type().name, error.position, reason));
}

void TutorArguments::AddMovesTo(Command& command) {
  command.Text("--moves", moves, "How turns of the cube are counted: quarter, or half for half turns as one.");
}

void TutorArguments::AddMethodTo(Command& command) {
  command.Text("--method", method,
               "How to solve: factoring, square (completing it), formula or complex for quadratic equations, substitution or "
               "elimination "
               "for systems; by default what is shortest.");
}

void TutorArguments::AddColorTo(Command& command) {
  command.Text("--color,--colour", color,
               "Whether pictures are coloured: always, never, or auto, which is in a terminal, unless NO_COLOR is set in the "
               "environment.");
}

TutorSession::TutorSession(const TutorArguments& arguments, std::size_t count)
    : TutorSession(WithoutDomain(arguments, count), DomainOf(arguments, count)) {}

TutorSession::TutorSession(const TutorArguments& arguments, const std::string& domain)
    : texts_(arguments.texts),
      format_(arguments.ChosenFormat()),
      is_coloured_(IsColoured(arguments.color)),
      session_(OptionsOf(arguments, domain)) {}

std::optional<std::string> TutorSession::ReadProblem(bool to_check) {
  const std::string& text = texts_.front();
  try {
    return to_check ? session_.ReadToCheck(text) : session_.Read(text);
  } catch (const UnreadableText& error) {
    const NotationError what{NotationError::Kind::kUnreadable, error.position, error.reason};
    if (format_ != Format::kJson) throw NotAProblem(domain(), text, what);
    PrintLine(FormatErrorAsJson(what, error.understood));
    return std::nullopt;
  }
}

FormatOptions TutorSession::answer_format() const {
  FormatOptions options = session_.format();
  options.format = format_;
  options.is_coloured = is_coloured_;
  return options;
}

void TutorSession::PrintAnswer(const std::string& answer) const {
  const auto shown = [](const std::string& text) {
    std::string signs = WithSigns(text);
    std::erase(signs, ' ');
    return signs;
  };
  // Nothing is said of a reading that looks like the text.
  if (!session_.read_as().empty() && format_ == Format::kText && shown(texts_.front()) != shown(session_.read_as())) {
    const Catalogue& catalogue = Catalogue::Find(session_.options().language);
    PrintLine(catalogue.Sentence("read_as", {{"text", texts_.front()}, {"reading", session_.read_as()}}));
  }
  PrintLine(answer);
}

}  // namespace conpole::cli
