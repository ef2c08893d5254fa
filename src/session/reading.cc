#include "session/reading.h"

#include <algorithm>
#include <memory>

#include "domains/files/domain_file.h"
#include "notation/learner_notation.h"
#include "subjects/free_notation.h"
#include "tutor/practice_skills.h"

namespace conpole {
namespace {

constexpr std::string_view kDefaultDomain = "algebra";

// The domain of axioms that reads a problem, for the policy that was learned there; nothing if none does.
std::optional<std::string> AxiomDomainOf(std::string_view text) {
  // Whole numbers can be read as fractions too.
  for (const char* const name : {"equations", "multiplication", "fractions"}) {
    if (!ReadNotation(*MakeDomain(name), text).error) return name;
  }
  return std::nullopt;
}

}  // namespace

bool NamesDomain(std::string_view text) {
  if (IsDomainFileSpec(text)) return true;
  const std::string_view name = text.substr(0, text.find(':'));
  return std::any_of(DomainTypes().begin(), DomainTypes().end(), [&](const DomainType* type) { return type->name == name; });
}

std::string ChooseDomain(std::string_view text, std::string_view language, Detail detail, bool learned) {
  if (detail == Detail::kAxioms && learned) {
    if (std::optional<std::string> domain = AxiomDomainOf(text)) return *std::move(domain);
  }
  return std::string(GuessDomain(text, language));
}

std::string ChooseDomainOfLines(std::string_view first_text, std::string_view language) {
  const std::unique_ptr<Domain> domain = MakeDomain(GuessDomain(first_text, language));
  const std::vector<std::string> lines = SubjectOf(*domain).SplitLines({}, first_text);
  return std::string(GuessDomain(lines.empty() ? first_text : std::string_view(lines.front()), language));
}

std::vector<std::string> LinesOf(const Subject& subject, std::span<const std::string> texts) {
  std::vector<std::string> lines;
  for (const std::string& text : texts) {
    const std::vector<std::string> more = subject.SplitLines(lines.empty() ? std::string() : lines.back(), text);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  return lines;
}

std::string ProblemOfLine(const Subject& subject, const std::string& line) {
  return subject.HasUnknowns() ? std::string(WithoutRemark(line)) : line;
}

std::optional<TurnCount> TurnCountOf(std::string_view word) {
  if (word == "quarter") return TurnCount::kQuarter;
  if (word == "half") return TurnCount::kHalf;
  return std::nullopt;
}

bool StepsAreTurns(const Domain& domain) { return SubjectOf(domain).Turns({}).has_value(); }

PracticePlan PlanPractice(const PracticeWish& wish) {
  PracticePlan plan;
  plan.domain = wish.domain.empty() ? std::string(kDefaultDomain) : wish.domain;
  if (wish.domain.empty() && !wish.like.empty()) plan.domain = GuessDomain(wish.like, wish.language);
  plan.practice.seed = wish.seed;
  if (!wish.skill.empty()) {
    const Skill& skill = FindSkill(wish.skill);
    if (wish.domain.empty()) plan.domain = skill.domain;
    plan.practice.skills = plan.domain == skill.domain ? SkillsOf(skill.domain) : std::vector<const Skill*>{&skill};
    const auto here = std::find(plan.practice.skills.begin(), plan.practice.skills.end(), &skill);
    plan.practice.first_skill = static_cast<std::size_t>(here - plan.practice.skills.begin());
  } else if (plan.domain == kDefaultDomain) {
    plan.practice.skills = SkillsOf(plan.domain);
  } else if (!wish.like.empty()) {
    plan.practice.skills = SkillsOf(plan.domain.substr(0, plan.domain.find(':')));
  }
  const bool skilled = !plan.practice.skills.empty();
  plan.practice.level = static_cast<std::size_t>(wish.level.value_or(skilled ? 1 : kLengthLevel));
  // Where exercises should be like a problem, only its solution tells how long they are.
  if (skilled || wish.is_foreign || !wish.like.empty()) return plan;
  // The domain that has exercises of the level asked for.
  const std::uint64_t most = plan.practice.level * Tutor::kStepsPerLevel;
  const std::unique_ptr<Domain> domain = MakeDomain(plan.domain);
  plan.domain = SubjectOf(*domain).ExerciseSpec(domain->Spec(), most - Tutor::kStepsPerLevel + 1, most);
  return plan;
}

void BeginLike(Tutor& tutor, const PracticeWish& wish, PracticeOptions& practice) {
  std::span<const Skill* const> skills = practice.skills;
  if (!wish.skill.empty()) skills = skills.subspan(practice.first_skill, 1);
  const PracticeStart start = StartLike(tutor, practice, skills);
  if (!wish.level) practice.level = start.level;
  const auto here = std::find(practice.skills.begin(), practice.skills.end(), start.skill);
  if (start.skill != nullptr) practice.first_skill = static_cast<std::size_t>(here - practice.skills.begin());
}

}  // namespace conpole
