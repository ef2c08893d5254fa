// The rules of mistakes.cc: what errors make of an expression and of an equation. For mistakes*.cc only.
#pragma once

#include <string_view>
#include <vector>

#include "domains/school/algebra_expression.h"
#include "domains/school/algebra_text.h"

namespace conpole::mistakes {

// The value of a slot of the rule's sentence, as an expression.
struct Named {
  std::string_view slot;
  algebra::Node node;
};

// What an error makes of one place in an expression.
struct WrongTerm {
  std::string_view rule;
  algebra::Node node;
  std::vector<Named> named;
};
// The errors at this node itself, not in its parts.
void ListWrongTerms(const algebra::Node& node, std::vector<WrongTerm>& wrong);

// What an error makes of an equation: one or more equations of which one holds.
struct WrongEquations {
  std::string_view rule;
  std::vector<algebra::Equation> equations;
  std::vector<Named> named;
};
void ListWrongEquations(const algebra::Equation& equation, std::vector<WrongEquations>& wrong);

// The name of the error that makes one part of a line of another that is not worth the same.
std::string_view NameSlip(const algebra::Node& was, const algebra::Node& is);

// The terms of a side, with their signs.
std::vector<algebra::Node> TermsOfSide(const algebra::Node& side);
// A term without its sign.
const algebra::Node& WithoutSign(const algebra::Node& term);

}  // namespace conpole::mistakes
