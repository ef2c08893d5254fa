// How a line of algebra is tidied: terms, like terms, brackets. A side of an equation is a sum of terms, and a term is a number
// times powers of the unknown and of brackets, over others of these. Nothing here multiplies brackets out unless it says so,
// and nothing cancels a factor with the unknown.
//
// Values and pure functions: any thread may call any of this.
#pragma once

#include <optional>
#include <vector>

#include "domains/school/algebra_expression.h"

namespace conpole::algebra {

struct Factor {
  Node base;  // the unknown, or a tidied sum of two terms or more
  unsigned exponent = 1;

  friend bool operator==(const Factor&, const Factor&) = default;
};

struct Term {
  Exact coefficient = 1;
  std::vector<Factor> above;
  std::vector<Factor> below;

  bool IsNumber() const { return above.empty() && below.empty(); }
  // The exponent of the unknown if the term is a number times a power of it; nothing if there are brackets or denominators.
  std::optional<unsigned> MonomialDegree() const;
};

// Reads an expression without roots and with a normal form. Numbers are worked out, brackets are tidied inside.
Term TermOf(const Node& node, NumberStyle style);
// The terms of a side as they are written.
std::vector<Term> WrittenTerms(const Node& side, NumberStyle style);
// The terms of a side, those with the same factors made one, in the order of their first appearance. Terms that are zero are
// left out, so the terms of 0 are none.
std::vector<Term> TermsOf(const Node& side, NumberStyle style);
// Makes terms with the same factors one and leaves out zeros.
std::vector<Term> Collected(std::vector<Term> terms);

Node NodeOf(const Term& term, NumberStyle style);
Node NodeOf(const std::vector<Term>& terms, NumberStyle style);
Node Tidied(const Node& side, NumberStyle style);

Term Multiply(const Term& a, const Term& b);

// A term of a side with its brackets multiplied out, like terms collected. Nothing if it has no bracket above the line, if the
// unknown is below the line, if the result has too many terms, or if fractions come of it that a common denominator avoids.
std::optional<std::vector<Term>> Expanded(const Node& term, NumberStyle style);

}  // namespace conpole::algebra
