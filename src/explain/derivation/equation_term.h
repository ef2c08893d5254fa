// One side of an equation as the domain `equations` has it, as a tree that tactics rewrite in place, and the terms that it
// consists of as people see them: ([2/3]x + (-4)) and (2x / 3 - 4) are both two thirds of x and minus 4. Values; one thread at
// a time per tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domains/school/algebra_expression.h"
#include "math/rational.h"

namespace conpole::axioms {

using algebra::Exact;

struct Expr {
  enum class Kind : std::uint8_t { kNumber, kUnknown, kOperation };
  Kind kind = Kind::kNumber;
  char op = 0;
  Rational number;
  std::unique_ptr<Expr> left;
  std::unique_ptr<Expr> right;

  bool IsNumber() const { return kind == Kind::kNumber; }
  bool IsNumber(std::int64_t value) const { return IsNumber() && number.Is(value); }
  bool IsUnknown() const { return kind == Kind::kUnknown; }
  bool IsOperation(char symbol) const { return kind == Kind::kOperation && op == symbol; }
  bool IsSum() const { return IsOperation('+') || IsOperation('-'); }
  // number * something
  bool IsMultiple() const { return IsOperation('*') && left->IsNumber(); }
};

Expr Number(const Rational& value);
Expr Unknown();
Expr Operation(char op, Expr left, Expr right);
Expr Copy(const Expr& e);
bool Same(const Expr& a, const Expr& b);

std::size_t CountUnknowns(const Expr& e);
// Distinct numbers other than 0, in the order of their first appearance.
void CollectNumbers(const Expr& e, std::vector<Rational>& numbers);
// Whether number * unknown is there, or for 1 the unknown alone.
bool HasMultipleOfUnknown(const Expr& e, const Rational& number);

// The canonical text of the domain.
void Write(const Expr& e, char unknown, std::string& out);

// slope * unknown + constant
struct Linear {
  Exact slope;
  Exact constant;

  friend bool operator==(const Linear&, const Linear&) = default;
};
Linear Sum(const Linear& a, const Linear& b);
Exact ExactOf(const Rational& number);
std::optional<Rational> RationalOf(const Exact& number);
// Nothing if it is not linear, or not defined.
std::optional<Linear> LinearOf(const Expr& e);

// A term of a side: a number times nothing, the unknown or a bracket.
struct SchoolTerm {
  enum class Core : std::uint8_t { kNone, kUnknown, kBracket };
  Exact coefficient = 1;
  Core core = Core::kNone;
  std::vector<SchoolTerm> bracket;         // the terms in it, two or more
  const algebra::Node* written = nullptr;  // where it was read from, if that was a line of algebra, which outlives it

  Linear Value() const;
  // What the number is multiplied with.
  Linear CoreValue() const;
  // Whether both are the same term, however they are written.
  friend bool operator==(const SchoolTerm& a, const SchoolTerm& b) {
    return a.coefficient == b.coefficient && a.core == b.core && a.bracket == b.bracket;
  }
};

// The terms of a side in the order in which they are written; none of the number 0. Nothing if one is no such term.
std::optional<std::vector<SchoolTerm>> TermsOf(const Expr& side);
std::optional<std::vector<SchoolTerm>> TermsOf(const algebra::Node& side);

// A side of a line of algebra as the axioms can work on it: an unknown without a number becomes 1x if there is more than one,
// since no axiom puts the 1 there, and what is subtracted is a number or a multiple, or -1 times it is added. A division stays
// a division until it is worked out. Below a line there may be a number, the unknown or a multiple of it. Nothing if the domain
// cannot say it, or numbers are too large.
std::optional<Expr> Translate(const algebra::Node& side, bool several_unknowns);
std::size_t CountUnknowns(const algebra::Node& node);

}  // namespace conpole::axioms
