// Typical errors in school algebra: which one, if any, makes a learner's wrong line from the line before it. Every error is a
// rule that writes the lines that come of it (mistake_rules.h), exactly, and the learner's line is compared with them side by
// side, as functions, so that tidying up in the same line hides nothing. A line that goes on rightly after an error is
// recognised by its solutions; then it is named only if no other error leads there too. What is named are terms of the line
// before and of the learner's own line, never what would have been right.
//
// Pure functions: any thread may call any of this. The work is bounded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domains/school/algebra_expression.h"
#include "explain/comparison.h"
#include "language/catalogue.h"

namespace conpole {

class Random;

struct Mistake {
  std::string rule;                                 // its sentence is in the file of rules, or check.mistake.RULE
  Catalogue::Slots slots;                           // terms, and what became of them
  Comparison::Side side = Comparison::Side::kNone;  // where, if the sentence says so
  // A second rule on the other side, and its slots; empty if there is none.
  std::string also = {};
  Catalogue::Slots also_slots = {};
};

// Requires canonical text of two lines of algebra that do not mean the same.
std::optional<Mistake> FindMistake(std::string_view before, std::string_view after);

// The same for one part of a line and what was written in its place. Requires that they are not worth the same.
std::optional<Mistake> FindMistakeInPart(const algebra::Node& was, const algebra::Node& is, char unknown);
// The same by what the part was made into: rounded, copied wrongly, one digit off.
std::optional<Mistake> FindSlipInPart(const algebra::Node& was, const algebra::Node& is, char unknown);

// A line that a typical error makes of another, on purpose.
struct MadeMistake {
  std::string rule;
  std::string line;  // canonical text
};
// At most `count` lines that errors make of a line of algebra: as often by one error that applies as by another, and none
// twice. Nearly all are wrong; by chance one may mean the same. Requires canonical text; nothing for lines that rules know
// nothing of.
std::vector<MadeMistake> MakeMistakes(std::string_view before, std::size_t count, Random& random);

// Makes the sentence of a comparison say it. Slots that it has already stay, unless the mistake has them too.
void Name(Mistake mistake, Comparison& comparison);

// The names of all rules.
std::vector<std::string_view> MistakeRules();

}  // namespace conpole
