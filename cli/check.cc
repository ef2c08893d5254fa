// conpole check: judges a learner's lines.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "conpole/error.h"
#include "session/reading.h"
#include "subjects/subject.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

// The domain is the first text, if that names one, or guessed from the first line. What is left are the lines, of which one
// text may hold several.
std::string TakeDomain(TutorArguments& arguments) {
  std::vector<std::string>& texts = arguments.texts;
  if (IsPythonSpec(texts.front()) || NamesDomain(texts.front())) {
    std::string domain = texts.front();
    texts.erase(texts.begin());
    if (texts.empty()) throw Error(Message("after the domain {} there must be a line and the next one", domain));
    return domain;
  }
  return ChooseDomainOfLines(texts.front(), arguments.language);
}

int Check(TutorArguments arguments) {
  const std::string spec = TakeDomain(arguments);
  const std::unique_ptr<Domain> domain = MakeAnyDomain(spec);
  const Subject& subject = SubjectOf(*domain);
  std::vector<std::string> lines = LinesOf(subject, arguments.texts);
  if (lines.size() < 2) {
    throw Error(fmt::format("a line and the next one are needed, and there is only {}", Shown(arguments.texts.front())));
  }
  arguments.texts = {ProblemOfLine(subject, lines.front())};
  TutorSession session(arguments, spec);
  const std::optional<std::string> problem = session.ReadProblem(true);
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

void AddCheck(Command& program) {
  Command& command = program.Add("check", "Judge whether a line may follow another, and whether it helps");
  const auto arguments = std::make_shared<TutorArguments>();
  command.Takes("problem", arguments->texts, 1, std::numeric_limits<int>::max(),
                "A domain, for example equations, or nothing for a guess; then a line and the next ones, as people write them "
                "(2x+3=7), as LaTeX or in the domain's notation. A text may have several lines.");
  arguments->AddOptionsTo(command);
  command.footer = "Exit status: 0 all lines are correct, 1 one is not, or is too large to tell, 2 bad input, 130 interrupted.";
  command.action = [arguments] { return Check(*arguments); };
}

}  // namespace conpole::cli
