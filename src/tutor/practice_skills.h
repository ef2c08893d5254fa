// What is practised: named skills of school algebra and of the other domains, each with levels that get harder. An exercise is
// a function of its skill, level and seed alone: it is made without any search, clock or floating point, so that it is the same
// on every machine and at once. Values and pure functions: any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"

namespace conpole {

// What no exercise of a level exceeds.
struct SkillLevel {
  std::size_t max_lines = 0;   // that a solution in school steps has after the problem, or steps in other domains
  std::size_t max_digits = 0;  // of all numbers of the problem together
  // Of answers in algebra. 1 if they are whole.
  std::int64_t max_denominator = 1;
};

struct Skill {
  std::string_view name;    // brackets; in the catalogue, skill.brackets is its name for people
  std::string_view domain;  // what its problems are problems of
  std::vector<SkillLevel> levels;
};

// All skills in the order in which they are learned, those of a domain together.
const std::vector<Skill>& Skills();
// Throws Error, listing those there are, if there is no such skill.
const Skill& FindSkill(std::string_view name);
// Of one domain, in their order.
std::vector<const Skill*> SkillsOf(std::string_view domain);

// The canonical text of the exercise with this seed. Levels count from 1; throws Error if there is no such level. The problem
// is not solved already.
std::string MakeExercise(const Skill& skill, std::size_t level, std::uint64_t seed);

// The digits of a problem, which stand for the size of its numbers. Those of the cube and of bars are not counted.
std::size_t DigitsOf(const Skill& skill, std::string_view problem);

// The skill that a problem, as canonical text, practises; null if there is none for it.
const Skill* SkillOf(const Domain& domain, std::string_view problem);
// The lowest level that a problem with this number of lines to its answer does not exceed; the last if it exceeds all.
std::size_t LevelOf(const Skill& skill, std::string_view problem, std::size_t lines);

}  // namespace conpole
