// How what people ask is read by every shell: which domain a text is of, which lines a
// solution has, how turns are counted, and what there is to practise. Pure functions; any thread may call them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "subjects/subject.h"
#include "tutor/practice.h"
#include "tutor/tutor.h"

namespace conpole {

// Whether a text names a domain that comes with conpole, with parameters or without.
bool NamesDomain(std::string_view text);

// The domain that a problem is solved in if none is named: the guess or, where axioms are asked for that a learned policy
// chooses, the domain of axioms that reads it.
std::string ChooseDomain(std::string_view text, std::string_view language, Detail detail, bool learned);

// The domain of a solution whose first text is the problem, and more lines perhaps.
std::string ChooseDomainOfLines(std::string_view first_text, std::string_view language);
// The lines of texts that may have several each, in their order: the problem first.
std::vector<std::string> LinesOf(const Subject& subject, std::span<const std::string> texts);
// A first line as a problem, without what a learner wrote behind it.
std::string ProblemOfLine(const Subject& subject, const std::string& line);

// quarter or half; nothing for any other word.
std::optional<TurnCount> TurnCountOf(std::string_view word);
// Whether a domain's steps are turns, of which two may count as one.
bool StepsAreTurns(const Domain& domain);

// The level of exercises where no skill is practised: the first is too easy for most domains.
inline constexpr std::uint64_t kLengthLevel = 2;

// What somebody wants to practise. All may be left out.
struct PracticeWish {
  std::string domain = {};  // its spec
  std::string skill = {};
  std::string like = {};  // a problem as people write it
  std::optional<std::uint64_t> level = {};
  std::uint64_t seed = 0;
  std::string language = "en";
  bool is_foreign = false;  // whether the domain is none of those that come with conpole
};
struct PracticePlan {
  std::string domain;
  PracticeOptions practice;  // without what a tutor is needed for: budget, likeness, clock
};
// What to practise where. Without a skill, only school algebra has a course of them; other domains give their own problems.
// Throws Error if there is no such skill.
PracticePlan PlanPractice(const PracticeWish& wish);

// Sets the skill and the level to begin with, where exercises should be like a problem and the likeness is known.
void BeginLike(Tutor& tutor, const PracticeWish& wish, PracticeOptions& practice);

}  // namespace conpole
