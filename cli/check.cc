// conpole check: judges a learner's lines.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "conpole/error.h"
#include "tutor/learner_notation.h"
#include "tutor/notation.h"
#include "tutor/subject.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

bool NamesDomain(std::string_view text) {
  if (IsPythonSpec(text)) return true;
  const std::string_view name = text.substr(0, text.find(':'));
  return std::any_of(DomainTypes().begin(), DomainTypes().end(), [&](const DomainType* type) { return type->name == name; });
}

// The domain is the first text, if that names one, or guessed from the first line. What is left are the lines, of which one
// text may hold several.
std::string TakeDomain(TutorArguments& arguments) {
  std::vector<std::string>& texts = arguments.texts;
  if (NamesDomain(texts.front())) {
    std::string domain = texts.front();
    texts.erase(texts.begin());
    if (texts.empty()) throw Error(fmt::format("after the domain {} there must be a line and the next one", domain));
    return domain;
  }
  const std::unique_ptr<Domain> domain = MakeDomain(GuessDomain(texts.front()));
  const std::vector<std::string> lines = SubjectOf(*domain).SplitLines({}, texts.front());
  return std::string(GuessDomain(lines.empty() ? texts.front() : lines.front()));
}

int Check(TutorArguments arguments) {
  const std::string spec = TakeDomain(arguments);
  const std::unique_ptr<Domain> domain = MakeAnyDomain(spec);
  const Subject& subject = SubjectOf(*domain);
  std::vector<std::string> lines;
  for (const std::string& text : arguments.texts) {
    const std::vector<std::string> more = subject.SplitLines(lines.empty() ? std::string() : lines.back(), text);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  if (lines.size() < 2) {
    throw Error(fmt::format("a line and the next one are needed, and there is only {}", Shown(arguments.texts.front())));
  }
  arguments.texts = {subject.HasUnknowns() ? std::string(WithoutRemark(lines.front())) : lines.front()};
  TutorSession session(arguments, spec);
  const std::optional<std::string> problem = session.ReadProblem();
  if (!problem) return kBadInput;
  lines.erase(lines.begin());
  const std::vector<StepCheck> checks = session.tutor().CheckLines(*problem, lines, session.budget());
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i].kind != StepCheck::Kind::kUnreadable || session.format() == Format::kJson) continue;
    throw Error(checks.size() == 1 ? checks[i].message : fmt::format("'{}': {}", lines[i], checks[i].message));
  }
  PrintLine(checks.size() == 1 ? FormatCheck(session.domain(), *problem, checks.front(), {session.format()})
                               : FormatChecks(session.domain(), *problem, checks, {session.format()}));
  const auto is_unreadable = [](const StepCheck& check) { return check.kind == StepCheck::Kind::kUnreadable; };
  if (std::any_of(checks.begin(), checks.end(), is_unreadable)) return kBadInput;
  return std::all_of(checks.begin(), checks.end(), [](const StepCheck& check) { return check.correct(); }) ? kOk : kSomeFailed;
}

}  // namespace

void AddCheck(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("check", "Judge whether a line may follow another, and whether it helps");
  const auto arguments = std::make_shared<TutorArguments>();
  AddTexts(*command, "problem", arguments->texts, 1, std::numeric_limits<int>::max(),
           "A domain, for example equations, or nothing for a guess; then a line and the next ones, as people write them "
           "(2x+3=7), as LaTeX or in the domain's notation. A text may have several lines");
  arguments->AddOptionsTo(*command);
  command->footer("Exit status: 0 all lines are correct, 1 one is not, or is too large to tell, 2 bad input.");
  command->callback([arguments, &action] { action = [arguments] { return Check(*arguments); }; });
}

}  // namespace conpole::cli
