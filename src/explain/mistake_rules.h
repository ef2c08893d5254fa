// Typical errors in school algebra as rules in text: src/explain/mistakes/algebra.domain has them, written like the `error`
// rules of a domain file (docs/domain-files.md) and read by the same reader. What differs is how they match (docs/tutor.md):
// terms of school algebra are sums and products of many parts in any order, so a rule names the parts that matter, and one of
// its variables stands for all that is left. The matcher of domain files knows operators with two operands in one order only.
//
// For mistakes*.cc and tests. The rules are read when they are first asked for; any thread may call any of this.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/school/algebra_expression.h"
#include "domains/school/algebra_text.h"
#include "language/catalogue.h"

namespace conpole::mistakes {

struct Rule {
  std::string name;
  // By language, with slots.
  Catalogue::Slots sentences = {};
  Catalogue::Slots hints = {};
  // Whether it is named for the very line that it makes only. Others are also named if the line went on rightly after them.
  bool exact = false;
  // Whether it is about a term as it stands in the line, not as it is after steps in the head.
  bool visible = false;
};
// Of several that make the same line, the one that comes first is named.
const std::vector<Rule>& Rules();

// An example of the file: the rule that makes one line of the other.
struct Example {
  std::string before;
  std::string rule;
  std::string after;
};
const std::vector<Example>& Examples();

// The value of a slot of the rule's sentences.
using Named = std::pair<std::string_view, algebra::Node>;

// What an error makes of one place in an expression.
struct WrongTerm {
  std::size_t rule;
  algebra::Node node;
  std::vector<Named> named;
};
// The errors at this node itself, not in its parts.
void ListWrongTerms(const algebra::Node& node, std::vector<WrongTerm>& wrong);

// What an error makes of an equation: one or more equations of which one holds.
struct WrongEquations {
  std::size_t rule;
  std::vector<algebra::Equation> equations;
  std::vector<Named> named;
};
void ListWrongEquations(const algebra::Equation& equation, std::vector<WrongEquations>& wrong);

// The first rule that tells from a part and from what the learner made of it what went wrong: one with a variable alone on the
// left, or with a variable for what the learner made. `last` asks for those that say least, to be tried after all others.
// `is_written` says whether a part stands in the line as it is. Requires that the two are not worth the same.
using IsWritten = std::function<bool(const algebra::Node&)>;
std::optional<WrongTerm> FindSlip(const algebra::Node& was, const algebra::Node& is, bool last, const IsWritten& is_written);

}  // namespace conpole::mistakes
