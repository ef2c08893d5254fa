#include "subjects/verify.h"

#include <array>

#include "subjects/subject.h"

namespace conpole {

Verdict VerifyAnswer(const Domain& domain, std::string_view problem, std::string_view answer) {
  const Parsed asked = domain.Parse(problem);
  if (asked.error || asked.state != problem) return Verdict::kCannotTell;
  const Parsed given = domain.Parse(answer);
  if (given.error || given.state != answer || !domain.Solved(answer)) return Verdict::kWrong;
  const Subject& subject = SubjectOf(domain);
  return subject.Verify(*subject.Analyse(domain, subject.Understand(asked.state)), subject.Understand(given.state));
}

Verdict VerifyPath(const Domain& domain, std::span<const std::string> path) {
  if (path.empty() || !SubjectOf(domain).StepsArePossible(path)) return Verdict::kWrong;
  return VerifyAnswer(domain, path.front(), path.back());
}

std::string_view NameOf(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"right", "wrong", "cannot_tell"};
  return kNames[static_cast<std::size_t>(verdict)];
}

}  // namespace conpole
